/* Monsters of the reference document by the beginning of their names: five are listed while one types, and a click adds one. */

const search = {
  typed: "",
  count: "1",
  /** The side of the monsters that are found, whatever side is named below. */
  side: "foes",
  found: [],
  /** Whether no name begins as is typed. */
  nothing: false,
  timer: 0,

  draw() {
    const does = { type: (text) => this.type(text), count: (text) => (this.count = text.trim()), side: (text) => this.joins(text), hide: () => sending.box.click(), add: (one) => this.add(one) };
    const sides = [...new Set(["foes", "party", ...inRows().map((who) => read(who, "side")), this.side])].filter(Boolean);
    render(cardControls.grammar.edition ? html`<${Search} typed=${this.typed} count=${this.count} side=${this.side} sides=${sides} secret=${sending.isSecret()} found=${this.found} nothing=${this.nothing} does=${does} />` : "", field("search-box"));
  },

  /** Choose the side that they join. */
  joins(side) {
    this.side = side;
    this.draw();
  },

  type(text) {
    this.typed = text;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.find(text.trim()), 80);
  },

  async find(name) {
    const asked = new URLSearchParams({ name, edition: cardControls.grammar.edition });
    const said = name ? await fetched(`/monsters?${asked}`) : null; // without a connection one types the line
    if (this.typed.trim() !== name) return;
    Object.assign(this, { found: said?.monsters ?? [], nothing: said?.monsters.length === 0 });
    this.draw();
  },

  /** Add one, or as many as are wanted; the panel makes room for the next. */
  async add(one) {
    const several = Number(this.count) > 1 ? `*${Number(this.count)}` : "";
    const line = `join ${several ? `${one.id}${several}` : asWord(one.name)} ${asWord(this.side)}`;
    const said = await form.tell(line, false);
    if (!said) return;
    Object.assign(this, { typed: "", count: "1", found: [], nothing: false });
    this.draw();
  },
};
