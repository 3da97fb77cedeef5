/* The replay plays by itself, a deed at a time; at its end stands a summary. */

/** How long a deed is shown at the usual speed, in ms. */
const DEED_LASTS = 1_800;

/** Whether the page follows a log; then it shows the end first, and has no summary. */
const isLive = document.body.classList.contains("live");

/** The deed that an event belongs to: its number, -1 before the first. */
function deedAt(place) {
  const deeds = data.deeds ?? [];
  let [from, to] = [0, deeds.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((placeOf.get(deeds[middle][0]) ?? -1) <= place) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

const play = {
  button: document.getElementById("play"),
  speed: document.getElementById("speed"),
  deed: document.getElementById("deed"),
  timer: 0,
  /** The event that was played last: who went elsewhere stopped it. */
  at: -1,

  begin() {
    this.button.addEventListener("click", () => (this.timer ? this.stop() : this.start()));
    const { show } = log;
    log.show = (place) => {
      show.call(log, place);
      this.say(place);
      summary.show(place);
    };
    this.say(shown.place);
  },

  start() {
    if (shown.place === count - 1) go(0);
    this.at = shown.place;
    log.plays = true;
    this.label("Pause");
    this.wait(0);
  },

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    log.plays = false;
    this.label("Play");
  },

  label(words) {
    this.button.textContent = words;
  },

  wait(time) {
    this.timer = setTimeout(() => this.step(), time);
  },

  /** Go on to the end of the next deed, unless the user went elsewhere. */
  step() {
    if (shown.place !== this.at) return this.stop();
    go(this.next());
    this.at = shown.place;
    return shown.place === count - 1 ? this.stop() : this.wait(DEED_LASTS / Number(this.speed.value));
  },

  /** The last event of the next deed. */
  next() {
    const after = data.deeds?.[deedAt(shown.place + 1) + 1];
    return after ? placeOf.get(after[0]) - 1 : count - 1;
  },

  /** Say the deed that the event belongs to. */
  say(place) {
    const deed = data.deeds?.[deedAt(place)]?.[1] ?? "";
    const words = deed === data.events[place][2] ? "" : deed; // what is one event is said below
    this.deed.replaceChildren(...(words ? sentence(words) : []));
  },
};

/** Who dealt, took and healed how much, and when a combatant fell or rose: at the end of a replay. */
const summary = {
  pane: document.getElementById("summary"),

  show(place) {
    const wanted = !isLive && place === count - 1 && Boolean(data.summary);
    if (wanted && this.pane.hidden) this.draw();
    this.pane.hidden = !wanted;
  },

  draw() {
    const row = (kind, cells) => element("tr", {}, ...cells.map((each) => element(kind, {}, each)));
    const rows = data.summary.map(([name, ...numbers]) => row("td", [element("bdi", {}, name), ...numbers.map(String)]));
    document.getElementById("totals").replaceChildren(row("th", ["Name", "Dealt", "Took", "Healed", "At the end"]), ...rows);
    const turning = this.turning().map((place) => element("li", {}, eventLink(data.events[place][0])));
    document.getElementById("turning").replaceChildren(...turning);
    document.getElementById("turning-title").hidden = !turning.length;
  },

  /** The events by which a combatant fell or rose. */
  turning() {
    const statuses = data.addresses.filter((address) => address.endsWith(".status"));
    const places = statuses.flatMap((address) => historyOf(address, count - 1).slice(1).map((each) => each.place));
    return [...new Set(places)].sort((one, other) => one - other);
  },
};

play.begin();
summary.show(shown.place);
