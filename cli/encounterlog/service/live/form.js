/** The form in which a line of notation is typed. */
/** The written facts, without those that concern the machine alone. */
const forTable = (echo) => echo.filter((each) => !/^\s*\d*\s*note(?: on \d+)?: (rolled here|read as): /.test(each)).map((each) => each.replace(/^\s*\d+(–\d+)? {2}(clock: )?/, "")).join("\n");

const form = {
  made: document.getElementById("tell"),
  line: document.getElementById("line"),
  answer: document.getElementById("answer"),
  busy: false,
  /** The last message, with the key that makes it one if it is sent twice, as the connection was lost. */
  sent: { what: "", key: "" },
  /** The end of the log after the last line from here, which the page may not show yet. */
  written: "0:",
  /** The lines that were written from here, and the one among them that stands in the field; past the last: the unfinished text. */
  before: [],
  place: 0,
  draft: "",
  /** The line that the controls put into the field. */
  byHands: "",

  /** The end of the log, as far as it is known here. */
  head() {
    return Number.parseInt(this.written, 10) > Number.parseInt(data.head, 10) ? this.written : data.head;
  },

  begin() {
    drafts.begin();
    this.made.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.line.value.trim()) this.tell(this.line.value);
      else this.lacks();
    });
    this.line.addEventListener("input", () => {
      if (!this.line.value.trim()) this.say(); // what was wrong is no longer there
    });
    this.line.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.recall(this.place + by);
    });
  },

  /** Say which field a line still lacks. */
  lacks() {
    const words = LACKS[panels.open] ?? (FIELDS.some((name) => name !== "unit" && typed(name)) ? "Numbers are typed in figures, such as 7." : "");
    this.say(...(words ? [element("p", { class: "wrong" }, words)] : []));
    if (!words) this.line.focus();
  },

  /** Put a line that the controls made into the field; the arrow keys bring back the text that was there. */
  put(line) {
    const before = this.line.value;
    if (!line && before !== this.byHands) return;
    if (line && before && before !== this.byHands) this.remember(before);
    this.line.value = this.byHands = line;
    preview.ask();
  },

  /** Put a line that the controls made into the field, to be sent from there. */
  offer(line) {
    this.put(line);
    this.line.focus({ preventScroll: true });
  },

  /** Add a word to the line. */
  add(word) {
    this.line.value = `${this.line.value.trimEnd()} ${word} `;
    this.line.focus({ preventScroll: true });
    this.line.dispatchEvent(new Event("input"));
  },

  /** Put an earlier line into the field, or the unfinished text again. */
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

  /** Send a line; other text in the field stays there. The arrow keys bring the line back if it is `kept`. Return the answer, if the line was taken. */
  async tell(line, kept = true) {
    if (!this.busy) preview.clear();
    let taken = null;
    await this.send("lines", { line }, { word: dice.fresh() }, ({ ok, said }) => {
      if (ok) taken = said;
      if (said.proposed) this.proposed(line, said);
      else if (ok) this.accepted(line, said, kept);
      else this.refused(line, said, kept);
    });
    return taken;
  },

  /** Send facts, all or nothing, whose lines were shown. */
  async tellFacts(facts) {
    await this.send("records", facts, null, ({ ok, said }) => {
      if (ok) this.accepted("", { ...said, echo: [`${counted(facts.length, "fact")} written`] });
      else this.refused("", said);
    });
  },

  /** Send something so that it is written once, also if it is sent again; `more` may be another each time. Nothing is sent while an answer is awaited. */
  async send(where, body, more, then) {
    if (this.busy) return;
    this.busy = true;
    const what = JSON.stringify(sending.marked(body));
    if (this.sent.what !== what) this.sent = { what, key: crypto.getRandomValues(new Uint32Array(4)).join("") };
    const headers = { "If-Match": `"${this.head()}"`, "Idempotency-Key": this.sent.key };
    try {
      then(await sending.post(where, more ? { ...body, ...more } : body, headers));
    } catch {
      this.loses();
    } finally {
      this.busy = false;
    }
  },

  /** Say that an answer did not come. */
  loses() {
    this.say(element("p", { class: "wrong" }, "No connection: it is not known whether this was written. Send it again: it will not be written twice."));
  },

  /** Show the written facts and the audit's findings in them; the line makes room for the next. */
  accepted(line, said, kept = false) {
    const { echo, facts, findings, head } = said;
    this.written = head ?? this.written;
    this.sent = { what: "", key: "" };
    if (kept) this.remember(line);
    if (this.line.value === line) this.line.value = "";
    this.byHands = "";
    nextWords.clear();
    preview.clear();
    this.say(element("pre", {}, forTable(echo)), ...sending.kept(said), ...this.hides(line, said), ...(findings ?? []).map((found) => element("p", {}, flag(found))));
    if (facts?.some(({ type }) => type.startsWith("encounter_closed"))) views.show("story");
    if (panels.open === "joining" && facts?.some(({ type }) => type === "combatant_joined")) joining.open(typed("side")); // there may be more of them
    else if (!blows.now) panels.close();
    page.refresh();
  },

  /** A newcomer whom players were told of by a slip: the button takes the line back, and sends it in secret. */
  hides(line, { facts, withheld }) {
    if (!line || !sending.box || withheld || !facts?.length || facts.some(({ type }) => type !== "combatant_joined")) return [];
    const hide = async () => {
      const [open, side] = [panels.open, typed("side")];
      if (!(await this.tell("u", false))) return;
      if (open) joining.open(side);
      sending.box.checked = true;
      await this.tell(line, false);
    };
    return [element("button", { type: "button", id: "keep-secret", click: hide }, "Keep it secret from players")];
  },

  /** Say something in addition to the answer. */
  also(words) {
    this.answer.prepend(element("p", { class: "rolled" }, words));
  },

  /** Say that the game master decides; the line makes room for the next. */
  proposed(line, said) {
    this.accepted(line, { echo: ["proposed to the game master"] }, true);
    if (!said.masters) this.say(element("p", {}, "Proposed; no game master has the page open at the moment."));
    proposals.made(said);
  },

  /** Keep the line, and say its error: at which character, or that others wrote meanwhile; offer lines that would do. */
  refused(line, { detail, hint, column, between, offers, readings, type }, kept = false) {
    preview.asked = line; // what it would record does not take the place of what is said now
    if (between) {
      this.sent = { what: "", key: "" };
      if (kept) this.line.value ||= line;
      this.say(element("p", { class: "wrong" }, `Another person wrote first; the page shows it. ${kept ? "Your line is still here: send it" : "Do it"} again if it still holds.`));
      page.refresh();
      return;
    }
    const inField = this.line.value === line; // a button sends a line that stands nowhere
    const pointer = column && inField ? [element("pre", { "aria-hidden": "true" }, `${line}\n${" ".repeat(column - 1)}^`)] : [];
    this.say(...pointer, element("p", { class: "wrong" }, ...(inField ? [] : [element("code", {}, line), ": "]), detail ?? String(type)), ...(hint ? [element("p", {}, hint)] : []), ...this.offered(readings ?? offers ?? []));
    if (!inField) return;
    this.line.focus();
    if (column) this.line.setSelectionRange(column - 1, this.line.value.length);
  },

  /** Lines that would do, or readings of the one that was typed, each a button that sends it; a reading as the sentences of what it records. */
  offered(lines) {
    const send = (line) => {
      this.line.value = line;
      this.tell(line);
    };
    const given = lines.map((each) => (typeof each === "string" ? { line: each } : each));
    const shown = ({ line, says }) => says?.length ? says.join("; ") : element("code", {}, line);
    const buttons = given.map((each) => element("button", { type: "button", title: each.line, click: () => send(each.line) }, shown(each)));
    const asks = given.some((each) => each.says?.length) ? "Is this meant? " : "Instead: ";
    return buttons.length ? [element("p", { class: "offers" }, asks, ...buttons)] : [];
  },

  say(...what) {
    this.answer.replaceChildren(...what);
  },
};

/** The unfinished text, while the page is hidden: phones let pages go, and load them again. It is this tab's alone, and is removed when it is taken up. */
const drafts = {
  begin() {
    const keep = () => document.hidden && this.keep();
    document.addEventListener("visibilitychange", keep);
    addEventListener("pagehide", () => this.keep());
    const [line, secret] = tab.kept("line") ?? ["", false];
    if (sending.box) sending.box.checked = secret;
    form.line.value ||= line;
    tab.keep("line", null);
  },

  keep() {
    tab.keep("line", [form.line.value === form.byHands ? "" : form.line.value, sending.isSecret()]);
  },
};

/** The parts of which the panels make their lines. */
const LACKS = { initiative: "Type the totals in figures, such as 17, or roll for the others.", joining: "Type the name, and the hit points in figures; a monster of the list joins by a click." };
