/** Which of the facts behind a value decide: asked of the service once for each end of the log, when the value is touched. */
Object.assign(why, {
  /** The events that were only looked at, and those that were not tried, by address and end of the log. */
  found: {},

  async ask(address) {
    const asked = `${address} ${data.head}`;
    if (shown.place !== count - 1 || asked in this.found) return;
    const said = await fetched(`${service}/why?q=${encodeURIComponent(address)}`);
    if (!said) return; // no address of its own, such as a place in the order, or no connection
    this.found[asked] = said.answers.find((each) => each.address === address)?.weighed;
    if (this.address === address) this.draw();
  },
});
