/** The answer to a touch on a value: how it came about, by which facts and rules. */
const why = {
  pane: document.getElementById("why"),
  title: document.getElementById("why-title"),
  body: document.getElementById("because"),
  /** The value that was asked about, to return to. */
  asked: null,
  address: "",

  open(address, from) {
    this.address = address;
    this.asked = from;
    this.pane.hidden = false;
    this.draw();
    this.ask?.(address);
    this.title.focus({ preventScroll: true });
  },

  close() {
    if (this.pane.hidden) return;
    this.pane.hidden = true;
    const again = document.querySelector(`[data-address="${CSS.escape(this.address)}"]`);
    (this.asked?.isConnected ? this.asked : again)?.focus({ preventScroll: true });
  },

  /** Draw the answer for the state that is shown. */
  draw() {
    if (this.pane.hidden) return;
    const leaf = shown.state.get(this.address);
    this.title.replaceChildren(...addressWords(this.address), leaf ? `: ${worded(plainValue(this.address, leaf.value))}` : ": none here");
    this.body.replaceChildren(...(leaf ? answer(this.address, leaf.why) : []));
  },
};

/** An address in words: "Ada: hp". */
function addressWords(address) {
  const [who, ...rest] = address.split(".");
  if (address === "effects") return ["effects on nobody"];
  if (!shown.state.has(`${who}.name`)) return [who === "order" ? `place ${rest[0]} in the order` : address];
  return [element("bdi", {}, nameOf(who)), `, ${rest.join(" ").replace("hp_max", "most hp").replace("nld", "non-lethal damage")}`];
}

/** A value as it is shown in a title. */
function plainValue(address, found) {
  if (address.startsWith("order.")) return found.combatants.map(nameOf);
  if (address === "effects") return found.map(unborne);
  return address.endsWith(".effects") ? found.map(effect) : found;
}

/** How a value came about: its changes, the other facts behind it, the rules. */
function answer(address, number) {
  const changes = course(address, historyOf(address, shown.place));
  const listed = new Set(changes.flatMap((each) => [...each.querySelectorAll("a")].map((link) => link.hash)));
  return [...changes, ...reason(number, listed, weighed(address))];
}

/** The events that were only looked at for a value at the end of the log, and those that were not tried, if that is known. */
function weighed(address) {
  return (shown.place === count - 1 && (data.weighed?.[address] ?? why.found?.[`${address} ${data.head}`])) || {};
}

/** The last changes of a value, each with the fact that made it: 12, then 12 − 4 = 8. */
function course(address, found) {
  const numbers = found.every((each) => typeof each.value === "number");
  if (found.length < 2 && !numbers) return [];
  const last = found.slice(-6);
  const items = last.map((each) => {
    const before = found[found.indexOf(each) - 1];
    const by = numbers && before ? each.value - before.value : null;
    const sum = by === null ? worded(plainValue(address, each.value ?? "none")) : `${before.value} ${by < 0 ? "−" : "+"} ${Math.abs(by)} = ${each.value}`;
    return element("li", {}, element("strong", {}, sum), " ", eventLink(data.events[each.place][0]));
  });
  const more = found.length - last.length;
  return [element("h3", {}, "How it changed"), element("ul", {}, ...(more ? [element("li", {}, `… ${more} earlier`)] : []), ...items)];
}

/**
 * The facts, rules and options behind a value.
 * @param {number} number of the reason
 * @param {Set<string>} listed links to the facts that are listed already
 * @param {{looked_at?: number[], untried?: number[]}} found the events that were only looked at, which come last, folded; and
 *   those that were not tried, which say so
 */
function reason(number, listed, { looked_at = [], untried = [] }) {
  const [rules, events, more, options] = data.whys[number];
  const others = events.filter((seq) => !listed.has(placeOf.has(seq) ? addressOf(placeOf.get(seq)) : ""));
  const [facts, folded] = [false, true].map((only) => others.filter((seq) => looked_at.includes(seq) === only).map((seq) =>
    element("li", {}, eventLink(seq), untried.includes(seq) ? " (not tried)" : "")));
  const clauses = rules.map((rule) => data.rules[rule]).map(([id, says]) => element("li", {}, element("code", {}, id), says ? ` ${says}` : ""));
  const readings = Object.entries(options).map(([name, chosen]) => element("li", {}, `read as ${name}: ${chosen}`));
  return [
    ...(facts.length ? [element("h3", {}, "Because of"), element("ul", {}, ...(more ? [element("li", {}, `… ${more} earlier`)] : []), ...facts)] : []),
    ...(folded.length ? [element("details", {}, element("summary", {}, "Also looked at: ", folded.length), element("ul", {}, ...folded))] : []),
    ...(clauses.length ? [element("h3", {}, "By the rules"), element("ul", {}, ...clauses, ...readings)] : []),
  ];
}

/** An event with its sentence, as a link to it; one that is not in the corrected stream is only named. */
function eventLink(seq) {
  const place = placeOf.get(seq);
  if (place === undefined) return element("span", {}, `event ${seq}`);
  return element("a", { href: addressOf(place) }, `event ${numberOf(place)}: `, ...isolated(data.events[place][2]));
}
