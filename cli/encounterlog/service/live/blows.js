/*
 * Attacks, actions and spells that are done from the card: to whom, and what comes of it. Everything is lines of the table grammar; dice that
 * are rolled here are rolled by the service, in lines of their own: first the attack or the saves, then the damage.
 */

/** Dice with twice as many of each, as for a critical hit: 1d6+2 becomes 2d6+2. */
const doubled = (dice) => dice.replace(/(\d*)d(\d+)/g, (_, number, faces) => `${2 * (Number(number) || 1)}d${faces}`);

/** Whether an attack hits: by its face and its total against the armour class; null where that is not known. */
function hitsBy(face, total, ac) {
  if (face === 20 || face === 1) return face === 20;
  return typeof ac === "number" ? total >= ac : null;
}

/** What dice show in all, with what is added to them. */
const sumOf = ({ die, modifiers = [] }) => (typeof die === "number" ? die : die.faces.reduce((sum, face) => sum + face, 0)) + modifiers.reduce((sum, { amount }) => sum + amount, 0);

/** The line by which several take damage from a deed: half of it who saves, where the save leaves half, else nothing. */
function lineOfDamage(who, deed, amount, targets, saved) {
  const type = deed.damage[0]?.type ? ` ${deed.damage[0].type}` : "";
  const takes = (id, points) => `${spelt(id)} takes ${points}${type} from ${spelt(who)}'s ${asWord(deed.name.toLowerCase())}`;
  const left = (id) => (!saved.has(id) ? amount : deed.save?.success === "half" ? Math.floor(amount / 2) : 0);
  return targets.filter((id) => left(id) > 0).map((id) => takes(id, left(id))).join(", ");
}

