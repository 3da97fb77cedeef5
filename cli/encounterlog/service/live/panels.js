/** The panels of the card, of which one is open at a time instead of it: initiative, joining, correcting. */
const panels = {
  begin() {
    for (const each of document.querySelectorAll(".panel > .done")) each.addEventListener("click", () => this.giveUp());
  },

  /** The functions that let a panel go, by its name. */
  leave: {},
  open: "",

  show(name) {
    const before = this.open;
    this.open = name;
    document.body.classList.toggle("panelled", Boolean(name));
    for (const each of document.querySelectorAll(".panel:not(#card-controls)")) each.hidden = each.id !== name;
    if (before && before !== name) this.leave[before]();
    if (name && matchMedia("(max-width: 56.24rem)").matches) views.tab("card");
    cardControls.draw();
  },

  /** Close the open panel and clear the choice, as the change is written, or given up. */
  close() {
    const had = this.open || cardControls.chosen.size || KINDS[cardControls.kind].opens || field("card-controls").contains(document.activeElement);
    if (this.open) this.show("");
    cardControls.leave();
    card.draw();
    if (had) (turns.next && !turns.next.hidden ? turns.next : form.line).focus({ preventScroll: true });
  },

  /** Close the open panel, and take its line out of the field. */
  giveUp() {
    form.put("");
    this.close();
  },
};

/** A field of the form, and its text. */
const field = (name) => document.getElementById(name);
const typed = (name) => field(name).value.trim();

/** A combatant or side as the grammar names it: a name that is also a word of the grammar stands behind a colon. */
const spelt = (who) => (cardControls.grammar.words.includes(who) ? `:${who}` : who);

/** Text as one word of a line: with blanks and signs in it, it is quoted. */
const asWord = (text) => (/^[a-z][a-z-]*$/i.test(text) ? text : JSON.stringify(text));
