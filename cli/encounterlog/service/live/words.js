/** The words with which the line can go on, as the service knows the grammar: Tab takes the first, a tap any of them. */
const nextWords = {
  list: document.getElementById("words"),
  /** The line that was asked about, the word that it ends with, and the words that it can become. */
  line: "",
  begun: "",
  found: [],
  timer: 0,

  begin() {
    form.line.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(form.line.value), 150);
    });
    form.line.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey && this.canTake()) {
        event.preventDefault();
        this.take(this.found[0].word);
      }
    });
  },

  clear() {
    clearTimeout(this.timer);
    this.show("", { begun: "", offers: [] });
  },

  /** Ask how a line can go on; an answer that comes too late is not shown. */
  async ask(line) {
    if (!line.trim()) return this.clear();
    const found = await fetched(`${service}/offers?line=${encodeURIComponent(line)}`);
    if (form.line.value === line) this.show(line, found ?? { begun: "", offers: [] }); // without a connection one types without help
  },

  show(line, { begun, offers }) {
    [this.line, this.begun, this.found] = [line, begun, offers];
    const button = ({ word, says }) => element("button", { type: "button", title: says || undefined, click: () => this.take(word) }, element("code", {}, word));
    this.list.replaceChildren(...offers.map(button));
  },

  /** Whether Tab completes a word: one is begun, and it can become another. Otherwise it leads on, as everywhere. */
  canTake() {
    return form.line.value === this.line && this.begun !== "" && this.found.length > 0 && this.found[0].word !== this.begun;
  },

  /** Put a word in the place of its typed beginning, also if more was typed since the words were asked for. */
  take(word) {
    form.line.value = form.line.value.replace(/[^\s,/]*$/, () => `${word} `);
    form.line.focus();
    this.ask(form.line.value);
  },
};
