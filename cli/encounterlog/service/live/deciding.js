/** Which of the facts behind a value decide: asked of the service once for each end of the log, when the value is touched. */
Object.assign(why, {
  /** The events that were only looked at, and those that were not tried, by address and end of the log. */
  found: {},

  async ask(address) {
    const asked = `${address} ${data.head}`;
    if (shown.place !== count - 1 || asked in this.found) return;
    const response = await fetch(`${service}/why?q=${encodeURIComponent(address)}`, { cache: "no-store" }).catch(() => null);
    if (!response?.ok) return; // no address of its own, such as a place in the order, or no connection
    const { answers } = await response.json();
    this.found[asked] = answers.find((each) => each.address === address)?.weighed;
    if (this.address === address) this.draw();
  },
});
