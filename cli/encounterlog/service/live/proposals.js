/** Acts of players on others' combatants: a game master accepts or declines them; the player who proposed one waits, and sees the decision. */
const proposals = {
  pane: field("proposals"),
  /** Those that wait, the oldest first. */
  waiting: [],
  busy: false,

  /** Ask which there are; without a connection it is asked again when there is one. */
  async refresh() {
    if (!form.made) return;
    const found = await fetched(`${service}/proposals`);
    if (found) this.take(found.proposals);
  },

  take(found) {
    const before = new Set(this.waiting.map(({ id }) => id));
    this.waiting = found.filter(({ state }) => state === "waiting");
    if (cardControls.grammar.everybody) this.announce(this.waiting.filter(({ id }) => !before.has(id)));
    else this.sayWhatBecame(found);
    this.draw();
  },

  /** Say to screen readers that something was proposed. */
  announce(news) {
    const words = news.map(({ by, line }) => `${by} proposes ${line || "facts"}`);
    if (words.length) field("news").textContent = words.join("; ");
  },

  /** The own ones of which this tab knows that they wait: their lines, by their ids. */
  mine: () => tab.kept("proposals") ?? new Map(),

  /** Remember the proposals from here. */
  made({ proposed, line }) {
    tab.keep("proposals", this.mine().set(proposed, line));
    this.refresh();
  },

  /** Show the outcome of the own ones: they were decided, or are lost, as the service was started again. */
  sayWhatBecame(found) {
    const [mine, states] = [this.mine(), new Map(found.map(({ id, state }) => [id, state]))];
    for (const [id, line] of mine) {
      const state = states.get(id);
      if (state === "waiting") continue;
      mine.delete(id);
      const words = state ? `The game master ${state} this: ` : "This proposal was lost, as the service was started again: ";
      if (state !== "withdrawn") form.say(element("p", { class: state === "accepted" ? "" : "wrong" }, words, element("code", {}, line)), ...(state ? [] : form.offered([line])));
    }
    tab.keep("proposals", mine);
  },

  draw() {
    this.pane.hidden = !this.waiting.length;
    this.pane.querySelector("ul").replaceChildren(...this.waiting.map((each, number) => this.item(each, number)));
  },

  item(each, number) {
    const line = element("code", {}, each.line || "facts");
    const records = each.rolls ? "dice that are thrown when it is accepted" : each.echo.join("\n");
    if (!cardControls.grammar.everybody) return element("li", {}, "Waits for the game master: ", line, " ", this.button("Withdraw", each, false));
    const keys = number ? ["", ""] : ["Y", "N"]; // they decide on the first one
    return element("li", {}, element("bdi", {}, each.by), " proposes ", line, element("pre", {}, records), this.button("Accept", each, true, keys[0]), " ", this.button("Decline", each, false, keys[1]));
  },

  button(words, each, accept, key) {
    return element("button", { type: "button", title: key ? `${words} (Shift ${key})` : undefined, "aria-keyshortcuts": key ? `Shift+${key}` : undefined,
      "aria-label": `${words}: ${each.line || "facts"}`, click: () => this.decide(each, accept) }, words);
  },

  /** Accept or decline the first one with a key; say whether there is one. */
  press(key) {
    const first = { Y: true, N: false }[key] === undefined ? undefined : this.waiting[0];
    if (first && cardControls.grammar.everybody) this.decide(first, key === "Y");
    return Boolean(first);
  },

  async decide({ id, version }, accept) {
    if (this.busy) return;
    this.busy = true;
    try {
      this.decided(await sending.post(`proposals/${id}`, { accept, version }));
    } catch {
      form.say(element("p", { class: "wrong" }, "No connection: it is not known whether this was decided. Decide again: nothing is written twice."));
    } finally {
      this.busy = false;
      await this.refresh();
    }
  },

  decided({ ok, said }) {
    const { echo = [], findings = [], head, detail, hint } = said;
    if (ok && head) form.written = head;
    if (ok) form.say(...(echo.length ? [element("pre", {}, forTable(echo))] : []), ...sending.kept(said), ...findings.map((found) => element("p", {}, flag(found))));
    else form.say(element("p", { class: "wrong" }, detail), ...(hint ? [element("p", {}, hint)] : []));
    page.refresh();
  },
};
