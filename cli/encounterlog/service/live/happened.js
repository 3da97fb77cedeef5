/* The deeds, a sentence each, the newest at the line; its facts fold out. For a player also whether it is time to act. */

{
  const { draw, item, reveal } = log;
  Object.assign(log, {
    folds: () => true,

    /** The last round before the one that is shown stays in view with it. */
    draw(round) {
      const before = rounds[rounds.indexOf(round) - 1];
      draw.call(this, before && roundAt(count - 1) === round.round ? { ...round, start: before.start } : round);
      this.round = round;
      document.getElementById("log-title").textContent = "What happened";
    },

    /** Keep the newest deed at the line, also if something above the line takes some of the room; all changes are laid out once, before they are painted. */
    reveal(item) {
      this.atEnd = true;
      if (shown.place !== count - 1) reveal.call(this, item);
      else requestAnimationFrame(() => this.settle());
    },

    settle() {
      if (shown.place === count - 1) this.list.scrollTop = this.list.scrollHeight;
    },

    /** An entry with the remedies for its findings. */
    item(place) {
      const made = item.call(this, place);
      const found = findingsAt(data.events[place][0]).filter(({ ruled }) => !ruled);
      if (found.length && document.body.classList.contains("master")) made.append(...found.map((each) => flags.buttons(each)));
      return made;
    },

    /** A deed of which the machine alone has more to say is one entry. */
    folded(place, end) {
      const facts = [...Array(end - place + 1).keys()].map((number) => place + number).filter((each) => !isOfTheMachine(data.events[each][2]));
      const [, words] = data.deeds[deedAt(place)] ?? [0, data.events[place][2]];
      const items = facts.map((each) => this.items.get(each));
      const flagged = items.flatMap((each) => [...each.querySelectorAll(":scope > .flags, :scope > a > .flag")]);
      if (facts.length === 1 && words === data.events[place][2]) return items[0];
      const summary = element("summary", {}, ...sentence(words));
      return element("li", { class: "deed" }, element("details", flagged.length && end > count - 12 ? { open: true } : {}, summary, element("ol", {}, ...items)));
    },
  });
}

log.list.addEventListener("scroll", () => (log.atEnd = log.list.scrollTop + log.list.clientHeight > log.list.scrollHeight - 9));
new ResizeObserver(() => log.atEnd && log.settle()).observe(log.list);

/** Whether a fact is about the machine alone, such as that dice were rolled here. */
const isOfTheMachine = (words) => /^note(?: on \S+)?: (rolled here|read as): /.test(bare(words));

/** The remedies for a finding that a deed raised: rule that it may stand, correct it, or leave it. */
const flags = {
  left: new Set(),

  buttons(found) {
    const made = element("span", { class: "flags" });
    const leave = () => {
      this.left.add(`${found.event} ${found.rule}`);
      made.closest("li").querySelector("a").focus({ preventScroll: true }); // the button that has it goes
      made.remove();
    };
    if (this.left.has(`${found.event} ${found.rule}`)) return made;
    made.append(element("button", { type: "button", click: () => this.rule(found) }, "Ruling"), element("button", { type: "button", click: () => this.correct(found) }, "Correct"), element("button", { type: "button", click: leave }, "Leave"));
    return made;
  },

  /** Put a ruling that waives it into the line. */
  rule(found) {
    views.show("table");
    form.offer(`rule waive ${found.event} ${found.rule} `);
  },

  correct(found) {
    views.show("table");
    correcting.open(placeOf.get(found.event));
  },
};

/** The call to a player: "your turn", "you are next"; in words, in the title, and by a vibration when it changes. */
const call = {
  line: document.getElementById("call"),
  said: "",
  acting: false,

  draw() {
    if (shown.place === count - 1) this.find(); // who looks at what was is still called to what is
    document.title = this.said ? `${this.acting ? "▶" : "○"} ${this.said} · ${data.title}` : data.title;
  },

  find() {
    const own = data.closed ? [] : (data.own ?? []).filter((who) => read(who, "status") === "up");
    const acting = own.filter(actsNow);
    const next = acting.length ? [] : own.filter((who) => who === data.next);
    this.acting = acting.length > 0;
    this.say(acting.length ? this.words("Your turn", acting) : next.length ? this.words("You are next", next) : this.turnsUntil(own));
  },

  /** How many turns are before one's own, where that is known. */
  turnsUntil(own) {
    if (!own.length || !statePane.now.turn) return "";
    const order = [...statePane.places].filter(([who]) => read(who, "status") === "up" || own.includes(who)).sort(([, [one]], [, [other]]) => one - other).map(([who]) => who);
    const at = order.indexOf(statePane.now.turn);
    const mine = own.map((who) => order.indexOf(who)).filter((place) => place >= 0).map((place) => (place - at + order.length) % order.length);
    return at >= 0 && mine.length ? `${counted(Math.min(...mine), "turn")} until yours` : "";
  },

  say(words) {
    if (words === this.said) return;
    this.said = words;
    this.line.textContent = words;
    this.line.classList.toggle("acting", this.acting);
    if (/^You/.test(words) && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(this.acting ? [200, 100, 200] : 100);
  },

  /** A player with several combatants sees which one it was. */
  words: (what, those) => (data.own.length > 1 ? `${what}: ${those.map(nameOf).join(", ")}` : what),
};

{
  const { then } = statePane;
  statePane.then = () => {
    then();
    if (data.closed) statePane.mark(statePane.those ?? []);
    call.draw();
    card.draw();
    views.draw();
    keeping.later();
  };
}
drawFrame();
views.begin();
go(beginning());
keeping.begin();
