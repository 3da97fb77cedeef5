/* The controls of game masters alone: initiative for all combatants at once, newcomers, corrections. */

/** Initiative for all at once: rolls of the table are typed, for the others the service rolls. */
const initiative = {
  begin() {
    panels.leave.initiative = () => field("rolls").replaceChildren();
    field("initiative").addEventListener("input", () => this.fill());
    field("roll-others").addEventListener("click", () => this.roll());
  },

  /** The rollers: sides, where sides roll, else combatants without a place in the order, or all if all have one. */
  those() {
    const here = inRows().filter((who) => !read(who, "gone"));
    if (cardControls.grammar.initiative.sides) return [...new Set(here.map((who) => read(who, "side")))];
    const without = here.filter((who) => !statePane.places.has(who));
    return without.length ? without : here.filter((who) => read(who, "status") === "up");
  },

  open() {
    const fieldOf = (who) => element("label", {}, element("bdi", {}, nameOf(who)), " ", element("input", { "data-roll": who, form: "tell", inputmode: "numeric", maxlength: "6", autocomplete: "off" }));
    panels.show("initiative");
    field("rolls").replaceChildren(...this.those().map(fieldOf));
    field("initiative-die").value ||= cardControls.grammar.initiative.die;
    field("rolls").querySelector("input")?.focus({ preventScroll: true });
    this.fill();
  },

  /** The line with the typed numbers: the dice of sides, or the totals of combatants. */
  fill() {
    const sign = cardControls.grammar.initiative.sides ? ":" : "=";
    const rolled = this.fields().filter((each) => each.value.trim());
    this.put(this.isWrong() ? [] : rolled.map((each) => `${spelt(each.dataset.roll)}${sign}${each.value.trim()}`));
  },

  /** Send the typed numbers, and then the line by which the service rolls for the others; totals and dice have a line each. */
  async roll() {
    if (this.isWrong()) return form.lacks();
    const left = this.fields().filter((each) => !each.value.trim());
    const dice = `i ${left.map((each) => `${spelt(each.dataset.roll)}:${typed("initiative-die")}`).join(" ")}`;
    this.fill();
    const typedLine = form.line.value;
    if (!left.length || (typedLine && !(await form.tell(typedLine)))) return;
    form.put(dice);
    await form.tell(dice);
  },

  fields: () => [...field("rolls").querySelectorAll("input")],

  /** Whether something else than numbers is typed. */
  isWrong: () => initiative.fields().some((each) => !/^(-?[0-9]+)?$/.test(each.value.trim())),

  put(parts) {
    form.put(parts.length ? `i ${parts.join(" ")}` : "");
  },
};

