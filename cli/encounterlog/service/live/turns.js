/** What moves the fight on, above the table: the usual ones as buttons, the others in the menu. */
const turns = {
  next: null,
  buttons: [],

  /** Who may tell everything has them all. */
  begin() {
    const made = [
      ["next", "Next", "n", () => this.nextLine(), true],
      ["undo", "Undo", "u", () => "u", true],
      ["redo", "Redo", "y", () => "redo", false],
      ["round-begins", "The next round begins", "r", () => "r", false],
      ["round-ends", "The round ends", "e", () => "e", false],
      ["fight-ends", "The fight ends", "", () => "over", false],
    ];
    this.buttons = made.map(([id, words, key, line, always]) => {
      const send = () => this.send(line);
      const button = always ? element("button", { type: "button", id, title: `${words} (${key})`, "aria-keyshortcuts": key, click: send }, words) : views.item(id, words, key, send);
      return { button, key, line, always };
    });
    [this.next] = this.buttons.map(({ button }) => button);
    document.getElementById("round").append(element("div", { class: "turns", role: "group", "aria-label": "Turns" }, ...this.buttons.filter(({ always }) => always).map(({ button }) => button)));
  },

  /** The line that begins what comes next: a round, or a turn. */
  nextLine: () => (lastState.get("clock")?.value.round ? "next" : "r"),

  send(line) {
    if (!hands.isPast()) form.tell(line(), false);
  },

  /** Press the button with this key; say whether there is one. */
  press(key) {
    const found = this.buttons.find((each) => each.key && each.key === key);
    if (found) this.send(found.line);
    return Boolean(found);
  },

  draw() {
    for (const { button } of this.buttons) button.disabled = hands.isPast();
    if (!this.next) return;
    this.next.hidden = Boolean(data.closed); // nothing comes after the end
    const words = lastState.get("clock")?.value.round ? "Next" : "Begin round 1";
    if (this.next.textContent !== words) this.next.textContent = words;
  },
};
