/*
 * The order: a compact row for each combatant, with place, name, what burdens it, and its points. A row is chosen by a click or a tap; the
 * values that say why they are so stand on the card of the chosen one.
 */

/** The most of a resource that the log has shown so far, by its address. */
const mostSeen = {
  found: new Map(),
  place: -1,

  look() {
    if (this.place >= count) Object.assign(this, { found: new Map(), place: -1 });
    while (this.place < count - 1) {
      this.place += 1;
      for (const [number, value] of data.steps[this.place]) {
        const address = data.addresses[number];
        if (typeof value === "number" && address.includes(".left.")) this.found.set(address, Math.max(value, this.found.get(address) ?? value));
      }
    }
  },
};

/** The conditions of a combatant, each with how long it lasts. */
function conditionsBorne(who) {
  const lasting = new Map((read(who, "lasting") ?? []).map((each) => [each[0], each]));
  return (read(who, "conditions") ?? []).map((name) => ({ name, says: effect(lasting.get(name) ?? [name, null]) }));
}

/** The points of a row: a bar, and figures or a word. */
function rowPoints(who) {
  const { hp, most, nld, temp, word } = pointsOf(who);
  if (hp === null || hp === undefined) return element("span", { class: "points" }, element("span", { class: `word ${word ?? ""}` }, word ?? "hp unknown"));
  if (typeof hp === "string") return element("span", { class: "points" }, element("span", { class: `word ${word ?? hp}` }, word ?? hp));
  const figures = `${hp}${most === undefined ? "" : `/${most}`}${temp ? ` +${temp}` : ""}${nld ? ` (${nld} non-lethal)` : ""}`;
  const made = bar(hp, most ?? hp, nld ?? 0);
  if (most && hp <= most / 4) made.classList.add("low");
  else if (most && hp <= most / 2) made.classList.add("half");
  return element("span", { class: "points" }, made, element("span", { class: "figures" }, figures));
}

/** The initials of a name: "Ana" is A, "goblin-12" is G12. */
const initials = (name) => name.split(/[\s-]+/u).map((word) => (/^\d/.test(word) ? word : [...word][0] ?? "")).join("").slice(0, 3).toUpperCase();

/** The burdens of a combatant, as chips. */
function chips(who) {
  const chip = (kind, words, title) => element("span", { class: `chip ${kind}`, title: title ? `${title} ${words}` : words }, element("bdi", {}, words));
  const found = conditionsBorne(who).map(({ says }) => chip("", says));
  const status = read(who, "status");
  if (status !== "up") found.unshift(chip("not-up", status));
  if (read(who, "concentration")) found.push(chip("hold", `◎ ${read(who, "concentration")}`, "concentrates"));
  if (read(who, "casting")) found.push(chip("", `casting ${read(who, "casting")}`));
  for (const each of read(who, "effects") ?? []) found.push(chip("effect", effect(each)));
  if (read(who, "left.reaction") === 0 && status === "up") found.push(chip("quiet", "reaction spent"));
  return found;
}

Object.assign(statePane, {
  named: (who) => element("bdi", {}, nameOf(who)),

  /** Add chips and points; a game master drags the row. */
  complete(row, name, who) {
    row.append(element("span", { class: "standing" }, ...chips(who)), rowPoints(who));
    name.before(element("span", { class: "face", "aria-hidden": "true" }, initials(nameOf(who))));
    row.classList.toggle("ours", isOfPlayers(who));
    row.draggable = Boolean(cardControls.grammar?.everybody && cardControls.grammar.order);
  },

  isOver: () => data.closed && shown.place === count - 1,

  moment({ turn, ...moment }) {
    if (this.isOver()) return [element("strong", {}, "The fight is over"), ` · ${momentWords(moment)}`];
    return [element("strong", {}, capital(momentWords(moment))), ...(turn ? [" · ", element("bdi", {}, nameOf(turn)), "’s turn"] : [])];
  },

  /** A combatant's place in the order, the values that it is sorted by, and whether it acts now, is due, or is through. */
  placed(who, numbers) {
    if (!numbers) return [element("span", { class: "sign", title: "not in the order yet" }, "–")];
    const [far, by] = [progress(who), numbers.map(sortedBy)];
    const sign = this.isOver() || far === "is due" ? "" : far === "acts now" ? "▶" : "✓";
    const figure = by.map((each) => /-?\d+$/.exec(each)?.[0] ?? each).join(" ");
    const says = `place ${numbers.join(", ")}, ${by.join(", ")}`;
    return [element("span", { class: "sign", title: `${says}: ${far}`, role: "img", "aria-label": `${says}, ${far}` }, sign),
      element("span", { class: "by", "aria-hidden": "true" }, figure)];
  },
});

/** A drag in the order: the dragged combatant moves to a total before the one that it is dropped on. */
const dragging = {
  who: "",

  begin() {
    const { list } = statePane;
    list.addEventListener("dragstart", (event) => {
      this.who = event.target.closest("[data-who]")?.dataset.who ?? "";
      event.dataTransfer.setData("text/plain", this.who);
      event.dataTransfer.effectAllowed = "move";
    });
    list.addEventListener("dragover", (event) => this.over(event));
    list.addEventListener("dragleave", () => this.mark(null));
    list.addEventListener("drop", (event) => this.drop(event));
  },

  over(event) {
    const row = event.target.closest("[data-who]");
    if (!this.who || !row || row.dataset.who === this.who || !cardControls.grammar.order) return;
    event.preventDefault();
    this.mark(row);
  },

  mark(row) {
    for (const each of statePane.list.querySelectorAll(".drop")) each.classList.remove("drop");
    row?.classList.add("drop");
  },

  /** Send the line by which the dragged combatant stands before the row. */
  drop(event) {
    event.preventDefault();
    this.mark(null);
    const line = lineOfDrag(totalsInOrder(), this.who, event.target.closest("[data-who]")?.dataset.who);
    this.who = "";
    if (line) form.tell(line, false);
  },
};

/** The totals in the order: [who, total], for combatants that have one. */
const totalsInOrder = () => [...statePane.places].map(([who, [number]]) => [who, shown.state.get(`order.${number}`).value.key.total]);

/** The line by which `who` stands before `before`: a total between its neighbours or, among those with the same, a ruling on the tie. */
function lineOfDrag(totals, who, before) {
  const others = totals.filter(([each]) => each !== who);
  const place = others.findIndex(([each]) => each === before);
  if (!who || place < 0 || typeof others[place][1] !== "number") return "";
  const [total, above] = [others[place][1], others[place - 1]?.[1]];
  if (above === total || totals.find(([each]) => each === who)?.[1] === total) {
    const tied = others.filter(([, each]) => each === total).map(([each]) => each);
    tied.splice(tied.indexOf(before), 0, who);
    return totals.find(([each]) => each === who)?.[1] === total ? `rule tie ${tied.map(spelt).join(",")} as dragged` : moved(spelt(who), total + 1);
  }
  return moved(spelt(who), total + 1);
}
