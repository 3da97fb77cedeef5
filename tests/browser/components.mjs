// The components of the page without a page: node components.mjs COMPONENTS PREACT prints what they show.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , components, preact] = process.argv;
const { html } = await import(pathToFileURL(preact));
const source = readFileSync(components, "utf8");
const made = new Function("html", `${source}\nreturn { Points, Deeds, Blow, May, Start, Search, Findings, Palette, deedWords, signed };`)(html);

/** What a tree shows as text; its buttons in brackets. */
function text(node) {
  if (node === null || node === undefined || typeof node === "boolean") return "";
  if (Array.isArray(node)) return node.map(text).join("");
  if (typeof node !== "object") return String(node);
  if (typeof node.type === "function") return text(node.type(node.props));
  const inside = text(node.props.children);
  return node.type === "button" ? `[${inside.trim()}]` : inside;
}

const plain = (node) => text(node).replace(/\s+/g, " ").trim();
const one = { id: "ana", name: "Ana", hp: 15, most: 24, temp: 3, nld: 0 };
const scimitar = { name: "Scimitar", attack: true, hit: 4, damage: [{ dice: "1d6+2", type: "slashing" }] };
const breath = { name: "Fire Breath", attack: false, damage: [{ dice: "18d6", type: "fire" }], save: { ability: "dex", dc: 21, success: "half" }, often: "recharge 5" };
const blow = { deed: scimitar, on: new Set(["ana"]), saved: new Set(), die: "", amount: "", open: null };
const does = {};
console.log(JSON.stringify({
  points: plain(made.Points({ one, why: () => {} })),
  unknown: plain(made.Points({ one: { ...one, hp: null } })),
  deeds: plain(made.Deeds({ deeds: [scimitar, breath], choose: () => {} })),
  aimed: plain(made.Blow({ blow, targets: [{ id: "ana", name: "Ana", ac: 17 }], does })),
  unaimed: plain(made.Blow({ blow: { ...blow, on: new Set() }, targets: [{ id: "ana", name: "Ana", ac: 17 }], does })),
  saves: plain(made.Blow({ blow: { ...blow, deed: breath }, targets: [{ id: "ana", name: "Ana", ac: 17 }], does })),
  asked: plain(made.Blow({ blow: { ...blow, open: { id: "ana", says: "Does it hit Ana?" } }, targets: [], does })),
  hits: plain(made.Blow({ blow: { ...blow, open: { id: "ana", hit: true, says: "It hits Ana" } }, targets: [], does })),
  may: plain(made.May({ may: [{ status: "open", kind: "resource", what: "action", left: 1, says: "action: 1 left" }, { status: "barred", kind: "resource", says: "bonus: 0 left", rules: [{ id: "x.y", says: "One a turn." }] }] })),
  nothing: plain(made.Findings({ found: [] })),
  palette: plain(made.Palette({ typed: "n", found: [{ words: "Next", key: "n" }, { line: "n" }], at: 0, says: "", does })),
  empty: plain(made.Palette({ typed: "zz", found: [], at: 0, says: "", does })),
  signed: [made.signed(4), made.signed(-1)],
  markup: plain(made.Deeds({ deeds: [{ ...scimitar, name: "<img src=x>" }], choose: () => {} })),
}));
