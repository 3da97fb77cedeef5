/** The state that is shown, and the place of its event. */
const shown = { place: -1, state: new Map() };

/** The pane with round and turn, and one list: everybody in the order of the round, with all that is known of them. */
const statePane = {
  clock: document.getElementById("clock"),
  unborne: document.getElementById("effects"),
  list: document.getElementById("combatants"),
  fallen: document.getElementById("fallen"),
  /** The rows of the combatants by id, their places in the order, and what time it is. */
  rows: new Map(),
  places: new Map(),
  now: {},
  /** What a page with hands adds: a box before the name with which a row is chosen, and what it does after each step. */
  box: () => "",
  then: () => {},

  /** Show the state; only what may have changed is drawn again, so that one can step quickly. */
  show(addresses) {
    const [focus, row] = [document.activeElement?.dataset?.address, document.activeElement?.closest?.("[data-who]")?.dataset.who];
    const owners = addresses ? new Set(addresses.map((address) => address.split(".")[0])) : null;
    this.places = placesInOrder();
    const [those, before] = [inRows(), this.now];
    this.now = present();
    for (const who of this.rows.keys()) if (!those.includes(who)) this.drop(who);
    for (const who of those) if (!owners || owners.has(who) || !this.rows.has(who)) this.combatant(who);
    const stays = owners && !["order", "due"].some((owner) => owners.has(owner)) && same(before, this.now) && same(those, this.those);
    if (!stays) this.mark(those);
    if (!owners || owners.has("effects")) this.drawUnborne();
    this.arrange(those);
    this.then();
    if (focus && document.activeElement === document.body) this.focus(focus, row);
  },

  /** Give the focus back to a value that was drawn again; one that stands in several rows to that of the same row. */
  focus(address, who) {
    const selector = `[data-address="${CSS.escape(address)}"]`;
    (this.rows.get(who)?.querySelector(selector) ?? document.querySelector(selector))?.focus({ preventScroll: true });
  },

  drop(who) {
    this.rows.get(who).remove();
    this.rows.delete(who);
  },

  combatant(who) {
    const before = this.rows.get(who);
    const row = element("li", { "data-who": who }, before?.firstChild ?? element("span", { class: "place" }));
    const name = element("span", { class: "name" }, this.box(who), value(`${who}.name`));
    if ((data.hidden ?? []).includes(who)) name.append(" ", element("span", { class: "own" }, "hidden"));
    if (isOwn(who)) name.append(" ", element("span", { class: "own" }, "yours"));
    if (read(who, "side") !== who) name.append(" ", element("span", { class: "side" }, value(`${who}.side`)));
    row.append(name, points(who), element("span", { class: "standing" }, ...standing(who)));
    before?.replaceWith(row);
    this.rows.set(who, row);
    this.emphasise(who);
  },

  /** Say round and turn, and in each row its places in the order. */
  mark(those) {
    this.those = those;
    const { turn, ...moment } = this.now;
    const words = element("strong", {}, capital(momentWords(moment)));
    this.clock.replaceChildren(words, ...(turn ? [", turn of ", element("bdi", {}, nameOf(turn))] : []));
    for (const who of those) {
      this.rows.get(who).firstChild.replaceChildren(...placeWords(who));
      this.emphasise(who);
    }
  },

  /** Say which effects are on nobody. */
  drawUnborne() {
    const found = shown.state.get("effects")?.value;
    this.unborne.hidden = !found;
    this.unborne.replaceChildren(...(found ? ["Effects on nobody: ", value("effects", found.map(unborne).join(", "))] : []));
  },

  /** Make those stand out who act now, and strike out who left. */
  emphasise(who) {
    const row = this.rows.get(who);
    row.className = [actsNow(who) && "now", read(who, "gone") && "gone", isOwn(who) && "mine"].filter(Boolean).join(" ");
    if (actsNow(who)) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  },

  /** Put the rows where they belong; nothing moves that stands there already. */
  arrange(those) {
    const down = those.filter(isFolded);
    put(this.list, those.filter((who) => !down.includes(who)).map((who) => this.rows.get(who)));
    put(this.fallen.querySelector("ol"), down.map((who) => this.rows.get(who)));
    this.fallen.hidden = !down.length;
    this.fallen.querySelector("summary").replaceChildren("Down and out: ", ...namesOf(down, ", "));
  },
};

