/* The rows of a replay: everything that is known of a combatant, each value with its reason. A page that is played on has rows of its own. */
Object.assign(statePane, {
  /** Make the row of a combatant. */
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

  /** Make those stand out who act now, and strike out who left. */
  emphasise(who) {
    const row = this.rows.get(who);
    row.className = [actsNow(who) && "now", read(who, "gone") && "gone", isOwn(who) && "mine"].filter(Boolean).join(" ");
    if (actsNow(who)) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  },
});

/** Hit points as a bar and in figures; the hatched part is what non-lethal damage has reached. */
function points(who) {
  const [hp, most, nld, temp] = ["hp", "hp_max", "nld", "temp"].map((field) => read(who, field));
  const found = element("span", { class: "points" });
  if (typeof hp === "number") found.append(bar(hp, most ?? hp, nld ?? 0));
  const word = shown.place === count - 1 ? data.words?.[who] : undefined;
  if (hp === null && word) return element("span", { class: "points" }, element("span", { class: `word ${word}` }, word));
  if (typeof hp === "string") return element("span", { class: `points word ${word ?? hp}` }, value(`${who}.hp`, word ?? hp));
  found.append(value(`${who}.hp`, hp === null ? "hp unknown" : String(hp)));
  if (most !== undefined) found.append(" of ", value(`${who}.hp_max`), " hp");
  else if (hp !== null) found.append(" hp");
  if (temp) found.append(", ", value(`${who}.temp`), " temporary");
  if (nld) found.append(", ", value(`${who}.nld`), " non-lethal");
  return found;
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

/** What is left of one resource. */
function leftover(address, number, who) {
  const what = address.slice(`${who}.left.`.length);
  return [number ? ", " : "", `${what} `, value(address)];
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