const blows = {
  /** Who does it, what, to whom, who of them saved, what was typed, and an attack of which it is not known whether it hits. */
  now: null,

  begin(who, deed) {
    const same = this.now?.who === who && this.now.deed === deed;
    this.now = same ? null : { who, deed, on: new Set(), saved: new Set(), die: "", amount: "", open: null, busy: false };
    card.draw();
  },

  leave() {
    this.now = null;
    card.draw();
  },

  /** Aim at somebody, or no longer. */
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

  type(name, text) {
    this.now[name] = text.trim();
  },

  /** Send lines one after the other, as long as each is taken. */
  async send(...lines) {
    let said = null;
    for (const line of lines) {
      said = await form.tell(line, false);
      if (!said) return null;
    }
    return said;
  },

  async busy(does) {
    if (this.now.busy) return;
    this.now.busy = true;
    try {
      await does();
    } finally {
      if (this.now) this.now.busy = false;
      card.draw();
    }
  },

  // ------------------------------------------------------------ rolled here

  roll() {
    return this.busy(() => (this.now.deed.attack ? this.rollAttacks() : this.rollSaves()));
  },

  async rollAttacks() {
    const { who, deed, on } = this.now;
    for (const id of on) {
      const die = `d20${typeof deed.hit === "number" && deed.hit ? signed(deed.hit).replace("−", "-") : ""}`;
      const act = deed.spell ? "cast" : "attack";
      const said = await this.send(`${spelt(who)} ${act} ${asWord(deed.name.toLowerCase())} ${spelt(id)} ${die}`);
      const at = said?.facts?.findIndex(({ type }) => type === "attack_rolled") ?? -1;
      if (at < 0) return;
      const fact = said.facts[at];
      const [face, total, ac] = [fact.die.faces[0], sumOf(fact), card.found?.others?.[id]?.ac];
      const [hits, cause] = [hitsBy(face, total, ac), said.first + at];
      const words = `${deed.name}: ${face}${deed.hit ? ` ${signed(deed.hit)} = ${total}` : ""}${typeof ac === "number" ? ` against AC ${ac}` : ""}`;
      if (hits === null) {
        this.now.open = { id, cause, face, says: `${words}. Does it hit ${nameOf(id)}?` };
        return;
      }
      if (hits) await this.damage(id, cause, face === 20);
      form.also(`${words}: ${hits ? (face === 20 ? "a critical hit" : "hits") : "misses"}`);
    }
    this.now = null;
  },

  /** Roll the damage of a hit, each part by itself. */
  async damage(id, cause, critical) {
    const parts = this.now.deed.damage.map(({ dice }) => dice.replaceAll(" ", "")).filter(Boolean);
    await this.send(...parts.map((dice) => `${spelt(id)} -${critical ? doubled(dice) : dice} cause=${cause}`));
  },

  hits() {
    const { id, cause, face } = this.now.open;
    return this.busy(async () => {
      await this.damage(id, cause, face === 20);
      this.now = null;
    });
  },

  async rollSaves() {
    const { who, deed, on, saved } = this.now;
    if (deed.spell && !(await this.send(`${spelt(who)} cast ${asWord(deed.name.toLowerCase())} ${[...on].map(spelt).join(",")}`))) return;
    if (deed.save) {
      for (const id of on) {
        const bonus = card.found?.others?.[id]?.saves?.[deed.save.ability.slice(0, 3).toLowerCase()];
        const dc = deed.save.dc ? ` dc=${deed.save.dc}` : "";
        const said = await this.send(`save ${spelt(id)} ${deed.save.ability} d20${bonus ? signed(bonus).replace("−", "-") : ""}${dc}`);
        const fact = said?.facts?.find(({ type }) => type === "save_rolled");
        if (!fact) return;
        if (deed.save.dc && sumOf(fact) >= deed.save.dc) saved.add(id);
        else saved.delete(id);
      }
    }
    const dice = deed.damage.map((part) => part.dice.replaceAll(" ", "")).find((each) => each.includes("d"));
    if (dice) {
      const [, plain, flat] = /^([^+-]+)([+-].*)?$/.exec(dice);
      const said = await this.send(`dice damage ${plain} combatant=${bareId(who)}`);
      const fact = said?.facts?.find(({ type }) => type === "dice_rolled");
      if (!fact) return;
      const line = lineOfDamage(who, deed, sumOf(fact) + (Number(flat) || 0), [...on], saved);
      if (line && !(await this.send(line))) return;
    }
    this.now = null;
  },

  // ------------------------------------------------------------ typed

  /** Record what was typed: the die, the damage, or both. */
  record() {
    const { who, deed, on, saved, die, amount } = this.now;
    const numbers = [die, amount].filter(Boolean).every((each) => /^\d+$/.test(each));
    if (!numbers || !(die || amount)) return form.say(element("p", { class: "wrong" }, "Type what the dice show: the d20, the damage, or both."));
    return this.busy(async () => {
      const lines = deed.attack ? [...on].map((id) => this.lineOfAttack(who, deed, id, die, amount)) : [lineOfDamage(who, deed, Number(amount), [...on], saved)];
      if (deed.spell && !deed.attack) lines.unshift(`${spelt(who)} cast ${asWord(deed.name.toLowerCase())} ${[...on].map(spelt).join(",")}`);
      if (await this.send(...lines.filter(Boolean))) this.now = null;
    });
  },

  /** The line of an attack whose dice were typed; without damage it misses, if that is not known otherwise. */
  lineOfAttack(who, deed, id, die, amount) {
    const head = `${spelt(who)} ${deed.spell ? "cast" : "attack"} ${asWord(deed.name.toLowerCase())} ${spelt(id)}`;
    const bonus = typeof deed.hit === "number" && deed.hit ? signed(deed.hit).replace("−", "-") : "";
    if (!die) return `${head} hit -${amount}`;
    return `${head} ${die}${bonus}${amount ? ` ${amount}${deed.damage[0]?.type ? ` ${deed.damage[0].type}` : ""}` : ""}`;
  },
};

const bareId = (who) => who.replace(/^:/, "");
