/* The rows of a replay: everything that is known of a combatant, each value with its reason. A page that is played on has rows of its own. */
Object.assign(statePane, {
  named: (who) => value(`${who}.name`),

  /** Add the side to the name, and points and standing to the row. */
  complete(row, name, who) {
    if (read(who, "side") !== who) name.append(" ", element("span", { class: "side" }, value(`${who}.side`)));
    row.append(points(who), element("span", { class: "standing" }, ...standing(who)));
  },

  /** Round and turn. */
  moment: ({ turn, ...moment }) => [element("strong", {}, capital(momentWords(moment))), ...(turn ? [", turn of ", element("bdi", {}, nameOf(turn))] : [])],

  /** A combatant's places in the order, each a button that shows its reasons, with the values that it is sorted by; a sign says how far they are. */
  placed(who, numbers) {
    if (!numbers) return [];
    const says = progress(who);
    const places = numbers.flatMap((number) => [" ", value(`order.${number}`, String(number)), sortedBy(number) ? element("span", { class: "by" }, ` ${sortedBy(number)}`) : ""]);
    return [element("span", { class: "sign", title: says, role: "img", "aria-label": says }, SIGNS[says]), ...places];
  },
});

/** The signs for how far a combatant is. */
const SIGNS = { "acts now": "▶", "is due": "○", "is through": "✓" };

/** Hit points as a bar and in figures; the hatched part is the one that non-lethal damage has reached. */
function points(who) {
  const { hp, most, nld, temp, word } = pointsOf(who);
  const found = element("span", { class: "points" });
  if (typeof hp === "number") found.append(bar(hp, most ?? hp, nld ?? 0));
  if (hp === null && word) return element("span", { class: "points" }, element("span", { class: `word ${word}` }, word));
  if (typeof hp === "string") return element("span", { class: `points word ${word ?? hp}` }, value(`${who}.hp`, word ?? hp));
  found.append(value(`${who}.hp`, hp === null ? "hp unknown" : String(hp)));
  if (most !== undefined) found.append(" of ", value(`${who}.hp_max`), " hp");
  else if (hp !== null) found.append(" hp");
  if (temp) found.append(", ", value(`${who}.temp`), " temporary");
  if (nld) found.append(", ", value(`${who}.nld`), " non-lethal");
  return found;
}

/** The notes on a combatant other than its points: status, burdens, remaining resources. */
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

/** The rest of one resource. */
function leftover(address, number, who) {
  const what = address.slice(`${who}.left.`.length);
  return [number ? ", " : "", `${what} `, value(address)];
}
