/** What this tab keeps under a name, sets and maps too; a browser that keeps nothing has none of it. */
const tab = {
  kept(name) {
    try {
      return JSON.parse(sessionStorage.getItem(`${name} ${encounterName}`), (_, value) => (value?.those ? new Set(value.those) : value?.pairs ? new Map(value.pairs) : value));
    } catch {
      return null;
    }
  },

  keep(name, what) {
    try {
      sessionStorage.setItem(`${name} ${encounterName}`, JSON.stringify(what, (_, value) => (value instanceof Set ? { those: [...value] } : value instanceof Map ? { pairs: [...value] } : value)));
    } catch {
      // nothing is kept
    }
  },
};

/** The service's answer to a question; null if it refuses to answer, or without a connection. */
async function fetched(address) {
  try {
    const response = await fetch(address, { cache: "no-store" });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

/** Everything that the page writes is sent here and nowhere else, and here it is decided whether it is kept from players. */
const sending = {
  /** The box by which a game master says so; a player has none. */
  box: document.getElementById("secret"),

  isSecret: () => Boolean(sending.box?.checked),

  /** A line, a decision or facts as they are sent: in secret if the box is ticked. */
  marked(body) {
    if (!this.isSecret()) return body;
    return Array.isArray(body) ? body.map((each) => ({ ...each, secret: true })) : { ...body, secret: true };
  },

  /** Send something, and return whether it was taken, and the answer; the tick that was sent goes once something is written. */
  async post(where, body, headers = {}) {
    const sent = this.marked(body);
    const given = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(sent) };
    const response = await fetch(`${service}/${where}`, given);
    const said = await response.json();
    if (said.first && sent !== body) this.box.checked = false;
    return { ok: response.ok, said };
  },

  /** The number of written facts that are kept from players, in words. */
  kept({ withheld, first, last, facts = [] }) {
    if (!withheld) return [];
    const [some, all] = [withheld.length, last - first + 1];
    const words = some === all ? "Kept from players." : `Kept from players: ${some} of ${counted(all, "fact")}.`;
    return [element("p", { class: "kept" }, words, this.inferred(facts, some === all))];
  },

  /** What players can infer from what is kept from them, said once. */
  inferred(facts, all) {
    const said = (type) => facts.some((each) => each.type === type);
    const seen = said("damage_dealt") && !all ? "damage from nobody" : said("turn_started") ? "a turn of nobody" : "";
    if (!seen || tab.kept("inferred")?.includes(seen)) return "";
    tab.keep("inferred", [...(tab.kept("inferred") ?? []), seen]);
    return ` They see ${seen}, and can infer that somebody is hidden.`;
  },
};
