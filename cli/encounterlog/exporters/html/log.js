/** The pane with the sentences of the round that is shown. */
const log = {
  list: document.getElementById("events"),
  /** The items of the round, by the places of their events. */
  items: new Map(),
  round: null,
  /** What a page with hands adds behind an entry. */
  after: () => "",

  /** Show the round of an event, and mark the event. */
  show(place) {
    const round = roundOf(place);
    if (round !== this.round) this.draw(round);
    this.current?.removeAttribute("aria-current");
    this.current = this.items.get(place);
    this.current.setAttribute("aria-current", "step");
    scrollInside(this.list, this.current);
  },

  draw(round) {
    this.round = round;
    this.items.clear();
    for (let place = round.start; place <= round.end; place += 1) this.items.set(place, this.item(place));
    this.list.replaceChildren(...this.items.values());
    const title = round.round ? `Log of round ${round.round}` : "Log before round 1";
    document.getElementById("log-title").textContent = title;
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

/** A fact in words, with a capital letter unless it begins with a name. */
const sentence = (words) => isolated(words.startsWith("\u2068") ? words : capital(words));

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
