/*
 * What this device keeps for the time without a connection: the words that a player or an onlooker reads at the end of the log, and no more. Of a game
 * master nothing is kept, as that page has secrets. It goes when the link is revoked, when another one is opened here, and after twelve hours (worker.js).
 * Only a browser that reached the service by TLS, or on its own machine, keeps anything.
 */
const keeping = {
  here: `/e/${encounterName}`,
  timer: 0,

  begin() {
    navigator.serviceWorker?.register("/assets/worker.js", { scope: "/" });
    document.addEventListener("visibilitychange", () => document.hidden && this.keep());
  },

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), 500);
  },

  async keep() {
    if (!window.caches) return;
    const known = await caches.open("known");
    if (status.ended || document.body.classList.contains("master")) await known.delete(this.here);
    else if (shown.place === count - 1) await known.put(this.here, new Response(JSON.stringify(this.words())));
  },

  words: () => ({ title: data.title, at: status.heard, when: statePane.clock.textContent, call: call.said, rows: [...statePane.rows.keys()].map((who) => keeping.row(who)) }),

  row(who) {
    const text = (part) => [...statePane.rows.get(who).querySelectorAll(part)].map((each) => each.textContent).join(", ");
    return { name: nameOf(who), mine: isOwn(who), now: actsNow(who), points: text(".points"), state: text(".chip") };
  },
};
