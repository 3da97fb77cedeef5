/** The panels above the line, of which one is open at a time: hands, initiative, joining, correcting. */
const panels = {
  /** What lets a panel go, by its name. */
  leave: {},
  open: "",

  show(name) {
    const before = this.open;
    this.open = name;
    for (const each of document.querySelectorAll(".panel")) each.hidden = each.id !== name;
    if (before && before !== name) this.leave[before]();
  },

  /** Close what is open, as what was to happen is written, or is not to happen. */
  close() {
    if (!this.open) return;
    this.show("");
    (turns.next ?? form.line).focus({ preventScroll: true });
  },

  /** Close what is open, and take its line out of the field. */
  giveUp() {
    form.put("");
    this.close();
  },
};

/** A field of the form, and what is typed in it. */
const field = (name) => document.getElementById(name);
const typed = (name) => field(name).value.trim();

/** A combatant or side as the grammar names it: a name that is also a word of the grammar stands behind a colon. */
const spelt = (who) => (hands.grammar.words.includes(who) ? `:${who}` : who);

/** Text as one word of a line: with blanks and signs in it, it is quoted. */
const asWord = (text) => (/^[a-z][a-z-]*$/i.test(text) ? text : JSON.stringify(text));
