/* The views beside the table: the timeline, the findings, the replay, the story at the end; on phones one pane at a time. */

const VIEWS = [["table", "Table"], ["timeline", "Timeline"], ["findings", "Findings"], ["replay", "Replay"], ["story", "Story"]];
const TABS = [["state", "Order"], ["card", "Act"], ["log", "Log"]];

/** The parts that are fetched when they are first shown, and not with the page: the timeline, the replay, the story, the check of dice, invitations. */
const later = {
  found: null,
  tries: 0,

  /** Fetch it once, and show in it where the page is; null without a connection, which is said, and it is tried again the next time. */
  async fetch() {
    try {
      this.found ??= await import(`/assets/later.js#${this.tries}`); // a browser may keep in mind that an address could not be loaded
      for (const each of followers) each.show(shown.place);
      status.lack("");
    } catch {
      this.tries += 1;
      status.lack("no connection: this cannot be shown yet; choose it again");
    }
    return this.found;
  },
};

const views = {
  dialog: document.getElementById("dialog"),

  begin() {
    const made = VIEWS.map(([name, words]) => element("button", { type: "button", "data-view": name, click: () => this.show(name) }, words));
    document.getElementById("views").append(...made);
    document.getElementById("tabs").append(...TABS.map(([name, words]) => element("button", { type: "button", "data-tab": name, click: () => this.tab(name) }, words)));
    document.getElementById("menu-button").addEventListener("click", () => this.menu(document.getElementById("menu-items").hidden));
    document.addEventListener("click", (event) => event.target.closest("#menu") || this.menu(false));
    document.getElementById("dialog-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.item("keys", "Keys", "?", () => this.keys());
    this.item("about-button", "About this log", "", () => this.about());
    document.getElementById("menu-items").append(element("a", { href: "/" }, "All encounters"));
    this.show(beginning() === count - 1 ? "table" : "replay");
    this.tab(data.own?.length || count < 2 || innerWidth > 700 ? "card" : "state");
    addEventListener("hashchange", () => document.body.dataset.view === "findings" && this.show("replay")); // a finding leads to its event
  },

  show(name) {
    document.body.dataset.view = name;
    for (const each of document.querySelectorAll("#views [data-view]")) each.setAttribute("aria-pressed", String(each.dataset.view === name));
    if (name === "table" && shown.place !== count - 1) go(count - 1);
    if (!["table", "findings"].includes(name)) later.fetch().then(() => this.draw());
    this.draw();
  },

  /** Show one pane on a phone; on a larger screen all are there. */
  tab(name) {
    document.body.dataset.tab = name;
    for (const each of document.querySelectorAll("#tabs [data-tab]")) each.setAttribute("aria-pressed", String(each.dataset.tab === name));
  },

  menu(wanted) {
    document.getElementById("menu-items").hidden = !wanted;
    document.body.classList.toggle("menued", wanted);
    document.getElementById("menu-button").setAttribute("aria-expanded", String(wanted));
    if (wanted) document.querySelector("#menu-items :is(button, a)")?.focus({ preventScroll: true });
  },

  item(id, words, key, does) {
    const chosen = () => {
      this.menu(false);
      document.getElementById("menu-button").focus({ preventScroll: true }); // a dialog gives the focus back there
      does();
    };
    const made = element("button", { type: "button", id, "aria-keyshortcuts": key.replace("Ctrl", "Control") || undefined, click: chosen }, words, ...(key ? [" ", element("kbd", {}, key)] : []));
    document.getElementById("menu-items").append(made);
    return made;
  },

  open(shownInIt, about = false) {
    render(shownInIt, document.getElementById("dialog-body"));
    document.getElementById("about-log").hidden = !about;
    if (!this.dialog.open) this.dialog.showModal();
  },

  keys() {
    const master = document.body.classList.contains("master");
    const written = [["/", "to the line, which takes anything"], ["d", "damage"], ["h", "healing"], ["t", "temporary hit points"], ["c", "a condition"], ["a", "acts"], ["p", "declares"], ["k", "rolls"]];
    const masters = [["n", "next"], ["u, Ctrl+Z", "undo"], ["y", "redo"], ["i", "initiative"], ["j", "add combatants"], ["m", "correct the last event"], ["s", "secret"], ["o", "moves in the order"], ["v", "hide, reveal"], ["l", "leaves"], ["r", "the round begins"], ["e", "the round ends"], ["Shift+Y, Shift+N", "accept or decline the first proposal"]];
    const replaying = [["Ctrl+K", "commands by their words, and any line"], ["← →", "an event back or on"], ["Shift ← →", "a turn"], ["Page Up, Page Down", "a round"], ["Esc", "close what is open"]];
    this.open(html`<${Keys} keys=${[...(master ? masters : []), ...(document.body.classList.contains("reader") ? [] : written), ...replaying]} />`);
  },

  /** The log's name and end, and the proof of its dice. */
  about() {
    this.open(html`<h2 id="dialog-title">About this log</h2>${status.ended && html`<p>${status.ended}</p>`}`, true);
  },

  /** Draw the parts that depend on the log: the number of findings, and the story if there is one. */
  draw() {
    const open = data.findings.filter(({ ruled, severity }) => !ruled && severity === "breach").length;
    const button = (name) => document.querySelector(`#views [data-view=${name}]`);
    button("findings").textContent = open ? `Findings (${open})` : "Findings";
    button("story").hidden = !data.closed;
    if (data.dice) later.fetch(); // it checks every roll
    if (document.body.dataset.view === "findings") render(html`<${Findings} found=${data.findings.map(located)} does=${typeof flags === "object" && document.body.classList.contains("master") ? flags : null} />`, document.getElementById("found"));
    if (document.body.dataset.view === "story" && data.closed && later.found) {
      later.found.story.draw();
      document.getElementById("summary").hidden = false;
    }
  },
};

/** A finding with the number and the address of its event. */
const located = (each) => ({ ...each, number: placeOf.has(each.event) ? numberOf(placeOf.get(each.event)) : each.event, href: placeOf.has(each.event) ? addressOf(placeOf.get(each.event)) : undefined });
