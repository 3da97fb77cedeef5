/** The state that is shown, and the place of its event. */
const shown = { place: -1, state: new Map() };

/** The pane with clock, order and combatants. */
const statePane = {
  order: document.getElementById("order"),
  list: document.getElementById("combatants"),
  /** The items of the combatants, by id. */
  items: new Map(),

  /** Show the state; only what may have changed is drawn again, so that one can step quickly. */
  show(addresses) {
    const focus = document.activeElement?.dataset?.address;
    const owners = addresses ? new Set(addresses.map((address) => address.split(".")[0])) : null;
    const those = [...shown.state.keys()].filter((address) => address.endsWith(".name")).map((address) => address.slice(0, -5));
    those.sort((one, other) => isOwn(other) - isOwn(one));
    for (const who of this.items.keys()) if (!those.includes(who)) this.drop(who);
    for (const who of those) if (!owners || owners.has(who) || !this.items.has(who)) this.combatant(who);
    if (!owners || ["order", "due", "clock"].some((owner) => owners.has(owner))) this.drawOrder();
    if (focus && document.activeElement === document.body) {
      document.querySelector(`[data-address="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
    }
  },

  drop(who) {
    this.items.get(who).remove();
    this.items.delete(who);
  },

  combatant(who) {
    const before = this.items.get(who);
    const item = element("li", { class: read(who, "gone") ? "gone" : "", "data-who": who });
    item.append(element("span", { class: "name" }, value(`${who}.name`)));
    if (read(who, "side") !== who) item.append(element("span", { class: "side" }, value(`${who}.side`)));
    if (isOwn(who)) item.append(element("span", { class: "own" }, "yours"));
    item.append(points(who), element("span", { class: "standing" }, ...standing(who)));
    if (before) before.replaceWith(item);
    else this.list.append(item);
    this.items.set(who, item);
  },

  drawOrder() {
    const due = new Set(shown.state.get("due")?.value ?? []);
    const acting = shown.state.get("clock")?.value.turn;
    const slots = [];
    for (let number = 1; shown.state.has(`order.${number}`); number += 1) slots.push(slot(number, due, acting));
    if (!slots.length) slots.push(element("li", { class: "none" }, "no order yet"));
    this.order.replaceChildren(...slots);
  },
};

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
  if (read(who, "conditions")) say("", value(`${who}.conditions`));
  if (read(who, "casting")) say("casting ", value(`${who}.casting`));
  if (read(who, "concentration")) say("concentrates on ", value(`${who}.concentration`));
  if (read(who, "effects")) say("effects ", value(`${who}.effects`, read(who, "effects").map(effect).join(", ")));
  for (const field of ownFields(who)) say(`${field.replaceAll(".", " ")} `, value(`${who}.${field}`));
  if (read(who, "square")) say("at ", value(`${who}.square`, read(who, "square").join(",")));
  const left = [...shown.state.keys()].filter((address) => address.startsWith(`${who}.left.`));
  if (left.length && read(who, "status") === "up") say("left: ", ...left.flatMap((address, number) => leftover(address, number, who)));
  return found;
}

/** An effect with how long it lasts. */
const effect = ([name, left, of]) => (left === null ? name : `${name} (${left}${of ? ` ${of}${left === 1 ? "" : "s"}` : ""})`);

/** What is left of one resource. */
function leftover(address, number, who) {
  const what = address.slice(`${who}.left.`.length);
  return [number ? ", " : "", `${what} `, value(address)];
}

/** The fields that have a place of their own above. */
const USUAL = new Set(["name", "side", "hp", "hp_max", "temp", "nld", "status", "conditions", "casting", "concentration", "effects", "square", "gone"]);

/** The fields of a combatant that only this ruleset has. */
function ownFields(who) {
  return [...shown.state.keys()].filter((address) => address.startsWith(`${who}.`)).map((address) => address.slice(who.length + 1))
    .filter((field) => !USUAL.has(field) && !field.startsWith("left."));
}

/** A place in the order: its segment or phase, and those who act there at once. */
function slot(number, due, acting) {
  const leaf = shown.state.get(`order.${number}`);
  const { combatants, segment, phase, key } = leaf.value;
  const place = segment ? `segment ${segment}` : phase ? `phase ${phase}` : keyWords(key);
  const sign = combatants.includes(acting) ? "▶" : combatants.some((who) => due.has(who)) ? "○" : "✓";
  const says = { "▶": "acts now", "○": "is due", "✓": "is through" }[sign];
  return element("li", {}, element("span", { class: "sign", title: says, role: "img", "aria-label": says }, sign), " ",
    value(`order.${number}`, combatants.map(nameOf).join(" & ")), place ? element("span", { class: "place" }, ` ${place}`) : "");
}

/** The parts of the key that sorts a place, as far as they are plain. */
function keyWords(key) {
  return Object.entries(key).filter(([, part]) => (typeof part === "number" || typeof part === "string") && part !== 0 && part !== "")
    .map(([name, part]) => `${name} ${part}`).join(" ");
}