/** Make elements the children of a list, in this order. */
function put(list, rows) {
  if (rows.length !== list.children.length || rows.some((row, number) => list.children[number] !== row)) list.replaceChildren(...rows);
}

/** The numbers of everybody's places in the order, by id; who acts several times has several. */
function placesInOrder() {
  const found = new Map();
  for (let number = 1; shown.state.has(`order.${number}`); number += 1) {
    for (const who of shown.state.get(`order.${number}`).value.combatants) found.set(who, [...(found.get(who) ?? []), number]);
  }
  return found;
}

/** Everybody as the rows stand: one's own first, then the order, then those without a place. */
function inRows() {
  const those = [...shown.state.keys()].filter((address) => address.endsWith(".name")).map((address) => address.slice(0, -5));
  const first = (who) => statePane.places.get(who)?.[0] ?? Number.MAX_SAFE_INTEGER;
  return those.sort((one, other) => isOwn(other) - isOwn(one) || first(one) - first(other));
}

/** Whether a row is folded away: of those who have left or are down, and are neither one's own nor on; players' characters who are down need help. */
const isFolded = (who) => !isOwn(who) && !actsNow(who) && Boolean(read(who, "gone") || (read(who, "status") !== "up" && !isOfPlayers(who)));

/** What the side of the players is called, where nobody says whose characters are on it. */
const SIDES_OF_PLAYERS = new Set(["party", "pcs", "heroes", "players"]);

/** Whether a combatant stands on the side of the players. */
function isOfPlayers(who) {
  const theirs = [...(data.players ?? []), ...(data.own ?? [])];
  return theirs.includes(who) || SIDES_OF_PLAYERS.has(read(who, "side")) || theirs.some((each) => read(each, "side") === read(who, "side"));
}

/** Round, segment and phase: of the clock or, where it does not count them, of the event; and whose turn it is. */
function present() {
  const { round, segment, phase } = momentAt(shown.place);
  return { round, segment, phase, ...shown.state.get("clock")?.value };
}

/** Whether a combatant acts now: it is their turn or, in a game without turns, their segment or phase. */
function actsNow(who) {
  const { turn, segment, phase } = statePane.now;
  if (turn || unit === "turn") return turn === who;
  const slots = (statePane.places.get(who) ?? []).map((number) => shown.state.get(`order.${number}`).value);
  return isDue(who) && slots.some((slot) => (slot.segment ? slot.segment === segment : Boolean(slot.phase) && slot.phase === phase));
}

/** Whether a combatant is still to act. */
const isDue = (who) => (shown.state.get("due")?.value ?? []).includes(who);

/** Whether a combatant belongs to the player who looks at the page. */
const isOwn = (who) => (data.own ?? []).includes(who);

/** A field of a combatant in the state that is shown. */
const read = (who, field) => shown.state.get(`${who}.${field}`)?.value;

/**
 * A value as it is shown: a button that says why, if a reason is known.
 * @param {string} address
 * @param {string} [text] what to show, if it is not the value itself
 */
function value(address, text) {
  const leaf = shown.state.get(address);
  const words = text ?? worded(leaf?.value);
  const said = element("bdi", {}, words);
  if (!leaf || leaf.why < 0) return element("span", { class: "value", "data-address": address }, said);
  return element("button", { type: "button", class: "value", "data-address": address, "aria-haspopup": "true",
    click: (event) => why.open(address, event.currentTarget) }, said);
}

/** Hit points as a bar and in figures; the hatched part is what non-lethal damage has reached. */
function points(who) {
  const [hp, most, nld, temp] = ["hp", "hp_max", "nld", "temp"].map((field) => read(who, field));
  const found = element("span", { class: "points" });
  if (typeof hp === "number") found.append(bar(hp, most ?? hp, nld ?? 0));
  const word = shown.place === count - 1 ? data.words?.[who] : undefined;
  if (hp === null && word) return element("span", { class: "points" }, element("span", { class: `word ${word}` }, word));
  if (typeof hp === "string") return element("span", { class: `points word ${hp}` }, value(`${who}.hp`));
  found.append(value(`${who}.hp`, hp === null ? "hp unknown" : String(hp)));
  if (most !== undefined) found.append(" of ", value(`${who}.hp_max`), " hp");
  else if (hp !== null) found.append(" hp");
  if (temp) found.append(", ", value(`${who}.temp`), " temporary");
  if (nld) found.append(", ", value(`${who}.nld`), " non-lethal");
  return found;
}

