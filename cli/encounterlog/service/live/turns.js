/** The buttons of a round: each sends the line that stands on it. */
const turns = {
  next: null,
  buttons: [],

  /** Who may tell everything has them all. */
  begin() {
    const made = [
      ["next", "Next", "n", () => this.nextLine()],
      ["undo", "Undo", "u", () => "u"],
      ["redo", "Redo", "y", () => "redo"],
      ["round-begins", "Round begins", "r", () => "r"],
      ["round-ends", "Round ends", "e", () => "e"],
    ];
    this.buttons = made.map(([id, words, key, line]) => {
      const button = element("button", { type: "button", id, title: `${words} (${key})`, "aria-keyshortcuts": key, click: () => this.send(line) }, `${words} `, element("code", {}));
      return { button, key, line };
    });
    [this.next] = this.buttons.map(({ button }) => button);
    document.getElementById("round").append(element("div", { class: "turns", role: "group", "aria-label": "Round" }, ...this.buttons.map(({ button }) => button)));
  },

  /** The line that begins what comes next: a round, or a turn. */
  nextLine: () => (lastState.get("clock")?.value.round ? "next" : "r"),

  send(line) {
    if (!hands.isPast()) form.tell(line(), false);
  },

  /** Press the button with this key; say whether there is one. */
  press(key) {
    const found = this.buttons.find((each) => each.key === key);
    if (found) this.send(found.line);
    return Boolean(found);
  },

  draw() {
    for (const { button, line } of this.buttons) {
      button.disabled = hands.isPast();
      button.lastChild.textContent = line();
    }
    if (this.next) this.next.hidden = Boolean(data.closed); // nothing comes after the end
  },
};

/** Whether a combatant is hidden from players. */
const isHidden = (who) => (data.hidden ?? []).includes(who);
