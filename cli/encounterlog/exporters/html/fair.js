/*
 * The dice of the log, checked by this page alone: SHA-256 and HMAC in plain script, as browsers give pages without TLS, and files,
 * none of their own. eventstore/FORMAT.md describes the scheme.
 */

/** The constants of SHA-256: the first 32 bits of the fractions of the roots of the first primes. */
const [ROOTS, START] = (() => {
  const primes = [];
  for (let each = 2; primes.length < 64; each += 1) if (primes.every((prime) => each % prime)) primes.push(each);
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  return [primes.map((prime) => fraction(Math.cbrt(prime))), primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))];
})();
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The SHA-256 of bytes. */
function sha256(bytes) {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const padded = new DataView(new ArrayBuffer(length));
  new Uint8Array(padded.buffer).set([...bytes, 0x80]);
  padded.setUint32(length - 4, bytes.length * 8);
  const state = Int32Array.from(START);
  for (let at = 0; at < length; at += 64) mix(state, padded, at);
  const found = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => found.setInt32(4 * place, word));
  return new Uint8Array(found.buffer);
}

/** Take a block of 64 bytes into the state. */
function mix(state, view, at) {
  const words = new Int32Array(64);
  for (let step = 0; step < 16; step += 1) words[step] = view.getInt32(at + 4 * step);
  for (let step = 16; step < 64; step += 1) {
    const [low, high] = [words[step - 15], words[step - 2]];
    const [small, large] = [turned(low, 7) ^ turned(low, 18) ^ (low >>> 3), turned(high, 17) ^ turned(high, 19) ^ (high >>> 10)];
    words[step] = words[step - 16] + small + words[step - 7] + large;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let step = 0; step < 64; step += 1) {
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROOTS[step] + words[step]) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => { state[place] += word; });
}

/** The HMAC-SHA-256 of bytes under a key of 32 bytes. */
function hmac(key, bytes) {
  const padded = (mark) => Array.from({ length: 64 }, (_, place) => (key[place] ?? 0) ^ mark);
  return sha256([...padded(0x5c), ...sha256([...padded(0x36), ...bytes])]);
}

const ofHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (each) => Number.parseInt(each, 16));

/** The faces that a roll must show. */
function facesOf({ link, number, word, notation }) {
  const [, times, sided] = /^(\d*)d(\d+|%)/i.exec(notation) ?? [];
  const [many, sides, shown] = [Number(times || 1), sided === "%" ? 100 : Number(sided), []];
  const limit = Math.floor(2 ** 32 / sides) * sides;
  for (let block = 0; sides && shown.length < many; block += 1) {
    const drawn = new DataView(hmac(ofHex(link), new TextEncoder().encode(`${number}:${block}:${word}`)).buffer);
    for (let at = 0; at < 32; at += 4) if (drawn.getUint32(at) < limit) shown.push(1 + (drawn.getUint32(at) % sides));
  }
  return shown.slice(0, many);
}

/** The words for a roll whose link does not follow from the last one; "" if it does. */
function brokenLink(roll, chain) {
  if (roll.number <= chain.number) return "its link was used before";
  if (roll.number > chain.length) return "it is beyond the chain";
  let link = ofHex(roll.link);
  for (let step = chain.number; step < roll.number; step += 1) link = sha256(link);
  if (toHex(link) !== chain.link) return "its link is of another secret";
  const missing = roll.number - chain.number - 1;
  Object.assign(chain, { link: roll.link, number: roll.number });
  return missing && !roll.hidden ? `${counted(missing, "link")} of the chain before it left out` : "";
}

/** The page's findings on the dice: each roll with its level, or with its fault. */
function judged({ chains, rolls }) {
  const [current, words, found] = [new Map(), new Map(), []];
  for (const one of [...chains, ...rolls].sort((a, b) => a.seq - b.seq)) {
    const before = current.get(one.hidden);
    if (one.holder !== undefined) {
      if (before && before.number < before.length) found.push({ seq: one.seq, wrong: "a second chain was begun before the first was used up" });
      current.set(one.hidden, { ...one, number: 0 });
    } else found.push({ ...one, ...verdict(one, before, words) });
  }
  return found;
}

/** The level of a roll, or its fault. */
function verdict(roll, chain, words) {
  if (!words.has(roll.word)) words.set(roll.word, roll.append);
  const broken = chain ? brokenLink(roll, chain) : "it is of a chain that was never begun";
  if (broken) return { wrong: broken };
  if (!roll.faces.length) return roll.withheld ? { level: "withheld" } : { wrong: "it was drawn and not used" };
  const wanted = facesOf(roll);
  if (wanted.join() !== roll.faces.join()) return { wrong: `the chain gives ${wanted.join(", ")}` };
  if (words.get(roll.word) !== roll.append) return { wrong: "its word was used before" };
  return { level: roll.giver && roll.giver !== chain.holder ? "proven" : "bound" };
}

/** The pane with the page's findings on dice. */
const fair = {
  pane: document.getElementById("dice"),
  /** The further knowledge of a page about a roll, such as whether its word was given here. */
  besides: () => "",
  /** The head of the log that was checked last: to check again costs time. */
  checked: "",

  draw() {
    this.pane.hidden = !data.dice;
    if (!data.dice || this.checked === data.head) return;
    this.checked = data.head;
    const found = judged(data.dice).map((each) => ({ ...each, wrong: each.wrong || this.besides(each) }));
    const wrong = found.filter((each) => each.wrong);
    const number = (level) => found.filter((each) => !each.wrong && each.level === level).length;
    const says = `Dice: ${number("proven")} proven, ${number("bound")} bound, ${data.dice.typed} typed; ${wrong.length ? counted(wrong.length, "fault") : "this page has checked every roll"}`;
    this.pane.querySelector("summary").textContent = says;
    this.pane.querySelector("ol").replaceChildren(...found.map((each) => this.item(each)));
    this.pane.classList.toggle("wrong", wrong.length > 0);
  },

  item({ seq, number, hidden, notation, faces, giver, level, wrong, event }) {
    const roll = number ? `${hidden ? "secret roll" : "roll"} ${number}, ${notation} ${(faces ?? []).join(", ")}` : "chain";
    const words = wrong ? `wrong: ${wrong}` : `right, ${level}${level === "proven" ? ` by a word of ${giver}` : ""}`;
    return element("li", {}, `${roll} (event ${event ?? seq}): `, wrong ? element("strong", {}, words) : words);
  },
};
followers.push({ show: () => fair.draw() });
