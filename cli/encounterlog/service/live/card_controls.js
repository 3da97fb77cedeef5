/*
 * The controls of the card: who may write chooses rows of the list and says what happens to them. Everything that is done so is a line of the
 * notation, which stands in the field before it is sent; nothing is written in any other way.
 */

/**
 * What can happen to those who are chosen: its key, the fields that it takes, its line ("" as long as something is missing),
 * the lines that can be chosen besides. One that `opens` a line leaves the rest of it to be typed, and is of one combatant.
 */
const KINDS = {
  damage: { key: "d", says: "Damage", fields: ["amount"], line: (those) => cardControls.damage(those) },
  healing: { key: "h", says: "Healing", fields: ["amount"], line: (those) => cardControls.points(those, "+", "") },
  temporary: { key: "t", says: "Temporary", fields: ["amount"], line: (those) => cardControls.points(those, "+", "t") },
  condition: { key: "c", says: "Condition", fields: ["condition", "lasts", "unit"], line: (those) => cardControls.condition(those), choices: (those) => conditionsOf(those) },
  declares: { key: "p", says: "Declares", fields: [], opens: (who) => `d ${who} `, choices: () => cardControls.acts() },
  acts: { key: "a", says: "Acts", fields: [], opens: (who) => `${who} `, choices: () => cardControls.acts() },
  rolls: { key: "k", says: "Rolls", fields: ["purpose", "thrown"], line: (those) => cardControls.roll(those) },
  order: { key: "o", says: "Order", fields: ["total"], line: (those) => cardControls.total(those), choices: (those) => placesFor(those), master: true },
  sight: { key: "v", says: "Hide, reveal", fields: [], line: (those) => cardControls.sight(those), master: true },
  leaves: { key: "l", says: "Leaves", fields: [], line: (those) => `${those.join(",")} leaves`, master: true },
};
const FIELDS = ["amount", "condition", "lasts", "unit", "total", "purpose", "thrown", "with"];

