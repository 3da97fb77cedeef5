/* What just happened, one sentence a deed, and for a player whether it is time to act. */

/** How many deeds are shown, the last ones. */
const DEEDS_SHOWN = 6;

const happened = {
  list: document.getElementById("deeds"),

  /** Show the last deeds, the newest first, whatever event the replay shows. */
  draw() {
    const last = (data.deeds ?? []).slice(-DEEDS_SHOWN).reverse();
    this.list.replaceChildren(...last.map((deed) => element("li", {}, this.link(deed))));
    document.getElementById("happened").hidden = !last.length;
  },

  link([seq, words]) {
    const place = placeOf.get(seq);
    return place === undefined ? element("span", {}, ...sentence(words)) : element("a", { href: addressOf(place) }, ...sentence(words));
  },
};

/** What a player is called to: "your turn", "you are next"; in words, in the title, and by a vibration when it becomes so. */
const call = {
  line: document.getElementById("call"),
  said: "",
  acting: false,

  draw() {
    if (shown.place === count - 1) this.find(); // who looks at what was is still called to what is
    document.title = this.said ? `${this.acting ? "▶" : "○"} ${this.said} · ${data.title}` : data.title;
  },

  find() {
    const own = (data.own ?? []).filter((who) => read(who, "status") === "up");
    const acting = own.filter(actsNow);
    const next = acting.length ? [] : own.filter((who) => who === data.next);
    this.acting = acting.length > 0;
    this.say(acting.length ? this.words("Your turn", acting) : next.length ? this.words("You are next", next) : "");
  },

  say(words) {
    if (words === this.said) return;
    this.said = words;
    this.line.textContent = words;
    this.line.classList.toggle("acting", this.acting);
    if (words && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(this.acting ? [200, 100, 200] : 100);
  },

  /** A player with several combatants sees which one it was. */
  words: (what, those) => (data.own.length > 1 ? `${what}: ${those.map(nameOf).join(", ")}` : what),
};

{
  const { then } = statePane;
  statePane.then = () => {
    then();
    happened.draw();
    call.draw();
  };
  statePane.then();
}
