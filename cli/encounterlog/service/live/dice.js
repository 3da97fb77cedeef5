/*
 * Words for dice that nobody can doubt. A page gives a fresh word with each line, and when the service asks for one; it
 * keeps those that it gave, and says so if the log has a word of its person that was never given here.
 */
const dice = {
  kept: `dice ${encounterName}`,

  /** The words that this browser gave, the last ones; none where it keeps nothing. */
  given() {
    try {
      return JSON.parse(localStorage.getItem(this.kept) ?? "[]");
    } catch {
      return [];
    }
  },

  /** A fresh word, kept. */
  fresh() {
    const word = toHex(crypto.getRandomValues(new Uint8Array(16)));
    try {
      localStorage.setItem(this.kept, JSON.stringify([...this.given(), word].slice(-2_000)));
    } catch {
      this.forgets = true; // without a memory nothing can be compared
    }
    return word;
  },

  /** Answer the service when it asks for a word. */
  follow(source) {
    source.addEventListener("word", ({ data: said }) => this.answer(JSON.parse(said)));
  },

  async answer({ number }) {
    const body = JSON.stringify({ number, word: this.fresh() });
    await fetch(`${service}/words`, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => {});
  },

  /** The fault of a roll that only this browser can know: a word of its person that it did not give. */
  foreign({ giver, word }) {
    const [mine, given] = [data.by && giver === data.by, this.given()];
    if (!mine || this.forgets || !given.length) return "";
    return given.includes(word) ? "" : `its word is said to be of ${giver}, and this browser did not give it`;
  },
};