const cardControls = {
  /** Of the grammar: words that begin lines, conditions that are known; whether everybody's rows may be chosen. */
  grammar: null,
  chosen: new Set(),
  /** The ones among them who suffer half of the damage. */
  halved: new Set(),
  kind: "damage",
  /** Who is said to have done the damage, if it is not whose turn it is. */
  author: null,

  begin() {
    this.grammar = JSON.parse(field("grammar").textContent);
    field("conditions").append(...this.grammar.conditions.map((each) => element("option", { value: each })));
    field("kinds").append(...this.kinds().map(([name, { key, says }]) =>
      element("button", { type: "button", "data-kind": name, "aria-keyshortcuts": key, title: `${says} (${key})`, click: () => this.pick(name) }, says)));
    field("pad").append(...PAD.map((number) => element("button", { type: "button", "data-damage": String(number), click: () => this.hurt(number) }, String(number))));
    field("grid").append(...this.grammar.grid.map((name) => element("button", { type: "button", "data-condition": name, click: () => this.toggle(name) }, name)));
    statePane.box = (who) => this.box(who);
    field("now-again").addEventListener("click", () => views.show("table"));
    field("card-controls").addEventListener("input", (event) => {
      if (event.target.id === "by") this.author = event.target.value;
      this.fill();
    });
    addEventListener("keydown", (event) => this.press(event));
  },

  /** The kinds of change that the person who looks at the page may record. */
  kinds: () => Object.entries(KINDS).filter(([, { master }]) => !master || cardControls.grammar.everybody),
  isPast: () => shown.place !== count - 1,
  mayChoose: (who) => Boolean(form.made) && (cardControls.grammar.everybody || isOwn(who)),

  // ------------------------------------------------------------ who is chosen

  /** The combatants that change: the chosen ones, else those on the card. */
  those: () => card.those().filter((who) => cardControls.mayChoose(who)),

  /** The box with which a row is chosen together with others, and without a mouse. */
  box(who) {
    if (!this.mayChoose(who)) return "";
    const made = element("input", { type: "checkbox", "aria-label": `choose ${nameOf(who)}` });
    made.checked = this.chosen.has(who);
    made.disabled = this.isPast();
    made.addEventListener("click", (event) => this.choose(who, { more: true, focus: event.detail > 0 }));
    return made;
  },

  /** Put the row that was clicked on the card, aim at it, or name it in a line that was opened. */
  touch(event) {
    const who = event.target.closest("[data-who]")?.dataset.who;
    if (!who || event.target.closest("button, input, a")) return;
    if (blows.now && !blows.now.open && who !== blows.now.who) blows.aim(who);
    else if (this.isOpened() && !this.chosen.has(who)) form.add(spelt(who));
    else this.choose(who, { more: event.ctrlKey || event.metaKey || event.shiftKey, focus: true });
  },

  /** Whether a line was opened for a chosen combatant, and waits for more. */
  isOpened: () => Boolean(form.made) && Boolean(KINDS[cardControls.kind].opens) && form.line.value !== "" && cardControls.those().length > 0,

  /** Choose a combatant, alone or beside others, or drop the choice; after a click the first field has the focus. */
  choose(who, { more = false, focus = false } = {}) {
    if (this.isPast()) return;
    const had = this.chosen.has(who);
    if (!more) this.chosen.clear();
    if (had && (more || !this.chosen.size)) this.chosen.delete(who);
    if (!had) this.chosen.add(who);
    this.halved.clear();
    this.author = null;
    if (blows.now && !this.chosen.has(blows.now.who)) blows.drop();
    this.draw();
    this.fill();
    card.draw();
    if (focus && this.chosen.size && form.made && this.those().length && matchMedia("(hover: hover)").matches) this.enter();
    if (focus && !more && this.chosen.size && matchMedia("(max-width: 56.24rem)").matches) views.tab("card");
  },

  leave() {
    this.chosen.clear();
    this.halved.clear();
    this.author = null;
    for (const name of FIELDS) if (name !== "unit") field(name).value = "";
    this.kind = "damage";
    field("choices").replaceChildren();
    this.draw();
  },

  // ------------------------------------------------------------ what happens to them

  /** Choose a kind of change: with an amount that is typed already, it is done at once. */
  pick(kind) {
    const same = this.kind === kind;
    this.kind = kind;
    this.draw();
    this.fill();
    if (typed("amount") && form.line.value && (same || KINDS[kind].fields[0] === "amount")) form.tell(form.line.value);
    else this.enter();
  },

  /** Do so much damage at once. */
  hurt(number) {
    this.kind = "damage";
    field("amount").value = String(number);
    this.fill();
    if (form.line.value) form.tell(form.line.value);
  },

  /** Give a condition at once, for as long as is said, or end it where all have it. */
  toggle(name) {
    const those = this.those();
    const ends = those.every((who) => (read(who, "conditions") ?? []).includes(name));
    field("condition").value = name;
    const line = ends ? `${those.map(spelt).join(",")} not ${asWord(name)}` : this.condition(those.map(spelt));
    form.put(line);
    if (line) form.tell(line);
  },

  /** Go to the first field of the change, to the line that was opened, or to the button that sends it. */
  enter() {
    const { fields, opens } = KINDS[this.kind];
    field(opens ? "line" : fields[0] ?? "send").focus({ preventScroll: true });
  },

  points(those, sign, letter) {
    const amount = typed("amount");
    return /^[0-9]+$/.test(amount) && those.length ? `${those.join(",")} ${sign}${amount}${letter}` : "";
  },

  /** Damage, of which some suffer half, rounded down; by whom, and with what. */
  damage(those) {
    const amount = typed("amount");
    if (!/^[0-9]+$/.test(amount) || !those.length) return "";
    const [half, less] = [[...this.halved].map(spelt), Math.floor(Number(amount) / 2)];
    const groups = [[those.filter((who) => !half.includes(who) || !less), amount], [half, less]].filter(([who, points]) => who.length && Number(points));
    const [by, name] = [field("by").value, typed("with")];
    if (by && name) return groups.map(([who, points]) => `${who.join(" and ")} ${who.length > 1 ? "take" : "takes"} ${points} from ${spelt(by)}'s ${asWord(name)}`).join(", ");
    return `${groups.map(([who, points]) => `${who.join(",")} -${points}`).join(" ")}${by ? ` source=${by}` : ""}`;
  },

  condition(those) {
    const [name, lasts] = [typed("condition"), typed("lasts")];
    if (!name || !/^[0-9]*$/.test(lasts)) return "";
    return `${those.join(",")} is ${asWord(name)}${lasts ? ` for ${lasts}${field("unit").value}` : ""}`;
  },

  total: (those) => (/^-?[0-9]+$/.test(typed("total")) && those.length === 1 ? moved(those[0], typed("total")) : ""),

  /** A roll that has no form of its own; saves against death have one. */
  roll(those) {
    const [purpose, dice] = [typed("purpose") || "check", typed("thrown")];
    if (!dice || those.length !== 1) return "";
    if (purpose === "death") return `save ${those[0]} death ${dice}`;
    return `dice ${asWord(purpose)} ${dice} combatant=${those[0].replace(/^:/, "")}`;
  },

  /** Reveal a hidden combatant; hide another from people who know of it already. */
  sight(those) {
    const hidden = this.those().filter(isHidden);
    if (!hidden.length) return `${those.join(",")} is hidden`;
    return hidden.length === 1 ? `reveal ${spelt(hidden[0])}` : "";
  },

  /** Put the line into the field; the arrow keys bring back the text that was there. */
  fill() {
    if (!form.made) return;
    const { line, opens } = KINDS[this.kind];
    const those = this.those().map(spelt);
    field("choices").replaceChildren(...this.choices(those));
    if (!those.length) return form.put("");
    const isOne = those.length === 1;
    const said = opens ? (isOne ? opens(those[0]) : "") : !this.chosen.size && !FIELDS.some((name) => name !== "unit" && typed(name)) && !["leaves", "sight"].includes(this.kind) ? "" : line(those);
    form.put(said);
    if (opens) form.line.setSelectionRange(form.line.value.length, form.line.value.length);
  },

  /** The kinds of acts that the grammar knows, without those that nothing is left for, each with its word in the opened line. */
  acts() {
    const [who] = this.those();
    if (this.those().length !== 1) return [];
    const spends = (status) => (card.found?.who === who ? card.found.may : []).filter((each) => each.status === status).flatMap(({ acts, what }) => [...acts, what.replace(/s$/, "")]); // what is left of attacks is spent on an attack
    const open = spends("open");
    const barred = spends("barred").filter((act) => !open.includes(act));
    return this.grammar.acts.filter((act) => !barred.includes(act)).map((act) => [act, `${KINDS[this.kind].opens(spelt(who))}${asWord(act)} `]);
  },

  /** The lines that can be chosen besides, each a button that puts it into the field. */
  choices(those) {
    const found = KINDS[this.kind].choices?.(those) ?? [];
    const put = (line) => {
      form.put(line);
      if (KINDS[this.kind].opens) nextWords.ask(line);
      field("send").focus({ preventScroll: true });
    };
    return found.map(([says, line]) => element("button", { type: "button", title: line, click: () => put(line) }, says));
  },

  // ------------------------------------------------------------ what is seen of them

  draw() {
    for (const who of this.chosen) if (!statePane.rows.has(who)) this.chosen.delete(who);
    for (const [who, row] of statePane.rows) {
      const box = row.querySelector("input");
      row.classList.toggle("chosen", this.chosen.has(who));
      if (box) Object.assign(box, { checked: this.chosen.has(who), disabled: this.isPast() });
    }
    if (form.made) this.drawPanel();
  },

  /** The panel of the controls, for whom they are for. */
  drawPanel() {
    const [past, those] = [this.isPast(), this.those()];
    const all = card.those();
    field("card-controls").hidden = past || Boolean(panels.open) || !those.length || those.length < all.length || (card.isStart() && !this.chosen.size);
    field("past").hidden = !past;
    field("chosen").replaceChildren(...(those.length > 1 ? this.names(those) : [element("span", { class: "unseen" }, nameOf(those[0] ?? ""))]));
    for (const each of field("kinds").children) {
      each.setAttribute("aria-pressed", String(each.dataset.kind === this.kind));
      each.disabled = those.length > 1 && ["declares", "acts", "rolls"].includes(each.dataset.kind);
    }
    const { fields } = KINDS[this.kind];
    const amounts = fields[0] === "amount";
    for (const name of FIELDS) (field(name).closest("label") ?? field(name)).hidden = !(fields.includes(name) || (amounts && ["amount", "with"].includes(name))) || (name === "total" && !this.grammar.order);
    field("pad").hidden = this.kind !== "damage" || !this.chosen.size; // whose turn it is suffers nothing by a slip
    field("author").hidden = this.kind !== "damage";
    const on = those.map(nameOf).join(", ");
    field("pad-on").textContent = `Damage to ${on}: `;
    for (const each of field("pad").querySelectorAll("button")) each.setAttribute("aria-label", `${each.textContent} damage to ${on}`);
    field("grid").hidden = this.kind !== "condition";
    for (const each of field("grid").children) each.setAttribute("aria-pressed", String(those.length > 0 && those.every((who) => (read(who, "conditions") ?? []).includes(each.dataset.condition))));
    this.drawAuthor(those);
    turns.draw();
  },

  /** By whom the damage is: by default whose turn it is. */
  drawAuthor(those) {
    const others = [...statePane.rows.keys()].filter((who) => !read(who, "gone") && (this.grammar.everybody || isOwn(who)));
    const acting = others.find((who) => statePane.now.turn === who && !those.includes(who)) ?? "";
    const wanted = this.author ?? acting;
    const options = [["", "nobody named"], ...others.map((who) => [who, nameOf(who)])];
    if (!same(options, this.options)) field("by").replaceChildren(...options.map(([id, name]) => element("option", { value: id }, name)));
    this.options = options;
    field("by").value = wanted;
  },

  names(those) {
    if (this.kind !== "damage") return namesOf(those, ", ");
    const halve = (who) => {
      if (!this.halved.delete(who)) this.halved.add(who);
      this.draw();
      this.fill();
      this.enter();
    };
    return those.map((who) => element("button", { type: "button", class: "half", "aria-pressed": String(this.halved.has(who)),
      title: "suffers half", click: () => halve(who) }, element("bdi", {}, nameOf(who)), element("span", { class: "halved" }, this.halved.has(who) ? " ½" : "")));
  },

  // ------------------------------------------------------------ keys

  press(event) {
    if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !isTyping(event.target) && turns.press("u")) return event.preventDefault();
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat || views.dialog.open) return;
    if (event.key === "Escape") this.escape();
    else if (!isTyping(event.target) || this.isNumber(event)) this.key(event);
  },

  /** Close a panel, an attack, or the choice. */
  escape() {
    views.menu(false);
    if (blows.now) blows.leave();
    if (panels.open) panels.giveUp();
    else if (this.chosen.size || form.line.value === form.byHands) {
      form.put("");
      panels.close();
    }
  },

  /** Whether a letter is typed into a field for a number: then it chooses the kind of change. */
  isNumber: ({ target, key }) => ["amount", "lasts", "total"].includes(target.id) && /^[a-z]$/.test(key),

  key(event) {
    const kind = this.kinds().find(([, each]) => each.key === event.key)?.[0];
    if (event.key === "/") form.line.focus();
    else if (event.key === "?") views.keys();
    else if (proposals.press(event.key)) { /* it is decided */ }
    else if (kind && this.those().length && !field("card-controls").hidden) this.pick(kind);
    else if (kind) document.querySelector("#combatants input")?.focus();
    else if (!this.isNumber(event) && (turns.press(event.key) || master.press(event.key))) { /* that was all */ }
    else return;
    event.preventDefault();
  },
};

