/* The replay plays by itself, a deed at a time; at its end stands a summary. */

/** How long a deed is shown at the usual speed, in ms. */
const DEED_LASTS = 1_800;

/** Whether the page follows a log; then it shows the end first, and has no summary. */
const isLive = document.body.classList.contains("live");

const play = {
  button: document.getElementById("play"),
  speed: document.getElementById("speed"),
  deed: document.getElementById("deed"),
  timer: 0,
  /** The event that was played last: going elsewhere stops the replay. */
  at: -1,

  begin() {
    this.button.addEventListener("click", () => (this.timer ? this.stop() : this.start()));
    followers.push({ show: (place) => this.say(place) }, summary);
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
    if (isLive) return; // a page that follows a log shows it where it is asked for
    const wanted = place === count - 1 && Boolean(data.summary);
    if (wanted && this.pane.hidden) this.draw();
    this.pane.hidden = !wanted;
  },

  draw() {
    const row = (kind, cells) => element("tr", {}, ...cells.map((each) => element(kind, {}, each)));
    const rows = data.summary.map(([name, ...numbers]) => row("td", [element("bdi", {}, name), ...numbers.map(String)]));
    document.getElementById("totals").replaceChildren(row("th", ["Name", "Dealt", "Took", "Healed", "At the end"]), ...rows);
    const turning = story.turning().map(([seq, words]) => element("li", {}, element("a", { href: placeOf.has(seq) ? addressOf(placeOf.get(seq)) : undefined }, ...isolated(words))));
    document.getElementById("turning").replaceChildren(...turning);
    document.getElementById("turning-title").hidden = !turning.length;
    document.getElementById("lead").replaceChildren(...isolated(story.lead()));
    document.getElementById("story").replaceChildren(...story.chapters());
  },
};

/** Names in a row: Ana, Bo and Cy. */
const listed = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0] ?? "");
const isolate = (name) => `\u2068${name}\u2069`;

/** The story of a fight: its combatants, its end, its rounds as chapters, and its turning points as sentences. */
const story = {
  /** Who fought on which side, and how it ended. */
  lead() {
    const people = [...lastState.keys()].filter((address) => address.endsWith(".name")).map((address) => address.slice(0, -5));
    const of = (who, what) => lastState.get(`${who}.${what}`)?.value;
    const sides = Map.groupBy ? Map.groupBy(people, (who) => of(who, "side")) : people.reduce((found, who) => found.set(of(who, "side"), [...(found.get(of(who, "side")) ?? []), who]), new Map());
    const name = (who) => isolate(of(who, "name") ?? who);
    const fought = [...sides.values()].map((those) => (those.length > 6 ? `${listed(those.slice(0, 5).map(name))} and ${those.length - 5} more` : listed(those.map(name))));
    const fallen = people.filter((who) => of(who, "status") !== "up" && !of(who, "gone")).map(name);
    const last = rounds.filter(({ round }) => round).length;
    const ended = `${last ? `after ${counted(last, "round")} ` : ""}${fallen.length ? `${listed(fallen)} ${fallen.length > 1 ? "have" : "has"} fallen` : "nobody has fallen"}`;
    return people.length ? `${fought.join(" against ")}: ${ended}.` : "";
  },

  /** The turning points as sentences, those of one deed together. */
  turning() {
    const found = [];
    for (const [seq, name, became, by, means] of data.turning ?? []) {
      const before = found.at(-1);
      if (before && before.became === became && before.by === by && before.means === means && (by || means) && seq - before.last < 8) Object.assign(before, { names: [...before.names, name], last: seq });
      else found.push({ seq, last: seq, names: [name], became, by, means });
    }
    return found.map((each) => [each.seq, this.sentence(each)]);
  },

  sentence({ names, became, by, means }) {
    const those = listed(names.map(isolate));
    const does = by ? (means && means !== "attack" ? `${isolate(by)}’s ${means}` : isolate(by)) : "";
    if (became === "up") return does ? `${does} brings ${those} back` : `${those} ${names.length > 1 ? "are" : "is"} up again`;
    if (!does) return `${those} ${names.length > 1 ? "are" : "is"} ${became}`;
    return became === "dead" ? `${does} kills ${those}` : `${does} brings down ${those}${/^(down|out)/.test(became) ? "" : ` (${became})`}`;
  },

  /** The deeds, round by round. */
  chapters() {
    const deedsOf = ({ start, end }) => (data.deeds ?? []).filter(([seq, words]) => placeOf.get(seq) >= start && placeOf.get(seq) <= end && !/^(it is the turn of|the initiative of|round \d+ |note)/i.test(bare(words)));
    const chapter = (round) => {
      const deeds = deedsOf(round);
      return deeds.length ? [element("h3", {}, `Round ${round.round}`), element("ul", {}, ...deeds.map(([seq, words]) => element("li", {}, element("a", { href: addressOf(placeOf.get(seq)) }, ...sentence(words)))))] : [];
    };
    return rounds.filter(({ round }) => round).flatMap(chapter);
  },

  draw: () => summary.draw(),
};

play.begin();
{
  const tale = document.getElementById("tale");
  if (tale) tale.replaceChildren(...isolated(story.lead()));
}
