/*
 * Hands: who may write chooses rows of the list and says what happens to them. Everything that is done so is a line of the
 * table grammar, which stands in the field before it is sent; nothing is written in any other way.
 */

/**
 * What can happen to those who are chosen: its key, the fields that it takes, its line ("" as long as something is missing),
 * the lines that can be chosen besides. One that `opens` a line leaves the rest of it to be typed, and is of one combatant.
 */
const KINDS = {
  damage: { key: "d", says: "Damage", fields: ["amount"], line: (those) => hands.damage(those) },
  healing: { key: "h", says: "Healing", fields: ["amount"], line: (those) => hands.points(those, "+", "") },
  temporary: { key: "t", says: "Temporary", fields: ["amount"], line: (those) => hands.points(those, "+", "t") },
  condition: { key: "c", says: "Condition", fields: ["condition", "lasts", "unit"], line: (those) => hands.condition(those), choices: (those) => conditionsOf(those) },
  declares: { key: "p", says: "Declares", fields: [], opens: (who) => `d ${who} ` },
  acts: { key: "a", says: "Acts", fields: [], opens: (who) => `${who} ` },
  rolls: { key: "k", says: "Rolls", fields: ["purpose", "thrown"], line: (those) => hands.roll(those) },
  order: { key: "o", says: "Order", fields: ["total"], line: (those) => hands.total(those), choices: (those) => placesFor(those), master: true },
  sight: { key: "v", says: "Hide, reveal", fields: [], line: (those) => hands.sight(those), master: true },
  leaves: { key: "l", says: "Leaves", fields: [], line: (those) => `${those.join(",")} leaves`, master: true },
};
const FIELDS = ["amount", "condition", "lasts", "unit", "total", "purpose", "thrown"];

