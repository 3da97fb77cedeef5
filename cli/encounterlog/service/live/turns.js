/** The controls that move the fight on, above the table: the usual ones as buttons, the others in the menu. */
const turns = {
  next: null,
  waits: false,
  buttons: [],

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

  /** The line that begins the next step: a round, a turn or, in games without turns, the next segment or phase in which a combatant is due; "" if initiative comes first. */
  nextLine() {
    const { round, segment = 0, phase } = lastState.get("clock")?.value ?? {};
    if (!round || !cardControls.grammar.initiative.sides) return round ? "next" : "r";
    const due = lastState.get("due")?.value ?? [];
    const slots = orderNow().filter(({ combatants }) => combatants.some((who) => due.includes(who) || casts(who)));
    const comes = slots.map((slot) => (slot.phase ? 0 : slot.segment)).concat(ripe().map(([, at]) => at)).filter((at) => at > segment);
    if (comes.length) return `seg ${Math.min(...comes)}`;
    if (!orderNow().length) return "";
    return slots.slice(slots.findIndex((slot) => slot.phase === phase) + 1).find((slot) => slot.phase)?.phase ?? "r";
  },

  /** Send the next step at the end of the log, once the message before is answered and shown; a second press meanwhile does nothing, nor does one for a step that others have taken already. */
  async send(line) {
    if (cardControls.isPast() || this.waits) return;
    this.waits = true;
    const [own, head] = [form.busy, form.head()];
    while (form.busy || page.busy) await new Promise((goes) => setTimeout(goes, 20));
    const next = line();
    if (!own && form.head() !== head) form.refused("", { between: true });
    else if (next) await form.tell(next, false);
    else {
      initiative.open();
      form.say(element("p", {}, "Initiative comes first in each round; the menu begins the next round without it."));
    }
    this.waits = false;
  },

  press(key) {
    const found = this.buttons.find((each) => each.key && each.key === key);
    if (found) this.send(found.line);
    return Boolean(found);
  },

  draw() {
    for (const { button } of this.buttons) button.disabled = cardControls.isPast();
    if (!this.next) return;
    this.next.hidden = Boolean(data.closed); // nothing comes after the end
    const words = lastState.get("clock")?.value.round ? "Next" : "Begin round 1";
    if (this.next.textContent !== words) this.next.textContent = words;
  },
};

/** The order at the end of the log: its slots. */
const orderNow = () => [...Array(lastState.size).keys()].map((number) => lastState.get(`order.${number + 1}`)?.value).filter(Boolean);

/** Whether a combatant is casting. */
const casts = (who) => lastState.get(`${who}.casting`)?.value;

/** The casters, each with the segment in which the casting ends, if that is in this round. */
function ripe() {
  const { columns = [], lanes = [] } = data.lanes.at(-1) ?? {};
  const ends = ({ kind, last }) => kind === "work" && last < columns.length - 1;
  return lanes.flatMap(({ combatant, spans }) => (casts(combatant) ? spans.filter(ends).map(({ last }) => [combatant, columns[last].segment + 1]) : []));
}
