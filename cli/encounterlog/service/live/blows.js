/*
 * Attacks, actions and spells that are done from the card: to whom, and what comes of it. Everything is lines of notation; dice that
 * are rolled here are rolled by the service, in lines of their own: first the attack or the saves, then the damage.
 */

/** Dice with twice as many of each, as for a critical hit: 1d6+2 becomes 2d6+2. */
const doubled = (dice) => dice.replace(/(\d*)d(\d+)/g, (_, number, faces) => `${2 * (Number(number) || 1)}d${faces}`);

/** The faces that count. */
const keptFaces = ({ faces, dropped = [] }) => faces.filter((_, place) => !dropped.includes(place));

/** The sum of dice, with the added numbers. */
const sumOf = ({ die, modifiers = [] }) => (typeof die === "number" ? die : keptFaces(die).reduce((sum, face) => sum + face, 0)) + modifiers.reduce((sum, { amount }) => sum + amount, 0);

/** The line by which several take damage from a deed: half of it after a save, if the save leaves half, else nothing. */
function lineOfDamage(who, deed, amount, targets, saved) {
  const type = deed.damage[0]?.type ? ` ${deed.damage[0].type}` : "";
  const takes = (id, points) => `${spelt(id)} takes ${points}${type} from ${spelt(who)}${deed.name ? `'s ${asWord(deed.name.toLowerCase())}` : ""}`;
  const left = (id) => (!saved.has(id) ? amount : deed.save?.success === "half" ? Math.floor(amount / 2) : 0);
  return targets.filter((id) => left(id) > 0).map((id) => takes(id, left(id))).join(", ");
}

