/** The form in which a line of the table grammar is typed. */
const form = {
  made: document.getElementById("tell"),
  line: document.getElementById("line"),
  answer: document.getElementById("answer"),
  busy: false,
  /** The line that was sent last, with the key that makes it one line if it is sent twice, as the connection was lost. */
  sent: { line: "", key: "" },
  /** The end of the log after the last line from here, which the page may not show yet. */
  written: "0:",
  /** The lines that were written from here, and the one among them that stands in the field; past the last: what was being typed. */
  before: [],
  place: 0,
  draft: "",
  /** The line that hands put into the field. */
  byHands: "",

  /** The end of the log, as far as it is known here. */
  head() {
    return Number.parseInt(this.written, 10) > Number.parseInt(data.head, 10) ? this.written : data.head;
  },

  begin() {
    this.made.addEventListener("submit", (event) => {
      event.preventDefault();
      this.tell(this.line.value);
    });
    this.line.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.recall(this.place + by);
    });
  },

  /** Put a line that hands made into the field; what was being typed there can be had again with the arrow keys. */
  put(line) {
    const before = this.line.value;
    if (!line && before !== this.byHands) return;
    if (line && before && before !== this.byHands) this.remember(before);
    this.line.value = this.byHands = line;
    preview.ask();
  },

  /** Add a word to the line. */
  add(word) {
    this.line.value = `${this.line.value.trimEnd()} ${word} `;
    this.line.focus({ preventScroll: true });
    this.line.dispatchEvent(new Event("input"));
  },

  /** Put a line that was written before into the field, or again what was being typed. */
  recall(place) {
    if (place < 0 || place > this.before.length) return;
    if (this.place === this.before.length) this.draft = this.line.value;
    this.place = place;
    this.line.value = this.before[place] ?? this.draft;
    preview.ask();
  },

  /** Keep a line for the arrow keys. */
  remember(line) {
    if (line && line !== this.before.at(-1)) this.before.push(line);
    this.place = this.before.length;
    this.draft = "";
  },

  /** Send a line; what else stands in the field stays there. The arrow keys bring it back if it is `kept`. */
  async tell(line, kept = true) {
    if (this.busy) return;
    this.busy = true;
    if (this.sent.line !== line || !this.sent.key) this.sent = { line, key: crypto.getRandomValues(new Uint32Array(4)).join("") };
    preview.clear();
    const headers = { "Content-Type": "application/json", "If-Match": `"${this.head()}"`, "Idempotency-Key": this.sent.key };
    const body = JSON.stringify({ line, word: dice.fresh() });
    try {
      const response = await fetch(`${service}/lines`, { method: "POST", headers, body });
      const said = await response.json();
      if (said.proposed) this.proposed(line, said);
      else if (response.ok) this.accepted(line, said, kept);
      else this.refused(line, said);
    } catch {
      this.say(element("p", { class: "wrong" }, "No connection: it is not known whether this was written. Tell it again: it will not be written twice."));
    } finally {
      this.busy = false;
    }
  },

  /** Send facts, all or nothing, whose lines were shown. */
  async tellFacts(facts) {
    if (this.busy) return;
    this.busy = true;
    const body = JSON.stringify(facts);
    if (this.sent.line !== body || !this.sent.key) this.sent = { line: body, key: crypto.getRandomValues(new Uint32Array(4)).join("") };
    const headers = { "Content-Type": "application/json", "If-Match": `"${this.head()}"`, "Idempotency-Key": this.sent.key };
    try {
      const response = await fetch(`${service}/records`, { method: "POST", headers, body });
      const said = await response.json();
      if (response.ok) this.accepted("", { ...said, echo: [`${counted(facts.length, "fact")} written`] });
      else this.refused("", said);
    } catch {
      this.say(element("p", { class: "wrong" }, "No connection: it is not known whether this was written. Tell it again: it will not be written twice."));
    } finally {
      this.busy = false;
    }
  },

  /** Show what was written and what the audit found in it; the line makes room for the next. */
  accepted(line, { echo, findings, head }, kept = false) {
    this.written = head ?? this.written;
    this.sent = { line: "", key: "" };
    if (kept) this.remember(line);
    if (this.line.value === line) this.line.value = "";
    this.byHands = "";
    nextWords.clear();
    preview.clear();
    this.say(element("pre", {}, echo.join("\n")), ...(findings ?? []).map((found) => element("p", {}, flag(found))));
    panels.close();
    page.refresh();
  },

  /** Say that the game master decides; the line makes room for the next. */
  proposed(line, said) {
    this.accepted(line, { echo: ["proposed to the game master"] }, true);
    if (!said.masters) this.say(element("p", {}, "Proposed; no game master has the page open at the moment."));
    proposals.made(said);
  },

  /** Keep the line, and say what is wrong with it: at which character, or what others wrote meanwhile; offer lines that would do. */
  refused(line, { detail, hint, column, between, offers, type }) {
    if (between) {
      this.sent = { line: "", key: "" };
      this.line.value ||= line;
      this.say(element("p", { class: "wrong" }, "Somebody else wrote first; the page shows it. Your line is still here: tell it if it still holds."));
      page.refresh();
      return;
    }
    const pointer = column ? [element("pre", { "aria-hidden": "true" }, `${line}\n${" ".repeat(column - 1)}^`)] : [];
    this.say(...pointer, element("p", { class: "wrong" }, detail ?? String(type)), ...(hint ? [element("p", {}, hint)] : []), ...this.offered(offers ?? []));
    if (this.line.value !== line) return;
    this.line.focus();
    if (column) this.line.setSelectionRange(column - 1, this.line.value.length);
  },

  /** Lines that would do, each a button that sends it. */
  offered(lines) {
    const send = (line) => {
      this.line.value = line;
      this.tell(line);
    };
    const buttons = lines.map((line) => element("button", { type: "button", click: () => send(line) }, element("code", {}, line)));
    return buttons.length ? [element("p", { class: "offers" }, "Tell instead: ", ...buttons)] : [];
  },

  say(...what) {
    this.answer.replaceChildren(...what);
  },
};
