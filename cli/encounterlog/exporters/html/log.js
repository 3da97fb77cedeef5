/** The pane with the sentences of the round that is shown. */
const log = {
  list: document.getElementById("events"),
  /** The items of the round, by the places of their events. */
  items: new Map(),
  /** The drawn elements, by the places of events, and of deeds. */
  drawn: new Map(),
  /** The deed that is unfolded as an event of it is shown. */
  unfolded: null,
  /** Whether the replay plays by itself. */
  plays: false,
  round: null,
  /** The additions of a page that is played on, behind an entry. */
  after: () => "",

  /** Show the round of an event, and mark the event. */
  show(place) {
    const round = roundOf(place);
    if (round !== this.round) this.draw(round);
    this.current?.removeAttribute("aria-current");
    this.current = this.items.get(place);
    this.current.setAttribute("aria-current", "step");
    this.reveal(this.unfold(this.current.closest("details")) ?? this.current);
  },

  /** Scroll so that an item can be seen. */
  reveal(item) {
    scrollInside(this.list, item);
  },

  /** Unfold the deed that an event is in, but for a replay that plays by deeds, and fold the one that was left; return the element that must be visible. */
  unfold(deed) {
    if (this.unfolded && this.unfolded !== deed) this.unfolded.open = false;
    this.unfolded = null;
    if (!deed || deed.open || this.plays) return deed && !deed.open ? deed : null;
    deed.open = true;
    this.unfolded = deed;
    return null;
  },

  /** Draw the entries of a round; those that are as they were stay in their places. */
  draw(round) {
    this.round = round;
    const before = this.drawn;
    this.drawn = new Map();
    /** The element that was drawn before for a key, if it has the same content. */
    this.kept = (key, of, make) => {
      const known = before.get(key);
      this.drawn.set(key, known && same(known.of, of) ? known : { of, made: make() });
      return this.drawn.get(key).made;
    };
    this.items.clear();
    for (let place = round.start; place <= round.end; place += 1) {
      const event = data.events[place];
      this.items.set(place, this.kept(place, [event, findingsAt(event[0])], () => this.item(place)));
    }
    put(this.list, this.folds() ? this.deeds(round) : [...this.items.values()]);
    const title = round.round ? `Log of round ${round.round}` : "Log before round 1";
    document.getElementById("log-title").textContent = title;
  },

  /** Whether facts are folded below their deeds; a page that follows a log has its last deeds above, and its facts at hand. */
  folds: () => !document.body.classList.contains("live"),

  /** The deeds of a round: one of several facts is a sentence, and its facts fold out. */
  deeds(round) {
    const found = [];
    for (let place = round.start; place <= round.end; place = found.at(-1).end + 1) {
      const next = data.deeds?.[deedAt(place) + 1];
      found.push({ place, end: Math.min(round.end, next ? placeOf.get(next[0]) - 1 : count - 1) });
    }
    return found.map(({ place, end }) => (end > place ? this.deed(place, end) : this.items.get(place)));
  },

  /** A deed of several facts; it is as it was if all of these are. */
  deed(place, end) {
    const items = [...Array(end - place + 1).keys()].map((number) => this.items.get(place + number));
    const known = this.kept(`deed ${place}`, [data.deeds[deedAt(place)], end], () => ({ items, made: this.folded(place, end) }));
    if (known.items.some((each, number) => each !== items[number])) Object.assign(known, { items, made: this.folded(place, end) });
    return known.made;
  },

  folded(place, end) {
    const [, words] = data.deeds[deedAt(place)] ?? [0, data.events[place][2]];
    const items = [...Array(end - place + 1).keys()].map((number) => this.items.get(place + number));
    const flagged = items.flatMap((item) => [...item.querySelectorAll(".flag")]).length;
    const summary = element("summary", {}, ...sentence(words), ...(flagged ? [" ", element("span", { class: "flag" }, `⚑ ${counted(flagged, "finding")}`)] : []));
    return element("li", { class: "deed" }, element("details", {}, summary, element("ol", {}, ...items)));
  },

  item(place) {
    const [seq, , words, note] = data.events[place];
    const link = element("a", { href: addressOf(place) }, element("span", { class: "seq" }, String(numberOf(place))), " ");
    link.append(...sentence(words));
    if (note) link.append(" ", element("em", {}, `(${note})`));
    for (const finding of findingsAt(seq)) link.append(" ", flag(finding));
    return element("li", {}, link, this.after(place));
  },
};

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

/** A fact in words, with a capital letter unless it begins with a name, or with the id of a combatant without one. */
const sentence = (words) => isolated(words.startsWith("\u2068") || lastState.has(`${words.split(" ", 1)[0]}.name`) ? words : capital(words));

/** The findings of the audit about an event. */
const findingsAt = (seq) => data.findings.filter((finding) => finding.event === seq);

/** A flag for a finding: a sign and its words, never a colour alone. */
function flag(finding) {
  const weight = finding.ruled ? `${finding.severity}, ruled` : finding.severity;
  return element("span", { class: "flag" }, `⚑ ${weight}: ${finding.says} (${finding.rule})`);
}

/** Scroll a list so that an item of it can be seen, and nothing else on the page. */
function scrollInside(list, item) {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    list.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}
