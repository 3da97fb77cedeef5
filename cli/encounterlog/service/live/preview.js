/** The facts that the line in the field will record, as the service reads it; nothing is written by asking. */
const preview = {
  says: document.getElementById("will"),
  asked: "",
  timer: 0,
  /** The other functions that look at the facts of a line that is not sent yet. */
  then: () => {},

  begin() {
    form.line.addEventListener("input", () => this.ask());
  },

  /** Ask again, as the line is to be secret now, or no longer. */
  again() {
    this.asked = "";
    this.ask();
  },

  /** Ask a moment later, when nothing more is typed. */
  ask() {
    clearTimeout(this.timer);
    if (form.line.value === this.asked) return;
    this.clear();
    this.timer = setTimeout(() => this.find(form.line.value), 350);
  },

  clear() {
    clearTimeout(this.timer);
    this.asked = "";
    this.says.replaceChildren();
    this.then([]);
  },

  async find(line) {
    if (!line.trim() || /^\s*(\?|why |help)/.test(line)) return;
    try {
      const { ok, said: found } = await sending.post("lines?dry=1", { line });
      if (form.line.value !== line || form.busy || this.asked === line) return;
      this.asked = line;
      this.show(ok ? found : { wrong: [found.detail, found.hint].filter(Boolean).join("; ") });
    } catch {
      this.clear(); // no connection: one types without help
    }
  },

  /** The facts that a line would record, as sentences of the log; dice are not thrown before it is sent. */
  words({ echo = [], facts = [], wrong }) {
    const rolls = facts.some(({ type, text }) => type === "noted" && /^rolled here: /.test(text));
    return wrong ? `not yet a line: ${wrong}` : rolls ? "dice that are thrown when it is sent" : forTable(echo);
  },

  /** Say it below the line. */
  show({ echo = [], facts = [], wrong, proposed }) {
    const words = this.words({ echo, facts, wrong });
    form.say();
    const decides = proposed ? [element("p", { class: "quiet" }, "The game master decides on it.")] : [];
    this.says.replaceChildren(...(facts.length || wrong ? [element("pre", { class: wrong ? "quiet" : "" }, words)] : []), ...decides);
    this.then(facts);
  },
};
