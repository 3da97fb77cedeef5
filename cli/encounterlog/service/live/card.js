/* The card of the chosen combatant, by default the one whose turn it is: points, conditions, attacks and spells, possible acts; and the first steps of a fight. */

const card = {
  head: document.getElementById("card-head"),
  more: document.getElementById("card-more"),
  /** The service's data on the combatant of the card, and the end of the log that they are for. */
  found: null,
  asked: "",

  /** The combatants of the card: the chosen ones, else one's own, else the one whose turn it is or, in a game of segments, who is due next. */
  those() {
    if (cardControls.chosen.size) return [...cardControls.chosen];
    const own = (data.own ?? []).filter((who) => statePane.rows.has(who));
    if (own.length) return [own.find(actsNow) ?? own[0]];
    const acting = [...statePane.rows.keys()].filter((who) => actsNow(who) && !read(who, "gone"));
    const due = cardControls.grammar?.initiative.sides && !acting.length ? shown.state.get("due")?.value ?? [] : [];
    return [...this.ready(), ...acting, ...due].slice(0, 1);
  },

  /** Those whose spell goes off in this segment, or phase. */
  ready() {
    const { segment, phase } = lastState.get("clock")?.value ?? {};
    const now = orderNow().filter((slot) => phase && slot.phase === phase).flatMap(({ combatants }) => combatants.filter(casts));
    return form.made ? [...now, ...ripe().filter(([, at]) => at === segment).map(([who]) => who)] : [];
  },

  /** The act that a combatant declared in this round and is due to do, in words. */
  declared: (who) => data.lanes.at(-1)?.lanes.find(({ combatant }) => combatant === who)?.marks.find(({ kind, status, event }) => kind === "due" && status === "due" && event)?.words,

  /** Carry out a declared act: an attack needs its dice, anything else is done at once. */
  carryOut(who, words) {
    if (words.startsWith("attack")) return cardControls.pick("acts");
    turns.next?.focus({ preventScroll: true }); // the button goes
    return form.tell(spelt(who), false);
  },

  /** Whether the service's data on a combatant are for the person who looks at the page. */
  mayAsk: (who) => document.body.classList.contains("master") || isOwn(who),

  one(who) {
    const of = (field) => read(who, field);
    const fields = ownFields(who).filter((field) => field !== "srd");
    const spent = [...shown.state.keys()].filter((address) => address.startsWith(`${who}.left.`) && typeof shown.state.get(address).value === "number" && this.isSpent(who, address));
    const others = [
      ...fields.map((field) => ({ field: field.replaceAll(".", " "), address: `${who}.${field}`, says: worded(of(field)) })),
      ...(of("square") ? [{ field: "at", address: `${who}.square`, says: of("square").join(",") }] : []),
      ...spent.map((address) => ({ field: address.slice(`${who}.left.`.length), address, says: `${shown.state.get(address).value} of ${mostSeen.found.get(address)}` })),
    ];
    return { id: who, name: nameOf(who), side: of("side"), hp: of("hp"), most: of("hp_max"), temp: of("temp"), nld: of("nld"), status: of("status"),
      word: typeof of("hp") !== "number" && shown.place === count - 1 ? data.words?.[who] : undefined, conditions: conditionsBorne(who), concentration: of("concentration"), casting: of("casting"),
      effects: of("effects")?.map(effect).join(", "), others };
  },

  /** Whether less is left of a resource than there was; for one that each turn brings again, that is shown only in the own turn. */
  isSpent(who, address) {
    const left = shown.state.get(address).value;
    if (left >= (mostSeen.found.get(address) ?? left)) return false;
    return actsNow(who) || !this.found?.may?.some(({ kind, says }) => kind === "resource" && says.startsWith(`${address.slice(`${who}.left.`.length)}:`) && /turn|attack|action|bonus|reaction|object|movement|move/.test(says));
  },

  draw() {
    mostSeen.look();
    const those = this.those();
    for (const [who, row] of statePane.rows) row.classList.toggle("shown", those.length === 1 && who === those[0] && !cardControls.chosen.size);
    const [who] = those;
    if (those.length === 1 && this.mayAsk(who)) this.ask(who);
    const known = this.found?.who === who ? this.found : null;
    render(this.isStart() ? html`<${Start} steps=${start.steps()} does=${(name) => start.does(name)} />` : "", document.getElementById("start-steps"));
    render(those.length === 1 ? this.of(this.one(who), known) : those.length ? html`<h2>${those.length} chosen</h2>` : this.isStart() ? "" : html`<p class="quiet">Choose a combatant in the order.</p>`, this.head);
    render(those.length === 1 && known ? html`<${May} may=${known.may} />` : "", this.more);
  },

  of(one, known) {
    const explains = (address, from) => why.open(address, from);
    const writes = !document.body.classList.contains("reader") && cardControls.mayChoose(one.id) && !cardControls.isPast();
    const ends = writes ? (name) => form.tell(`${spelt(one.id)} not ${asWord(name)}`, false) : null;
    const deeds = known && writes ? [...(known.attacks.length ? known.attacks : [blows.weapon]), ...known.spells, ...(known.spells.length || known.attacks.some(({ save }) => save) ? [] : [blows.spell])] : [];
    const blow = blows.now?.who === one.id ? blows.now : null;
    const declared = writes && this.declared(one.id);
    const spell = writes && one.casting && cardControls.grammar.initiative.sides && one.casting;
    return html`<header class="who"><h2><${Name} of=${one.name} /></h2><span class="quiet">${this.side(one, writes)}${typeof known?.ac === "number" ? ` · AC ${known.ac}` : ""}</span></header>
      <${Points} one=${one} why=${explains} /><${Standing} one=${one} why=${explains} ends=${ends} />
      ${declared && html`<button type="button" class="deed" id="declared" onClick=${() => this.carryOut(one.id, declared)}><b>${capital(declared)}</b> <span>as declared</span></button>`}
      ${writes && document.body.classList.contains("master") && isHidden(one.id) && html`<button type="button" class="deed" id="reveal" onClick=${() => form.tell(`reveal ${spelt(one.id)}`, false)}><b>Reveal</b> <span>players do not know of ${one.name}</span></button>`}
      ${spell && html`<button type="button" class="deed" id="goes-off" onClick=${() => form.tell(`${spelt(one.id)}'s ${spell} goes off`, false)}><b>${capital(spell)} goes off</b></button>`}
      ${writes && html`<${Left} left=${blows.left} does=${this.does} />`}
      <${Deeds} deeds=${deeds} chosen=${blow?.deed} choose=${(deed) => blows.begin(one.id, deed)} />
      ${blow && html`<${Blow} blow=${blow} targets=${this.targets(one)} saves=${cardControls.grammar.saves} leans=${blow.deed.attack ? [...blow.on].map((id) => [id, ...blows.lean(blow, id)]).filter(([, word]) => word) : []} does=${this.does} />`}`;
  },

  /** The side of the chosen one; a game master puts the line that changes it into the field. */
  side(one, writes) {
    const side = one.side && one.side !== one.id ? one.side : "";
    if (!writes || !document.body.classList.contains("master")) return side;
    return html`<button type="button" id="side-of" title="Change sides" onClick=${() => form.offer(`${spelt(one.id)} changes sides`)}>${side || "no side"}</button>`;
  },

  does: { aim: (id) => blows.aim(id), save: (id) => blows.save(id), choose: (id, word) => blows.choose(id, word), type: (name, text) => blows.type(name, text), know: (name, text) => blows.know(name, text), roll: () => blows.roll(), record: () => blows.record(),
    answer: (hits) => blows.answer(hits), leave: () => blows.leave(), resume: (blow) => blows.resume(blow), forget: (blow) => blows.forget(blow) },

  /** The possible targets: other sides first, combatants who are down last. */
  targets(one) {
    const others = [...statePane.rows.keys()].filter((who) => who !== one.id && !read(who, "gone"));
    const rank = (who) => (read(who, "status") === "up" ? 0 : 2) + (read(who, "side") === one.side ? 1 : 0);
    return others.sort((a, b) => rank(a) - rank(b)).filter((who) => rank(who) < 2 || blows.now?.on.has(who)).map((id) => ({ id, name: nameOf(id), ac: this.found?.others?.[id]?.ac }));
  },

  /** Ask the service about a combatant, once for each end of the log. */
  async ask(who) {
    const asked = `${who} ${data.head}`;
    if (asked === this.asked || cardControls.isPast()) return;
    this.asked = asked;
    try {
      const response = await fetch(`/e/${encounterName}/card?who=${encodeURIComponent(who)}`, { cache: "no-store" });
      const found = response.ok && (await response.json());
      if (!found || this.asked !== asked) return;
      this.found = found;
      this.keepDeed();
      this.draw();
    } catch {
      this.asked = ""; // no connection: it is asked again with the next draw
    }
  },

  /** Make the deed in progress one of those that are known now. */
  keepDeed() {
    const { now } = blows;
    if (now && now.who === this.found.who) now.deed = [...this.found.attacks, ...this.found.spells].find((each) => titleOf(each) === titleOf(now.deed)) ?? now.deed;
  },

  /** Whether the fight has not begun: a game master sees the first steps. */
  isStart: () => document.body.classList.contains("master") && !data.closed && shown.place === count - 1 && !lastState.get("clock")?.value.turn && !((lastState.get("clock")?.value.round ?? 0) > 1) && start.wanted(),
};