/** A bar of hit points. */
function bar(hp, most, nld) {
  const part = (number) => `${Math.max(0, Math.min(100, (100 * number) / Math.max(most, 1)))}%`;
  const full = element("span", { class: "full" });
  full.style.width = part(hp);
  const hurt = element("span", { class: "nld" });
  hurt.style.width = part(Math.min(hp, nld));
  return element("span", { class: "bar", "aria-hidden": "true" }, full, hurt);
}

/** What is to be said of a combatant besides its points: status, burdens, what is left. */
function standing(who) {
  const found = [element("span", { class: `status ${read(who, "status") === "up" ? "up" : "not-up"}` }, value(`${who}.status`))];
  const say = (words, ...parts) => found.push(element("span", { class: "burden" }, words, ...parts));
  if (read(who, "conditions")) say("", value(`${who}.conditions`, (read(who, "lasting")?.map(effect) ?? read(who, "conditions")).join(", ")));
  if (read(who, "casting")) say("casting ", value(`${who}.casting`));
  if (read(who, "concentration")) say("concentrates on ", value(`${who}.concentration`));
  if (read(who, "effects")) say("effects ", value(`${who}.effects`, read(who, "effects").map(effect).join(", ")));
  for (const field of ownFields(who)) say(`${field.replaceAll(".", " ")} `, value(`${who}.${field}`));
  if (read(who, "square")) say("at ", value(`${who}.square`, read(who, "square").join(",")));
  const left = [...shown.state.keys()].filter((address) => address.startsWith(`${who}.left.`));
  if (left.length && read(who, "status") === "up") say("left: ", ...left.flatMap((address, number) => leftover(address, number, who)));
  return found;
}

/** An effect or condition with how long it lasts. */
const effect = ([name, left, of]) => (left === null ? name : `${name} (${left}${of ? ` ${of}${left === 1 ? "" : "s"}` : ""})`);

/** An effect on nobody, with who it comes from. */
const unborne = ([name, left, of, source]) => `${effect([name, left, of])}${source ? ` from ${nameOf(source)}` : ""}`;

/** What is left of one resource. */
function leftover(address, number, who) {
  const what = address.slice(`${who}.left.`.length);
  return [number ? ", " : "", `${what} `, value(address)];
}

/** The fields that have a place of their own above. */
const USUAL = new Set(["name", "side", "hp", "hp_max", "temp", "nld", "status", "conditions", "lasting", "casting", "concentration", "effects", "square", "gone"]);

/** The fields of a combatant that only this ruleset has. */
function ownFields(who) {
  return [...shown.state.keys()].filter((address) => address.startsWith(`${who}.`)).map((address) => address.slice(who.length + 1))
    .filter((field) => !USUAL.has(field) && !field.startsWith("left."));
}

/** The places of a combatant in the order, each a button that says why, with what it is sorted by; a sign says how far they are. */
function placeWords(who) {
  const numbers = statePane.places.get(who);
  if (!numbers) return [];
  const [sign, says] = actsNow(who) ? ["▶", "acts now"] : isDue(who) ? ["○", "is due"] : ["✓", "is through"];
  const places = numbers.flatMap((number) => {
    const { segment, phase, key } = shown.state.get(`order.${number}`).value;
    const by = segment ? `segment ${segment}` : phase ? `phase ${phase}` : keyWords(key);
    return [" ", value(`order.${number}`, String(number)), by ? element("span", { class: "by" }, ` ${by}`) : ""];
  });
  return [element("span", { class: "sign", title: says, role: "img", "aria-label": says }, sign), ...places];
}

/** What a place is sorted by first: what only separates ties is said to who asks why. */
function keyWords(key) {
  const [name, part] = Object.entries(key).find(([, each]) => (typeof each === "number" || typeof each === "string") && each !== 0 && each !== "") ?? [];
  return name === undefined ? "" : `${name} ${part}`;
}
