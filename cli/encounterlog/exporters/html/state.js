/** The state that is shown, and the place of its event. */
const shown = { place: -1, state: new Map() };

/** The pane with round and turn, and one list: everybody in the order of the round, with all that is known of them. */
const statePane = {
  clock: document.getElementById("clock"),
  unborne: document.getElementById("effects"),
  list: document.getElementById("combatants"),
  fallen: document.getElementById("fallen"),
  /** The combatants' rows by id, their places in the order, and the time. */
  rows: new Map(),
  places: new Map(),
  now: {},
  /** The additions of a page that is played on: a box before the name with which a row is chosen, and its work after each step. */
  box: () => "",
  then: () => {},
  /** Whether the fight is over at the shown event, which only a page that is played on says. */
  isOver: () => false,
  /** How a row looks is said elsewhere: `named` gives the name, `complete` the rest of the row, `placed` the places in the order, `moment` the words of the clock. */

  /** Show the state; only parts that may have changed are drawn again, so that one can step quickly. */
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

  /** Make the row of a combatant: its place, its name with its marks, and the rest. */
  combatant(who) {
    const before = this.rows.get(who);
    const row = element("li", { "data-who": who }, before?.firstChild ?? element("span", { class: "place" }));
    const name = element("span", { class: "name" }, this.box(who), this.named(who));
    if (isHidden(who)) name.append(" ", element("span", { class: "own" }, "hidden"));
    if (isOwn(who)) name.append(" ", element("span", { class: "own" }, "yours"));
    row.append(name);
    this.complete(row, name, who);
    this.rows.set(who, row);
    this.emphasise(who);
    before?.replaceWith(row);
  },

  /** Say round and turn above, and in each row its places in the order; a place that stays is not drawn again. */
  mark(those) {
    this.those = those;
    this.clock.replaceChildren(...this.moment(this.now));
    for (const who of those) {
      const place = element("span", { class: "place" }, ...this.placed(who, this.places.get(who)));
      if (!place.isEqualNode(this.rows.get(who).firstChild)) this.rows.get(who).firstChild.replaceWith(place);
      this.emphasise(who);
    }
  },

  /** Mark the combatants who act now, and strike out the ones who left. */
  emphasise(who) {
    const [row, acts] = [this.rows.get(who), actsNow(who) && !this.isOver()];
    for (const [name, wanted] of Object.entries({ now: acts, gone: read(who, "gone"), mine: isOwn(who) })) row.classList.toggle(name, Boolean(wanted));
    if (acts) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  },

  drop(who) {
    this.rows.get(who).remove();
    this.rows.delete(who);
  },

  /** Say which effects are on nobody. */
  drawUnborne() {
    const found = shown.state.get("effects")?.value;
    this.unborne.hidden = !found;
    this.unborne.replaceChildren(...(found ? ["Effects on nobody: ", value("effects", found.map(unborne).join(", "))] : []));
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

/** Make elements the children of a list, in this order; the ones that are in place are not touched. */
function put(list, rows) {
  const wanted = new Set(rows);
  for (const each of [...list.children]) if (!wanted.has(each)) each.remove();
  rows.forEach((row, number) => list.children[number] !== row && list.insertBefore(row, list.children[number] ?? null));
}

/** The numbers of all places in the order, by the combatant's id; one who acts several times has several. */
function placesInOrder() {
  const found = new Map();
  for (let number = 1; shown.state.has(`order.${number}`); number += 1) {
    for (const who of shown.state.get(`order.${number}`).value.combatants) found.set(who, [...(found.get(who) ?? []), number]);
  }
  return found;
}

/** All combatants as the rows stand: one's own first, then the order, then the ones without a place. */
function inRows() {
  const those = [...shown.state.keys()].filter((address) => address.endsWith(".name")).map((address) => address.slice(0, -5));
  const first = (who) => statePane.places.get(who)?.[0] ?? Number.MAX_SAFE_INTEGER;
  return those.sort((one, other) => isOwn(other) - isOwn(one) || first(one) - first(other));
}

/** Whether a row is folded away: its combatant has left or is down, and is neither one's own nor on; players' characters who are down need help. */
const isFolded = (who) => !isOwn(who) && !actsNow(who) && Boolean(read(who, "gone") || (read(who, "status") !== "up" && !isOfPlayers(who)));

/** The name of the players' side, if no token says whose characters are on it. */
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

/** How far a combatant in the order is. */
const progress = (who) => (statePane.isOver() ? "is through" : actsNow(who) ? "acts now" : isDue(who) ? "is due" : "is through");

/** The first value that a place in the order is sorted by. */
function sortedBy(number) {
  const { segment, phase, key } = shown.state.get(`order.${number}`).value;
  return segment ? `segment ${segment}` : phase ? `phase ${phase}` : keyWords(key);
}

/** The points of a combatant, and the word that stands for them at the end of the log, if one is said. */
function pointsOf(who) {
  const [hp, most, nld, temp] = ["hp", "hp_max", "nld", "temp"].map((field) => read(who, field));
  return { hp, most, nld, temp, word: shown.place === count - 1 ? data.words?.[who] : undefined };
}

/** Whether a combatant is hidden from players. */
const isHidden = (who) => (data.hidden ?? []).includes(who);

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

/** A bar of hit points. */
function bar(hp, most, nld) {
  const part = (number) => `${Math.max(0, Math.min(100, (100 * number) / Math.max(most, 1)))}%`;
  const full = element("span", { class: "full" });
  full.style.width = part(hp);
  const hurt = element("span", { class: "nld" });
  hurt.style.width = part(Math.min(hp, nld));
  return element("span", { class: "bar", "aria-hidden": "true" }, full, hurt);
}

/** An effect or condition with how long it lasts. */
const effect = ([name, left, of]) => (left === null ? name : `${name} (${left}${of ? ` ${of}${left === 1 ? "" : "s"}` : ""})`);

/** An effect on nobody, with its source. */
const unborne = ([name, left, of, source]) => `${effect([name, left, of])}${source ? ` from ${nameOf(source)}` : ""}`;

/** The fields that have a place of their own above. */
const USUAL = new Set(["name", "side", "hp", "hp_max", "temp", "nld", "status", "conditions", "lasting", "casting", "concentration", "effects", "square", "gone"]);

/** The fields of a combatant that only this ruleset has. */
function ownFields(who) {
  return [...shown.state.keys()].filter((address) => address.startsWith(`${who}.`)).map((address) => address.slice(who.length + 1))
    .filter((field) => !USUAL.has(field) && !field.startsWith("left."));
}

/** The first value that a place is sorted by: values that only separate ties are among the reasons. */
function keyWords(key) {
  const [name, part] = Object.entries(key).find(([, each]) => (typeof each === "number" || typeof each === "string") && each !== 0 && each !== "") ?? [];
  return name === undefined ? "" : `${name} ${part}`;
}