const blows = {
  /** The doer, the deed, the targets, those of them who saved, the typed text, the answers to the lines that were sent, and for attacks that wait the answer so far, and the one that is asked about. */
  now: null,
  /** Those that were left while something was asked about their roll: this tab keeps them, and the card has each with a button. */
  left: tab.kept("blows") ?? [],

  /** The attack of one whose sheet has none: what is added to its die, and the dice of its damage, are typed. */
  weapon: { name: "", label: "Weapon attack", attack: true, hit: null, damage: [], unknown: true },

  /** A spell, or whatever else leaves a save or none: its name, the save, its number and its damage are typed. In games of segments it is cast before, and goes off. */
  spell: { name: "", label: "Spell or saves", spell: true, damage: [], unknown: true },

  begin(who, deed) {
    const same = this.now?.who === who && titleOf(this.now.deed) === titleOf(deed);
    if (this.drop() && !same) this.now = { who, deed, on: new Set(), leans: new Map(), saved: new Set(), die: "", amount: "", done: new Map(), hits: new Map(), amounts: new Map(), stated: new Set(), open: null, busy: false };
    card.draw();
  },

  /** Let go of what is being done, and say whether that was possible; a question about a roll waits. */
  drop() {
    const { now } = this;
    if (now?.busy) return false;
    if (now?.open) this.left.push(now);
    this.now = null;
    return true;
  },

  leave() {
    this.drop();
    card.draw();
  },

  /** Ask again what was asked about a roll. */
  resume(blow) {
    if (!this.drop()) return;
    if (!card.those().includes(blow.who)) cardControls.choose(blow.who);
    this.now = blow;
    this.forget(blow);
  },

  forget(blow) {
    this.left = this.left.filter((each) => each !== blow);
    this.keep();
    card.draw();
  },

  /** Keep the questions, also the one that stands open. */
  keep() {
    tab.keep("blows", [...this.left, this.now].filter((each) => each?.open));
  },

  /** Aim at a combatant, or no longer. */
  aim(id) {
    const { on, saved } = this.now;
    if (!on.delete(id)) on.add(id);
    saved.delete(id);
    card.draw();
    document.getElementById("roll-here")?.focus({ preventScroll: true });
  },

  save(id) {
    const { saved } = this.now;
    if (!saved.delete(id)) saved.add(id);
    card.draw();
  },

  /** Advantage or disadvantage on somebody, as it was chosen or else follows from what is recorded, and why; nothing in games without. */
  lean: ({ deed, leans }, id) => leans.has(id) ? [leans.get(id), "as chosen"] : card.found?.leans?.[deed.name]?.[id] ?? (card.found?.leans ? ["neither", ""] : []),

  choose(id, word) {
    this.now.leans.set(id, word);
    card.draw();
  },

  type(name, text) {
    this.now[name] = text.trim();
  },

  /** Say what the sheet does not: the name, the bonus to hit, the save with its number, or the dice of the damage. */
  know(name, text) {
    const { deed } = this.now;
    const given = text.trim().replaceAll(" ", "");
    const number = given === "" || Number.isNaN(Number(given.replace("−", "-"))) ? null : Number(given.replace("−", "-"));
    const save = (more) => ({ save: { success: "half", ...deed.save, ...more } });
    const made = { name: () => ({ name: text.trim() }), hit: () => ({ hit: number }), damage: () => ({ damage: given ? [{ dice: given, type: "" }] : [] }), ability: () => (given ? save({ ability: given }) : { save: undefined }), dc: () => save({ dc: number }), success: () => save({ success: text }) };
    this.now.deed = { ...deed, ...made[name]() };
    if (deed.spell) card.draw();
  },

  /** Send lines one after the other, as long as each is taken; one that was taken before, until the connection was lost, is not sent again. */
  async send(...lines) {
    const { done } = this.now ?? { done: new Map() };
    let said = null;
    for (const [number, line] of lines.entries()) {
      said = done.get(number + line) ?? (await form.tell(line, false));
      if (!said) return null;
      done.set(number + line, said);
    }
    return said;
  },

  /** Do something once at a time; the dialog closes when all of it is done. */
  async busy(does) {
    const { now } = this;
    if (now.busy) return;
    now.busy = true;
    try {
      if ((await does(now)) && this.now === now) this.now = null;
    } finally {
      now.busy = false;
      this.keep();
      card.draw();
      if (now.open && this.now === now) document.querySelector(now.die ? ".blow input" : ".blow .main").focus();
    }
  },

  // ------------------------------------------------------------ rolled here

  roll() {
    if (!this.now.done.size) this.now.die = "";
    return this.go();
  },

  go() {
    return this.busy((now) => (now.deed.attack ? this.attack(now) : this.rollSaves(now)));
  },

  /** Attack each target, with a die that is rolled here or was typed. The log says whether it hits, if its game decides that; otherwise the roller is asked, and a game master's answer is recorded. */
  async attack(now) {
    const { who, deed, on, hits, amounts } = now;
    const [parts, says] = [deed.damage.map(({ dice }) => dice.replaceAll(" ", "")).filter(Boolean), []];
    for (const id of on) {
      const ac = card.found?.others?.[id]?.ac;
      const asks = (words, hit) => void (now.open = { id, hit, says: hit ? `${words}: hits ${nameOf(id)}` : `${words}. Does it hit ${nameOf(id)}?` });
      if (now.die && typeof ac !== "number" && !hits.has(id)) return asks(`${titleOf(deed)}: ${now.die}${bonusOf(deed)}`);
      const typedDie = now.die ? `:${now.die}` : "";
      const answered = now.die && typeof ac !== "number" ? ` hit=${hits.get(id) ? "yes" : "no"}` : "";
      const said = await this.send(`${this.head(who, deed, id)} ${now.die ? "d20" : D20[this.lean(now, id)[0]] ?? "d20"}${typedDie}${bonusOf(deed)}${answered}`);
      if (!said) return false;
      const at = said.facts?.findIndex(({ type }) => type === "attack_rolled") ?? -1;
      if (at < 0) continue; // it was proposed
      const { hit: decided = null, die } = said.facts[at];
      const [face] = keptFaces(die);
      const [total, cause, hit] = [sumOf(said.facts[at]), said.first + at, decided ?? hits.get(id)];
      const words = `${titleOf(deed)}: ${face}${deed.hit ? ` ${signed(deed.hit)} = ${total}` : ""}${typeof ac === "number" ? ` against AC ${ac}` : ""}`;
      if (hit === undefined || (hit && now.die && !hits.has(id))) return asks(words, hit);
      const critical = decided && face === 20;
      const dice = amounts.get(id) ? [amounts.get(id)] : parts.map((each) => (critical ? doubled(each) : each));
      if (hit && dice.length) {
        if (!(await this.send(...dice.map((each) => `${spelt(id)} -${each} cause=${cause} source=${bareId(who)}`)))) return false;
      } else if (decided === null && cardControls.grammar.everybody && !(now.stated.has(id) || (await this.outcome(cause, hit)))) return false;
      now.stated.add(id);
      says.push(`${words}: ${hit ? (critical ? "a critical hit" : "hits") : "misses"}`);
    }
    for (const each of says.reverse()) form.also(each);
    return true;
  },

  /** Go on with an attack of which it is said now whether it hits; the damage is that which was typed, or rolled. It is asked again if that is refused. */
  answer(hit, amount = "") {
    const { now } = this;
    const { open } = now;
    now.hits.set(open.id, hit);
    now.amounts.set(open.id, amount);
    Object.assign(now, { open: null, amount: "" });
    return this.busy(async () => (await this.attack(now)) || void (now.open ??= open));
  },

  lacks: () => form.say(element("p", { class: "wrong" }, "Type what the dice show: the d20, the damage, or both.")),

  /** Put whether it hits into an attack roll. */
  async outcome(cause, hit) {
    const line = await lineOf(cause);
    return line ? this.send(`amend ${cause} ${line} hit=${hit ? "yes" : "no"}`) : form.loses();
  },

  async rollSaves({ who, deed, on, saved }) {
    if (this.casts(deed) && !(await this.send(this.head(who, deed, ...on)))) return false;
    if (deed.save) {
      for (const id of on) {
        const bonus = card.found?.others?.[id]?.saves?.[deed.save.ability.slice(0, 3).toLowerCase()];
        const dc = deed.save.dc ? ` dc=${deed.save.dc}` : "";
        const said = await this.send(`save ${spelt(id)} ${deed.save.ability} d20${bonus ? signed(bonus).replace("−", "-") : ""}${dc}`);
        const fact = said?.facts?.find(({ type }) => type === "save_rolled");
        if (!fact) return false;
        if (deed.save.dc && sumOf(fact) >= deed.save.dc) saved.add(id);
        else saved.delete(id);
      }
    }
    const dice = deed.damage.map((part) => part.dice.replaceAll(" ", "")).find((each) => each.includes("d") || (deed.unknown && Number(each)));
    if (dice) {
      const [, plain, flat] = /^([^+-]*d[^+-]*)?(.*)$/.exec(dice);
      const said = plain && (await this.send(`dice damage ${plain} combatant=${bareId(who)}`));
      const fact = said?.facts?.find(({ type }) => type === "dice_rolled");
      if (plain && !fact) return false;
      const line = lineOfDamage(who, deed, (fact ? sumOf(fact) : 0) + (Number(flat) || 0), [...on], saved);
      if (line && !(await this.send(line))) return false;
    }
    return true;
  },

  // ------------------------------------------------------------ typed

  /** Record the typed numbers: the die, the damage, or both; an attack with the die alone may hit or miss. */
  record() {
    const { who, deed, on, saved, die, amount, open } = this.now;
    const numbers = [die, amount].filter(Boolean).every((each) => /^\d+$/.test(each));
    if (!numbers || !(amount || (die && deed.attack && !open))) return this.lacks();
    if (open) return this.answer(true, amount);
    if (!amount) return this.go();
    return this.busy(() => {
      const type = deed.damage[0]?.type ? ` ${deed.damage[0].type}` : "";
      const lines = deed.attack ? [...on].map((id) => `${this.head(who, deed, id)} ${die ? `${die}${bonusOf(deed)} ${amount}${type}` : `hit -${amount}`}`) : [lineOfDamage(who, deed, Number(amount), [...on], saved)];
      if (this.casts(deed)) lines.unshift(this.head(who, deed, ...on));
      return this.send(...lines.filter(Boolean));
    });
  },

  /** Whether a line says that a spell is cast; where casting takes time, that is said before its saves. */
  casts: ({ spell, attack, unknown, name }) => spell && !attack && !(unknown && (!name || cardControls.grammar.initiative.sides)),

  /** How the line of an attack or a spell begins. */
  head: (who, deed, ...on) => `${spelt(who)} ${deed.spell ? "cast" : "attack"} ${deed.name ? `${asWord(deed.name.toLowerCase())} ` : ""}${on.map(spelt).join(",")}`,
};

/** The dice of an attack with advantage, and with disadvantage. */
const D20 = { advantage: "2d20kh1", disadvantage: "2d20kl1" };

/** The bonus to the die of an attack, as it is typed. */
const bonusOf = ({ hit }) => (typeof hit === "number" ? signed(hit).replace("−", "-") : "");

/** The line that an entry of the log is; "" without a connection. */
const lineOf = async (seq) => (await fetched(`${service}/line?event=${seq}`))?.line ?? "";

const bareId = (who) => who.replace(/^:/, "");
