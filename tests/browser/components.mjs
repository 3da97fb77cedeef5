// The components of the page without a page: node components.mjs COMPONENTS PREACT prints what they show.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [, , components, preact] = process.argv;
const { html } = await import(pathToFileURL(preact));
const source = readFileSync(components, "utf8");
const made = new Function("html", `${source}\nreturn { Points, Deeds };`)(html);

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
console.log(JSON.stringify({
  points: plain(made.Points({ one, why: () => {} })),
  unknown: plain(made.Points({ one: { ...one, hp: null } })),
  markup: plain(made.Deeds({ deeds: [{ ...scimitar, name: "<img src=x>" }], choose: () => {} })),
}));
