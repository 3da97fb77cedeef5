/**
 * An element with properties and children. Text goes in as text, so nothing in a log can become markup.
 * @param {string} tag
 * @param {Object<string, any>} properties class, attributes; `click` is a listener
 * @param {...(Node|string)} children
 */
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "click") made.addEventListener("click", value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Text in which names are isolated (between U+2068 and U+2069), as text and <bdi> elements. */
function isolated(text) {
  return text.split(/\u2068([^\u2069]*)\u2069/).map((part, number) => (number % 2 ? element("bdi", {}, part) : part));
}

/** The same text without the marks, for attributes. */
const bare = (text) => text.replace(/[\u2068\u2069]/g, "");

/** The name of a combatant in the state that is shown, or its id. */
const nameOf = (who) => shown.state.get(`${who}.name`)?.value ?? who;

/** Names in a row, each isolated: "Ada & Bo". */
function namesOf(those, between = " & ") {
  return those.flatMap((who, number) => (number ? [between, element("bdi", {}, nameOf(who))] : [element("bdi", {}, nameOf(who))]));
}

/** A sentence with a capital letter; a name at its beginning stays as it is. */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A value in words: lists with commas, nothing as "none". */
function worded(value) {
  if (value === null || value === undefined) return "unknown";
  if (Array.isArray(value)) return value.map(worded).join(", ") || "none";
  if (typeof value === "object") return Object.entries(value).map(([key, one]) => `${key} ${worded(one)}`).join(", ");
  return String(value);
}

/** A number with its noun: 1 round, 2 rounds. */
const counted = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

/** A moment in words: "round 2, segment 4", "round 1, Ada, second 3". */
function momentWords(moment) {
  const parts = [moment.round ? `round ${moment.round}` : "before round 1"];
  if (moment.turn) parts.push(`turn of ${nameOf(moment.turn)}`);
  if (moment.phase) parts.push(`phase ${moment.phase}`);
  if (moment.segment) parts.push(`segment ${moment.segment}`);
  if (moment.second) parts.push(`second ${moment.second}`);
  return parts.join(", ");
}

/** Whether two events belong to the same turn, phase or segment. */
function inOneUnit(one, other) {
  const [first, second] = [momentAt(one), momentAt(other)];
  return first.round === second.round && (first[unit] ?? 0) === (second[unit] ?? 0);
}

/** Bytes as hexadecimal digits. */
const toHex = (bytes) => Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