/** Newcomers: one combatant, several of a kind, or those in a line-up or a stat block, which the service turns into lines. */
const joining = {
  /** The facts of the line-up that is shown. */
  facts: [],

  begin() {
    panels.leave.joining = () => this.leave();
    field("joining").addEventListener("input", (event) => {
      if (event.target.closest("#search-box")) return;
      if (["block", "copies", "pasted"].includes(event.target.id)) this.read();
      else this.fill();
    });
  },

  /** Open the panel for a side's newcomers: monsters are searched for, others are named. */
  open(side = "") {
    this.leave();
    field("side").value = side;
    const sides = [...new Set(inRows().map((who) => read(who, "side")))];
    field("sides").replaceChildren(...sides.map((each) => element("option", { value: each })));
    panels.show("joining");
    search.draw();
    (side === "party" ? field("newcomer") : field("search") ?? field("newcomer")).focus({ preventScroll: true });
  },

  leave() {
    for (const name of ["newcomer", "hp", "ac", "sheet", "block", "pasted"]) field(name).value = "";
    this.show({ lines: [], facts: [], left_out: [] });
  },

  /** The line for the typed newcomers: "4 goblins" are four of a kind. */
  fill() {
    const [name, side, hp, ac, rest] = ["newcomer", "side", "hp", "ac", "sheet"].map(typed);
    const more = [/^[0-9]+$/.test(ac) && `ac=${ac}`, rest].filter(Boolean).join(" ");
    const [, number, one] = /^([0-9]+) (.+?)s?$/.exec(name) ?? [];
    if (!name || !/^[0-9]+$/.test(hp)) return form.put("");
    const who = number ? `${one.replace(/\s+/g, "-")}*${number}` : asWord(name);
    const kind = side === "party" && !more.includes("creature=") ? cardControls.grammar.character : "";
    form.put(["join", who, side, `hp=${hp}`, more, kind].filter(Boolean).join(" "));
  },

  /** Ask the service which combatants a file has. */
  async read() {
    const pasted = field("pasted").value.trim();
    const file = field("block").files[0] ?? (pasted ? new File([pasted], `pasted.${kindOf(pasted)}`) : null);
    if (!file) return this.show({ lines: [], facts: [], left_out: [] });
    const secret = sending.isSecret() ? "1" : "0"; // their dice are drawn from another chain then
    const asked = new URLSearchParams({ file: file.name, side: typed("side") || "foes", copies: typed("copies") || "1", secret });
    const readAs = (this.readAs = this.now());
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    try {
      const response = await fetch(`${service}/lineup?${asked}`, { method: "POST", headers, body: file });
      const found = await response.json();
      if (readAs !== this.readAs) return;
      this.show(response.ok ? found : { lines: [], facts: [], left_out: [found.detail ?? ""] });
    } catch {
      this.show({ lines: [], facts: [], left_out: ["no connection"] });
    }
  },

  /** Show the lines by which they join, and the button that sends them all. */
  show({ lines, facts, left_out }) {
    this.facts = facts;
    const all = element("button", { type: "button", id: "tell-all", click: () => this.tellAll() }, `Add ${counted(lines.length, "combatant")}`);
    field("lineup").replaceChildren(...(lines.length ? [element("pre", {}, lines.join("\n")), all] : []), ...left_out.map((each) => element("p", { class: "quiet" }, each)));
  },

  /** The state that they were read for: lines of others can take their names and their dice, and in secret the dice are others. */
  now: () => `${form.head()} ${sending.isSecret()}`,

  /** Tell them as they were read, or read them again first. */
  tellAll() {
    if (this.readAs === this.now()) return form.tellFacts(this.facts);
    form.say(element("p", {}, "Something was written meanwhile: these are the lines now."));
    this.read();
  },
};