/** The first steps of a fight. */
const start = {
  wanted() {
    return this.steps().some(({ now }) => now);
  },

  steps() {
    const here = inRows().filter((who) => !read(who, "gone"));
    const round = lastState.get("clock")?.value.round ?? 0;
    const [ours, others, chosen] = [here.filter(isOfPlayers), here.filter((who) => !isOfPlayers(who)), cardControls.chosen.size];
    const settled = !cardControls.grammar.surprise || round || data.events.some(([, , words]) => /^surprise /.test(bare(words)));
    const lacking = here.filter((who) => !statePane.places.has(who));
    const begun = here.some(actsNow) || momentAt(count - 1).segment || momentAt(count - 1).turn;
    const first = !ours.length ? "party" : !others.length ? "monsters" : !settled ? "surprise" : !round ? "round" : lacking.length ? "initiative" : begun ? "" : "begin";
    const step = (name, says, done, button) => ({ name, says, done, now: name === first, button });
    return [
      step("party", "The party", ours.length ? counted(ours.length, "character") : "", "Add characters"),
      step("monsters", "Monsters", others.length ? `${others.length} of them` : "", "Add monsters"),
      ...(cardControls.grammar.surprise ? [step("surprise", "Surprise", settled ? "settled" : "", settled ? "" : chosen ? `${chosen} chosen: surprised` : "Nobody is surprised")] : []),
      step("round", "Round 1", round ? "begun" : "", round ? "" : "Begin round 1"),
      step("initiative", "Initiative", here.length && !lacking.length ? "everybody has it" : "", round ? "Initiative" : ""),
      step("begin", "The first turn", "", round && here.length && !lacking.length ? "Begin" : ""),
    ];
  },

  does(name) {
    if (name === "party") joining.open("party");
    else if (name === "monsters") joining.open("foes");
    else if (name === "initiative") initiative.open();
    else if (name === "surprise") form.tell(["surprised", [...cardControls.chosen].map(spelt).join(", ")].join(" ").trim(), false);
    else turns.send(() => (name === "round" ? "r" : turns.nextLine()));
  },
};
