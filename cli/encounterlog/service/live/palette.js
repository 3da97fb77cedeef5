/*
 * The command palette: whatever the page can do, by the beginnings of its words, and any line, which is sent as if it had been typed below.
 * What can be done is what the page has controls for at the moment, so that nothing is offered to whom it is not for.
 */
const palette = {
  typed: "",
  at: 0,
  says: "",
  found: [],
  timer: 0,

  begin() {
    field("keys").before(views.item("palette", "Commands", "Ctrl+K", () => this.open()));
    addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      this.open();
    });
  },

  open() {
    this.type("");
    document.getElementById("command").focus();
  },

  /** The page's controls that can be pressed now, and the combatants that can be put on the card. */
  all() {
    const controls = [...document.querySelectorAll("#round button, #card-controls:not([hidden]) #kinds button, #menu-items > :not(#palette), #views button")].filter((each) => !each.hidden && !each.disabled);
    const known = [...statePane.rows.keys()].filter((who) => !read(who, "gone") && cardControls.mayChoose(who) && !cardControls.isPast());
    return [
      ...controls.map((each) => ({ words: each.firstChild.textContent, key: each.getAttribute("aria-keyshortcuts") ?? "", does: () => each.click() })),
      ...known.map((who) => ({ words: nameOf(who), key: "", does: () => cardControls.chosen.has(who) || cardControls.choose(who, { focus: true }) })),
    ];
  },

  /** The entries that fit the typed text: first the one with it as its key, then those that begin so, then those whose words do; the line as it stands is last. */
  fitting(typed) {
    const wanted = typed.toLowerCase().split(/\s+/);
    const rank = ({ words, key }) => {
      const own = words.toLowerCase();
      return typed && key === typed ? 0 : own.startsWith(typed.toLowerCase()) ? 1 : wanted.every((each) => own.split(/\s+/).some((word) => word.startsWith(each))) ? 2 : 3;
    };
    const found = this.all().map((each) => ({ ...each, rank: rank(each) })).filter((each) => each.rank < 3).sort((one, other) => one.rank - other.rank);
    return typed && form.made && !cardControls.isPast() ? [...found, { line: typed, does: () => this.send(typed) }] : found;
  },

  /** A line stands in the field below while it is sent: if it is refused, it is put right there. */
  send(line) {
    form.put(line);
    form.tell(line);
  },

  type(text) {
    Object.assign(this, { typed: text, at: 0, says: "", found: this.fitting(text.trim()) });
    clearTimeout(this.timer);
    if (form.made && text.trim()) this.timer = setTimeout(() => this.preview(text.trim()), 350);
    this.draw();
  },

  async preview(line) {
    try {
      const { ok, said } = await sending.post("lines?dry=1", { line });
      if (this.typed.trim() !== line || !views.dialog.open) return;
      this.says = preview.words(ok ? said : { wrong: said.detail });
      this.draw();
    } catch {
      // no connection: it is said when it is sent
    }
  },

  press(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.isComposing || !(by || event.key === "Enter") || !this.found.length) return;
    event.preventDefault();
    if (!by) return this.run(this.at);
    this.at = (this.at + by + this.found.length) % this.found.length;
    this.draw();
  },

  /** Close the palette, which gives the focus back, and carry out the choice. */
  run(number) {
    views.dialog.close();
    this.found[number].does();
  },

  draw() {
    const does = { type: (text) => this.type(text), press: (event) => this.press(event), run: (number) => this.run(number) };
    views.open(html`<${Palette} typed=${this.typed} found=${this.found} at=${this.at} says=${this.found[this.at]?.line ? this.says : ""} does=${does} />`);
    document.getElementById(`command-${this.at}`)?.scrollIntoView({ block: "nearest" });
  },
};
palette.begin();