/** The kind of file that a pasted text is: a line-up, JSON, or one of Obsidian's, a note or a block. */
const kindOf = (text) => (/^\[\[[a-z]/m.test(text) ? "toml" : /^[{[]/.test(text) ? "json" : "yaml");

/** Corrections of an entry in the log: another fact in its place, none, or one before it; their changes are shown before they are sent. */
const correcting = {
  place: 0,
  /** The line that the entry is now. */
  line: "",

  begin() {
    panels.leave.correcting = () => field("difference").replaceChildren();
    for (const each of field("corrections").children) each.addEventListener("click", () => this.pick(each.dataset.correction));
    form.line.addEventListener("input", () => this.keepParts());
    log.after = (place) => this.button(place);
    preview.then = (facts) => this.ask(facts);
  },

  /** The button behind an entry by which it is corrected. */
  button(place) {
    const [seq, , words] = data.events[place];
    if (seq === 1 || /^⁨?\d+⁩? is (struck|amended)/.test(words)) return "";
    return element("button", { type: "button", class: "correct", title: `Correct event ${seq}`, "aria-label": `Correct event ${seq}`, click: () => this.open(place) }, "✎");
  },

  /** An amount of one kind is the same in its part. */
  keepParts() {
    const [at, { value }] = [form.line.selectionStart, form.line];
    const line = value.replace(/-(\d+) parts=([^+\s]*:)\d+$/, "-$1 parts=$2$1");
    if (panels.open !== "correcting" || line === value) return;
    form.line.value = line;
    form.line.setSelectionRange(at, at);
  },

  /** Open the panel once it is known which line the entry is, so that an answer that comes late changes nothing that was chosen since. */
  async open(place) {
    const [seq, , words] = data.events[place];
    this.asked = seq;
    const line = (await lineOf(seq)).replace(/^note /, "into "); // a note becomes what it says
    if (this.asked !== seq) return;
    Object.assign(this, { place, line });
    panels.show("correcting");
    field("corrected").replaceChildren(element("strong", {}, `Event ${seq}: `), ...sentence(words));
    this.pick("amend");
  },

  /** Put the correction into the field, so that a number in it can be typed at once. */
  pick(kind) {
    const [seq, before] = [data.events[this.place][0], data.events[this.place - 1][0]];
    for (const each of field("corrections").children) each.setAttribute("aria-pressed", String(each.dataset.correction === kind));
    const lines = { amend: `amend ${seq} ${this.line}`, strike: `strike ${seq}`, insert: `insert ${before} ` };
    form.offer(lines[kind]);
    const number = kind === "amend" ? /\d+(?=\D*( parts=.*)?$)/.exec(this.line) : null;
    const start = lines.amend.length - this.line.length + (number?.index ?? this.line.length);
    if (kind === "amend") form.line.setSelectionRange(start, start + (number?.[0].length ?? 0));
  },

  /** Ask for the differences that a line's corrections would make. */
  async ask(facts) {
    field("difference").replaceChildren();
    const asked = new URLSearchParams();
    for (const { type, event, after, replacement, fact } of facts) {
      if (type === "struck") asked.append("strike", event);
      if (type === "amended") asked.append("amend", `${event}:${JSON.stringify(replacement)}`);
      if (type === "inserted") asked.append("insert_after", `${after}:${JSON.stringify(fact)}`);
    }
    const line = form.line.value;
    if (panels.open !== "correcting" || !asked.size) return;
    try {
      const response = await fetch(`${service}/whatif?${asked}`);
      const found = await response.json();
      if (form.line.value === line) field("difference").replaceChildren(...(response.ok ? different(found) : [found.detail]));
    } catch {
      // no connection: what it records is said, not what it changes
    }
  },
};

/** The differences: values, and findings that are gone or new. */
function different({ values, gone, new: found, senseless }) {
  const shownValues = values.filter(({ address }) => !/^(order|due|turn)/.test(address));
  const lines = [
    ...shownValues.map(({ address, before, after }) => [...addressWords(address), `: ${worded(before)} → ${worded(after)}`]),
    ...gone.map(({ says }) => [`no longer found: ${says}`]),
    ...found.map(({ says }) => [`newly found: ${says}`]),
    ...senseless.map(({ seq, why: because }) => [`event ${seq} makes no sense then: ${because}`]),
  ];
  const most = lines.slice(0, 12);
  if (lines.length > most.length) most.push([`and ${lines.length - most.length} more`]);
  return lines.length ? [element("p", {}, "Changes:"), element("ul", {}, ...most.map((each) => element("li", {}, ...each)))] : [element("p", {}, "It changes nothing else.")];
}

const EXPORTS = [["html", "Replay as a page"], ["markdown", "Story as Markdown"], ["csv", "Table as CSV"], ["json", "Everything as JSON"]];

const master = {
  keys: { i: () => initiative.open(), j: () => joining.open(), m: () => correcting.open(shown.place), s: () => sending.box.click() },

  begin() {
    for (const each of [panels, initiative, joining, correcting]) each.begin();
    sending.box.addEventListener("change", () => {
      preview.again();
      if (panels.open !== "joining") return;
      search.draw();
      joining.read();
    });
    views.item("roll-initiative", "Initiative", "i", this.keys.i);
    views.item("add", "Add combatants", "j", this.keys.j);
    views.item("invite", "Invite players", "", async () => (await later.fetch())?.invite.open());
    for (const [kind, words] of EXPORTS) {
      const link = element("a", { href: `/e/${encounterName}/export?kind=${kind}`, download: true }, words);
      document.getElementById("menu-items").append(link);
    }
  },

  /** Do the work of this key; return whether it has any. */
  press(key) {
    const does = sending.box && !cardControls.isPast() && this.keys[key];
    if (does) does();
    return Boolean(does);
  },
};