const hands = {
  /** Of the grammar: words that begin lines, conditions that are known; whether everybody's rows may be chosen. */
  grammar: null,
  chosen: new Set(),
  /** Those among them who suffer half of the damage. */
  halved: new Set(),
  kind: "damage",

  begin() {
    this.grammar = JSON.parse(field("grammar").textContent);
    field("conditions").append(...this.grammar.conditions.map((each) => element("option", { value: each })));
    field("kinds").append(...this.kinds().map(([name, { key, says }]) =>
      element("button", { type: "button", "data-kind": name, "aria-keyshortcuts": key, title: `${says} (${key})`, click: () => this.pick(name) }, says)));
    panels.leave.hands = () => this.leave();
    statePane.box = (who) => this.box(who);
    statePane.then = () => this.draw();
    field("state").addEventListener("click", (event) => this.touch(event));
    field("now-again").addEventListener("click", () => go(count - 1));
    field("hands").addEventListener("input", () => this.fill());
    addEventListener("keydown", (event) => this.press(event));
    const pane = field("line-form"); // what has the focus is not behind it
    new ResizeObserver(() => (document.documentElement.style.scrollPaddingBottom = `${pane.offsetHeight + 16}px`)).observe(pane);
  },

  /** What can happen, as far as it is for whoever looks at the page. */
  kinds: () => Object.entries(KINDS).filter(([, { master }]) => !master || hands.grammar.everybody),
  isPast: () => shown.place !== count - 1,
  mayChoose: (who) => hands.grammar.everybody || isOwn(who),

  // ------------------------------------------------------------ who is chosen

  /** The box with which a row is chosen, for those who use no mouse. */
  box(who) {
    if (!this.mayChoose(who)) return "";
    const made = element("input", { type: "checkbox", "aria-label": `choose ${nameOf(who)}` });
    made.checked = this.chosen.has(who);
    made.disabled = this.isPast();
    made.addEventListener("click", (event) => this.choose(who, event.detail > 0));
    return made;
  },

  /** Choose the row that was clicked, or name it in a line that was opened; what answers a click by itself does so. */
  touch(event) {
    const who = event.target.closest("[data-who]")?.dataset.who;
    if (!who || event.target.closest("button, input, a")) return;
    if (this.isOpened() && !this.chosen.has(who)) form.add(spelt(who));
    else if (this.mayChoose(who)) this.choose(who, true);
  },

  /** Whether a line was opened for a chosen combatant, and waits for more. */
  isOpened: () => panels.open === "hands" && Boolean(KINDS[hands.kind].opens),

  /** Choose a combatant, or drop the choice; after a click the first field has the focus. */
  choose(who, further) {
    if (this.isPast()) return;
    if (!this.chosen.delete(who)) this.chosen.add(who);
    this.halved.delete(who);
    this.draw();
    this.fill();
    if (further && this.chosen.size) this.enter();
  },

  /** Let everybody go. */
  leave() {
    this.chosen.clear();
    this.halved.clear();
    for (const name of FIELDS) if (name !== "unit") field(name).value = "";
    if (KINDS[this.kind].opens) this.kind = "damage";
    this.draw();
  },

  // ------------------------------------------------------------ what happens to them

  pick(kind) {
    this.kind = kind;
    this.draw();
    this.fill();
    this.enter();
  },

  /** Go to the first field of what happens, to the line that was opened, or to the button that tells it. */
  enter() {
    const { fields, opens } = KINDS[this.kind];
    field(opens ? "line" : fields[0] ?? "send").focus({ preventScroll: true });
  },

  points(those, sign, letter) {
    const amount = typed("amount");
    return /^[0-9]+$/.test(amount) && those.length ? `${those.join(",")} ${sign}${amount}${letter}` : "";
  },

  /** Damage, of which some suffer half, rounded down. */
  damage(those) {
    const half = [...this.halved].map(spelt);
    const whole = this.points(those.filter((who) => !half.includes(who)), "-", "");
    const less = Math.floor(Number(typed("amount")) / 2);
    return half.length && less ? `${whole} ${half.join(",")} -${less}`.trim() : whole;
  },

  condition(those) {
    const [name, lasts] = [typed("condition"), typed("lasts")];
    if (!name || !/^[0-9]*$/.test(lasts)) return "";
    return `${those.join(",")} is ${asWord(name)}${lasts ? ` for ${lasts}${field("unit").value}` : ""}`;
  },

  total: (those) => (/^-?[0-9]+$/.test(typed("total")) && those.length === 1 ? moved(those[0], typed("total")) : ""),

  /** A roll for what has no form of its own; saves against death have one. */
  roll(those) {
    const [purpose, dice] = [typed("purpose") || "check", typed("thrown")];
    if (!dice || those.length !== 1) return "";
    if (purpose === "death") return `save ${those[0]} death ${dice}`;
    return `dice ${asWord(purpose)} ${dice} combatant=${those[0].replace(/^:/, "")}`;
  },

  /** Who is hidden is revealed; others are hidden for those who know of them already. */
  sight(those) {
    const hidden = [...this.chosen].filter(isHidden);
    if (!hidden.length) return `${those.join(",")} is hidden`;
    return hidden.length === 1 ? `reveal ${spelt(hidden[0])}` : "";
  },

  /** Put the line into the field; what was being typed there can be had again with the arrow keys. */
  fill() {
    const { line, opens } = KINDS[this.kind];
    const those = [...this.chosen].map(spelt);
    field("choices").replaceChildren(...this.choices(those));
    if (!those.length) return form.put("");
    const said = opens ? (those.length === 1 ? opens(those[0]) : "") : line(those);
    form.put(said);
    if (opens) form.line.setSelectionRange(form.line.value.length, form.line.value.length);
  },

  /** The lines that can be chosen besides, each a button that puts it into the field. */
  choices(those) {
    const found = KINDS[this.kind].choices?.(those) ?? [];
    const put = (line) => {
      form.put(line);
      field("send").focus({ preventScroll: true });
    };
    return found.map(([says, line]) => element("button", { type: "button", title: line, click: () => put(line) }, says));
  },

  // ------------------------------------------------------------ what is seen of them

  draw() {
    for (const who of this.chosen) if (!statePane.rows.has(who)) this.chosen.delete(who);
    const past = this.isPast();
    if (past) field("hands").hidden = true;
    else if (this.chosen.size) panels.show("hands");
    else if (panels.open === "hands") panels.show("");
    field("past").hidden = !past;
    field("chosen").replaceChildren(...this.names());
    for (const [who, row] of statePane.rows) {
      const box = row.querySelector("input");
      row.classList.toggle("chosen", this.chosen.has(who));
      if (box) Object.assign(box, { checked: this.chosen.has(who), disabled: past });
    }
    for (const each of field("kinds").children) each.setAttribute("aria-pressed", String(each.dataset.kind === this.kind));
    for (const each of field("kinds").children) each.disabled = this.chosen.size > 1 && ["declares", "acts", "rolls"].includes(each.dataset.kind);
    const { fields } = KINDS[this.kind];
    for (const name of FIELDS) (field(name).closest("label") ?? field(name)).hidden = !fields.includes(name) || (name === "total" && !this.grammar.order);
    turns.draw();
  },

  /** Their names; of damage, buttons by which one of them suffers half. */
  names() {
    if (this.kind !== "damage") return namesOf([...this.chosen], ", ");
    const halve = (who) => {
      if (!this.halved.delete(who)) this.halved.add(who);
      this.draw();
      this.fill();
      this.enter();
    };
    return [...this.chosen].map((who) => element("button", { type: "button", class: "half", "aria-pressed": String(this.halved.has(who)),
      title: "suffers half", click: () => halve(who) }, element("bdi", {}, nameOf(who)), element("span", { class: "halved" }, this.halved.has(who) ? " ½" : "")));
  },

  // ------------------------------------------------------------ keys

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (event.key === "Escape" && panels.open) panels.giveUp();
    else if (!isTyping(event.target) || this.isNumber(event)) this.key(event);
  },

  /** Whether a letter is typed into a field for a number: then it chooses what happens. */
  isNumber: ({ target, key }) => ["amount", "lasts", "total"].includes(target.id) && /^[a-z]$/.test(key),

  key(event) {
    const kind = this.kinds().find(([, each]) => each.key === event.key)?.[0];
    if (event.key === "/") form.line.focus();
    else if (proposals.press(event.key)) { /* it is decided */ }
    else if (kind && this.chosen.size) this.pick(kind);
    else if (kind) document.querySelector("#combatants input")?.focus();
    else if (!this.isNumber(event) && (turns.press(event.key) || master.press(event.key))) { /* that was all */ }
    else return;
    event.preventDefault();
  },
};

