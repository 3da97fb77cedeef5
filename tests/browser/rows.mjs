/* Draws the row of a combatant without a page, by the scripts that are named, and prints what it says, with what stands out. */
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

class Fake {
  constructor(tag, attributes = {}, ...children) {
    Object.assign(this, { tag, attributes: { ...attributes }, children: [], dataset: {}, style: {}, classes: new Set((attributes.class ?? "").split(" ").filter(Boolean)) });
    this.classList = {
      add: (name) => this.classes.add(name),
      toggle: (name, wanted) => (wanted ? this.classes.add(name) : this.classes.delete(name)),
    };
    this.append(...children);
  }

  get firstChild() {
    return this.children[0];
  }

  append(...children) {
    for (const each of children) {
      if (each === "") continue;
      if (each instanceof Fake) {
        each.parent?.children.splice(each.parent.children.indexOf(each), 1);
        each.parent = this;
      }
      this.children.push(each);
    }
  }

  before() {} // only initials, which say nothing that the name does not

  replaceChildren(...children) {
    this.children = [];
    this.append(...children);
  }

  replaceWith(other) {
    this.parent?.children.splice(this.parent.children.indexOf(this), 1, other);
    other.parent = this.parent;
  }

  isEqualNode(other) {
    return said(this) === said(other);
  }

  setAttribute(name, text) {
    this.attributes[name] = text;
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }
}

const said = (node) => (node instanceof Fake ? node.children.map(said).join("") : String(node));

const leaf = (value) => ({ value, why: -1 });
const state = new Map(Object.entries({
  "ana.name": "Ana", "ana.side": "party", "ana.hp": 9, "ana.hp_max": 20, "ana.temp": 2, "ana.nld": 0, "ana.status": "up", "ana.conditions": ["prone"],
  "ogre.name": "Ogre", "ogre.side": "foes", "ogre.hp": "hurt", "ogre.status": "up", clock: { round: 2, turn: "ana" }, due: ["ogre"],
  "order.1": { combatants: ["ana"], key: { total: 15 } }, "order.2": { combatants: ["ogre"], key: { total: 9 } },
}).map(([address, value]) => [address, leaf(value)]));

/** What the rows of a page say, which has closed or not. */
function drawn(closed) {
  const made = new Map();
  const sandbox = {
    document: { getElementById: (id) => made.get(id) ?? made.set(id, new Fake("div")).get(id) },
    element: (tag, attributes, ...children) => new Fake(tag, attributes, ...children),
    data: { own: ["ana"], hidden: ["ogre"], closed },
    count: 1,
    unit: "turn",
    cardControls: { grammar: { everybody: true, order: "i {who}={total}" } },
    nameOf: (who) => state.get(`${who}.name`).value,
    worded: String,
    capital: (text) => text,
    momentAt: () => ({}),
    momentWords: ({ round }) => `round ${round}`,
    why: { open: () => {} },
  };
  createContext(sandbox);
  const scripts = process.argv.slice(2).map((name) => readFileSync(name, "utf-8")).join("\n");
  return runInContext(`${scripts}
    shown.place = 0;
    shown.state = fill();
    statePane.places = placesInOrder();
    statePane.now = present();
    const found = {};
    for (const who of ["ana", "ogre"]) statePane.combatant(who);
    statePane.mark(["ana", "ogre"]);
    statePane.combatant("ana");
    statePane.mark(["ana", "ogre"]);
    for (const [who, row] of statePane.rows) found[who] = tell(row);
    ({ ...found, clock: tell(statePane.clock).says });`, Object.assign(sandbox, {
    fill: () => state,
    tell: (node) => ({ says: said(node).replaceAll(/\s+/g, " ").trim(), is: [...node.classes].sort(), now: node.attributes["aria-current"] ?? "" }),
  }));
}

console.log(JSON.stringify({ open: drawn(false), closed: drawn(true) }));