/** The damage that a click does. */
const PAD = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15];

/** The conditions of the chosen combatants, each with the line by which it ends. */
function conditionsOf(those) {
  const borne = [...new Set(cardControls.those().flatMap((who) => read(who, "conditions") ?? []))];
  return borne.map((each) => [`no longer ${each}`, `${those.join(",")} not ${asWord(each)}`]);
}

/** The line by which a combatant moves to a total in the order; "" where there is none. */
const moved = (who, total) => cardControls.grammar.order.replace("{who}", who).replace("{total}", total);

/** Where a combatant can stand in the order: before the one above, behind the one below, or on at another time. */
function placesFor(those) {
  const [[who], [name]] = [cardControls.those(), those];
  if (those.length !== 1) return [];
  const order = orderNow();
  const place = order.findIndex((slot) => slot.combatants.includes(who));
  const totals = order.map((slot) => slot.key.total);
  const found = [];
  if (cardControls.grammar.order && typeof totals[place - 1] === "number") found.push(["earlier", moved(name, totals[place - 1] + 1)]);
  if (cardControls.grammar.order && typeof totals[place + 1] === "number") found.push(["later", moved(name, totals[place + 1] - 1)]);
  return [...found, ["delays", `${name} delays`], ["resumes", `${name} resumes`], ["turn now", `t ${name}`]];
}

{
  const { then } = statePane;
  statePane.then = () => {
    then();
    cardControls.draw();
  };
}
document.getElementById("state").addEventListener("click", (event) => cardControls.touch(event));
if (form.made) {
  cardControls.begin();
  form.begin();
  preview.begin();
  nextWords.begin();
  proposals.refresh();
  if (cardControls.grammar.everybody) {
    turns.begin();
    master.begin();
    dragging.begin();
  }
}
