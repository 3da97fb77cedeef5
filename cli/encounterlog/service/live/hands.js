/*
 * Hands: who may write chooses rows of the list and says what happens to them. Everything that is done so is a line of the
 * table grammar, which stands in the field before it is sent; nothing is written in any other way.
 */

/** What can happen to those who are chosen: its key, the fields that it takes, its line ("" as long as something is missing). */
const KINDS = {
  damage: { key: "d", fields: ["amount"], line: (those) => hands.points(those, "-", "") },
  healing: { key: "h", fields: ["amount"], line: (those) => hands.points(those, "+", "") },
  temporary: { key: "t", fields: ["amount"], line: (those) => hands.points(those, "+", "t") },
  condition: { key: "c", fields: ["condition", "lasts", "unit"], line: (those) => hands.condition(those) },
  leaves: { key: "l", fields: [], line: (those) => (those.length === 1 ? `${those[0]} leaves` : "") },
};

const hands = {
  pane: document.getElementById("hands"),
  /** Of the grammar: words that begin lines, conditions that are known; whether everybody's rows may be chosen. */
  grammar: null,
  next: null,
  chosen: new Set(),
  kind: "damage",
  /** The line that was put into the field from here. */
  made: "",

  begin() {
    this.grammar = JSON.parse(document.getElementById("grammar").textContent);
    document.getElementById("conditions").append(...this.grammar.conditions.map((each) => element("option", { value: each })));
    if (this.grammar.everybody) this.offerNext();
    statePane.box = (who) => this.box(who);
    statePane.then = () => this.draw();
    document.getElementById("state").addEventListener("click", (event) => this.touch(event));
    document.getElementById("now-again").addEventListener("click", () => go(count - 1));
    for (const each of this.buttons()) each.addEventListener("click", () => this.pick(each.dataset.kind));
    this.pane.addEventListener("input", () => this.fill());
    addEventListener("keydown", (event) => this.press(event));
    statePane.show(null);
  },

  buttons: () => document.querySelectorAll("#kinds button"),
  field: (name) => document.getElementById(name),
  isPast: () => shown.place !== count - 1,
  mayChoose: (who) => hands.grammar.everybody || isOwn(who),

  // ------------------------------------------------------------ the next turn

  /** The button for whoever is next. Before the first round that is a round. */
  offerNext() {
    this.next = element("button", { type: "button", id: "next", "aria-keyshortcuts": "n", click: () => this.goOn() }, "Next ", element("code", {}));
    document.getElementById("round").append(this.next);
  },

  nextLine: () => (lastState.get("clock")?.value.round ? "next" : "r"),

  goOn() {
    if (this.next && !this.isPast()) form.tell(this.nextLine());
  },

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

  /** Choose the row that was clicked; what answers a click by itself does so. */
  touch(event) {
    const who = event.target.closest("[data-who]")?.dataset.who;
    if (who && this.mayChoose(who) && !event.target.closest("button, input, a")) this.choose(who, true);
  },

  /** Choose somebody, or no longer; whoever used a mouse goes on in the first field. */
  choose(who, further) {
    if (this.isPast()) return;
    if (!this.chosen.delete(who)) this.chosen.add(who);
    this.draw();
    this.fill();
    if (further && this.chosen.size) this.enter();
  },

  /** Let everybody go, as what was to happen is written. */
  done() {
    if (!this.chosen.size) return;
    this.chosen.clear();
    for (const name of ["amount", "condition", "lasts"]) this.field(name).value = "";
    this.made = "";
    this.draw();
    (this.next ?? form.line).focus({ preventScroll: true });
  },

  // ------------------------------------------------------------ what happens to them

  pick(kind) {
    this.kind = kind;
    this.draw();
    this.fill();
    this.enter();
  },

  /** Go to the first field of what happens, or to the button that tells it. */
  enter() {
    this.field(KINDS[this.kind].fields[0] ?? "send").focus({ preventScroll: true });
  },

  /** Those who are chosen as the grammar names them: a name that begins lines, too, stands behind a colon. */
  named() {
    return [...this.chosen].map((who) => (this.grammar.words.includes(who) ? `:${who}` : who));
  },

  points(those, sign, letter) {
    const amount = this.field("amount").value.trim();
    return /^[0-9]+$/.test(amount) ? `${those.join(",")} ${sign}${amount}${letter}` : "";
  },

  condition(those) {
    const [name, lasts] = ["condition", "lasts"].map((each) => this.field(each).value.trim());
    if (!name || !/^[0-9]*$/.test(lasts)) return "";
    const word = /^[a-z][a-z-]*$/i.test(name) ? name : JSON.stringify(name);
    return `${those.join(",")} is ${word}${lasts ? ` for ${lasts}${this.field("unit").value}` : ""}`;
  },

  /** Put the line into the field; what was being typed there can be had again with the arrow keys. */
  fill() {
    const line = this.chosen.size ? KINDS[this.kind].line(this.named()) : "";
    const typed = form.line.value;
    if (!line && typed !== this.made) return;
    if (line && typed && typed !== this.made) form.remember(typed);
    form.line.value = this.made = line;
  },

  // ------------------------------------------------------------ what is seen of them

  draw() {
    for (const who of this.chosen) if (!statePane.rows.has(who)) this.chosen.delete(who);
    const past = this.isPast();
    this.pane.hidden = past || !this.chosen.size;
    this.field("past").hidden = !past;
    this.field("chosen").replaceChildren(...namesOf([...this.chosen], ", "));
    for (const [who, row] of statePane.rows) {
      const box = row.querySelector("input");
      row.classList.toggle("chosen", this.chosen.has(who));
      if (box) Object.assign(box, { checked: this.chosen.has(who), disabled: past });
    }
    for (const each of this.buttons()) each.setAttribute("aria-pressed", String(each.dataset.kind === this.kind));
    for (const name of ["amount", "condition", "lasts"]) this.field(name).closest("label").hidden = !KINDS[this.kind].fields.includes(name);
    this.field("unit").hidden = this.kind !== "condition";
    document.querySelector("[data-kind=leaves]").disabled = this.chosen.size > 1;
    if (!this.next) return;
    this.next.disabled = past;
    this.next.lastChild.textContent = this.nextLine();
  },

  // ------------------------------------------------------------ keys

  press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (event.key === "Escape" && this.chosen.size) {
      this.made = form.line.value = form.line.value === this.made ? "" : form.line.value;
      this.done();
    } else if (!isTyping(event.target)) this.key(event);
  },

  key(event) {
    const kind = Object.keys(KINDS).find((each) => KINDS[each].key === event.key);
    if (event.key === "n") this.goOn();
    else if (event.key === "/") form.line.focus();
    else if (kind && this.chosen.size) this.pick(kind);
    else if (kind) document.querySelector("#combatants input")?.focus();
    else return;
    event.preventDefault();
  },
};

if (form.made) {
  form.begin();
  nextWords.begin();
  hands.begin();
}
