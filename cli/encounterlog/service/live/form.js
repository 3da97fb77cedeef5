/** The form in which a line of the table grammar is told. */
const form = {
  made: document.getElementById("tell"),
  line: document.getElementById("line"),
  answer: document.getElementById("answer"),
  /** What makes a line that is sent twice, as the connection was lost, one line. */
  key: "",
  /** The end of the log after the last line from here, which the page may not show yet. */
  written: "0:",

  /** The end of the log, as far as it is known here. */
  head() {
    return Number.parseInt(this.written, 10) > Number.parseInt(data.head, 10) ? this.written : data.head;
  },

  begin() {
    this.made.addEventListener("submit", (event) => {
      event.preventDefault();
      this.tell();
    });
    this.line.addEventListener("input", () => { this.key = ""; });
  },

  async tell() {
    this.key ||= crypto.getRandomValues(new Uint32Array(4)).join("");
    const headers = { "Content-Type": "text/plain; charset=utf-8", "If-Match": `"${this.head()}"`, "Idempotency-Key": this.key };
    this.made.querySelector("button").disabled = true;
    try {
      const response = await fetch(`${service}/lines`, { method: "POST", headers, body: this.line.value });
      const said = await response.json();
      if (response.ok) this.accepted(said);
      else this.refused(said);
    } catch {
      this.say(element("p", { class: "wrong" }, "No connection: it is not known whether this was written. Tell it again: it will not be written twice."));
    } finally {
      this.made.querySelector("button").disabled = false;
      this.line.focus();
    }
  },

  /** Show what was written and what the audit found in it; the line makes room for the next. */
  accepted({ echo, findings, head }) {
    this.written = head ?? this.written;
    this.line.value = this.key = "";
    this.say(element("pre", {}, echo.join("\n")), ...(findings ?? []).map((found) => element("p", {}, flag(found))));
    page.refresh();
  },

  /** Keep the line, and say what is wrong with it: at which character, or what others wrote meanwhile. */
  refused({ detail, hint, column, between, type }) {
    if (between) {
      this.key = "";
      this.say(element("p", { class: "wrong" }, "Somebody else wrote first; the page shows it. Your line is still here: tell it if it still holds."));
      page.refresh();
      return;
    }
    const pointer = column ? [element("pre", { "aria-hidden": "true" }, `${this.line.value}\n${" ".repeat(column - 1)}^`)] : [];
    this.say(...pointer, element("p", { class: "wrong" }, detail ?? String(type)), ...(hint ? [element("p", {}, hint)] : []));
    if (column) this.line.setSelectionRange(column - 1, this.line.value.length);
  },

  say(...what) {
    this.answer.replaceChildren(...what);
  },
};

if (form.made) form.begin();