/** The conditions of those who are chosen, each with the line by which it ends. */
function conditionsOf(those) {
  const borne = [...new Set([...hands.chosen].flatMap((who) => read(who, "conditions") ?? []))];
  return borne.map((each) => [`no longer ${each}`, `${those.join(",")} not ${asWord(each)}`]);
}

/** The line by which a combatant moves to a total in the order; "" where there is none. */
const moved = (who, total) => hands.grammar.order.replace("{who}", who).replace("{total}", total);

/** Where a combatant can stand in the order: before the one above, behind the one below, or on at another time. */
function placesFor(those) {
  const [[who], [name]] = [[...hands.chosen], those];
  if (those.length !== 1) return [];
  const order = [...Array(shown.state.size).keys()].map((number) => shown.state.get(`order.${number + 1}`)?.value).filter(Boolean);
  const place = order.findIndex((slot) => slot.combatants.includes(who));
  const totals = order.map((slot) => slot.key.total);
  const found = [];
  if (hands.grammar.order && typeof totals[place - 1] === "number") found.push(["earlier", moved(name, totals[place - 1] + 1)]);
  if (hands.grammar.order && typeof totals[place + 1] === "number") found.push(["later", moved(name, totals[place + 1] - 1)]);
  return [...found, ["delays", `${name} delays`], ["resumes", `${name} resumes`], ["turn now", `t ${name}`]];
}

if (form.made) {
  hands.begin();
  form.begin();
  preview.begin();
  nextWords.begin();
  proposals.begin();
  if (hands.grammar.everybody) {
    turns.begin();
    master.begin();
  }
  statePane.show(null);
}
