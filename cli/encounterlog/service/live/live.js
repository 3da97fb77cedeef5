/*
 * The log as it grows. One tab of a browser, of those that can be seen, holds the stream and tells the others of the same
 * encounter, as a browser opens only six connections to a server. After each append every tab asks for what is new
 * since the end that it shows: what it shows is always what the service made of the whole log.
 */

/** The address of the encounter, and that of its page. */
const encounterName = document.body.dataset.encounter;
const service = `/v1/encounters/${encounterName}`;

/** How long silence lasts before the page says so, and how often the tab that holds the stream says that it does, in ms. */
const [SILENCE, LEADS, GONE] = [40_000, 2_000, 5_000];

/** How long a page that becomes visible waits for another tab that holds the stream, and how soon it repeats a question that failed, at first and at most, in ms. */
const [ANSWER, SOON, LATER] = [200, 150, 3_000];

/** The line that says whether the page follows. */
const status = {
  line: document.getElementById("stream"),
  heard: Date.now(),
  ended: "",
  lacking: "",

  /** Something came from the service, if by way of another tab. */
  hear() {
    this.heard = Date.now();
    this.draw();
  },

  /** It will not go on by itself. */
  end(why) {
    this.ended = why;
    this.draw();
    keeping.keep();
  },

  /** Something could not be fetched, or now it could. */
  lack(what) {
    this.lacking = what;
    this.draw();
  },

  draw() {
    const silent = Date.now() - this.heard > SILENCE;
    const since = new Date(this.heard).toLocaleTimeString();
    const words = this.ended || (silent ? `no connection since ${since}; trying again` : this.lacking);
    if (this.line.textContent !== words) this.line.textContent = words;
    this.line.classList.toggle("silent", words !== "");
  },
};

/** The data of the page, asked for again; never twice at a time. */
const page = {
  tag: "",
  busy: false,
  again: false,
  pause: SOON,
  timer: 0,

  async refresh() {
    this.again = true;
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.again) {
        this.again = false;
        await this.ask();
      }
      this.pause = SOON;
    } catch {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.refresh(), this.pause); // no connection: the page keeps what it has
      this.pause = Math.min(LATER, 2 * this.pause);
    } finally {
      this.busy = false;
    }
  },

  async ask() {
    const headers = this.tag ? { "If-None-Match": this.tag } : {};
    const since = encodeURIComponent(data.head);
    const response = await fetch(`/e/${encounterName}/data?since=${since}`, { headers, cache: "no-store" });
    if (response.status === 401 || response.status === 403) status.end("this link opens nothing any more");
    if (response.status !== 200) return;
    this.tag = response.headers.get("etag") ?? "";
    this.take(whole(await response.json()));
  },

  /** Show the data, if they are new, and say the last event to screen readers. */
  take(found) {
    status.hear();
    if (found.head === data.head && same(found.events, data.events)) return;
    const before = data.events.at(-1)[0];
    renew(found);
    const [seq, , words] = data.events.at(-1);
    if (seq !== before) document.getElementById("news").textContent = bare(words);
  },
};

/** The data of a page, from the news since those that it has. */
function whole(found) {
  if (found.since === undefined) return found;
  const made = { ...data, ...found.values };
  for (const [name, [stays, rows]] of Object.entries(found.rows)) made[name] = [...(data[name] ?? []).slice(0, stays), ...rows];
  return made;
}

/** The tabs of this browser on this encounter: one of them holds the stream. */
const tabs = {
  channel: new BroadcastChannel(`encounter ${encounterName}`),
  id: crypto.getRandomValues(new Uint32Array(2)).join("."),
  source: null,
  led: 0,

  /** Ask which tab holds the stream, and hold it if none answers soon. */
  begin() {
    this.channel.addEventListener("message", ({ data: said }) => this.hear(said));
    this.say("asks");
    setTimeout(() => {
      this.tick();
      setInterval(() => this.tick(), 1_000);
    }, 200 + 200 * Math.random());
  },

  say(kind) {
    this.channel.postMessage({ kind, id: this.id });
  },

  hear({ kind, id }) {
    if (kind === "left") this.led = 0;
    if (kind === "asks" && this.source) this.say("leads");
    if (kind === "leads" || kind === "news" || kind === "beat") this.led = Date.now();
    if (kind === "leads" && this.source && id < this.id) this.leave();
    this.does(kind);
  },

  /** Do the work of a message. */
  does(kind) {
    if (kind === "beat") status.hear();
    if (kind === "news") page.refresh();
    if (kind === "news" || kind === "proposals") proposals.refresh();
  },

  tick() {
    status.draw();
    if (this.source?.readyState === EventSource.CLOSED) this.leave();
    if (this.source) this.sayThatItLeads();
    else if (!document.hidden && !status.ended && Date.now() - this.led >= GONE) this.lead();
  },

  sayThatItLeads() {
    if (Date.now() - this.said < LEADS) return;
    this.said = Date.now();
    this.say("leads");
  },

  /** Open the stream, and ask for the records since the page was made. */
  lead() {
    this.say("leads");
    this.said = Date.now();
    this.source = new EventSource(`${service}/events?after=${encodeURIComponent(data.head)}`);
    this.source.addEventListener("open", () => this.pass("news"));
    for (const kind of ["message", "revealed", "reset"]) this.source.addEventListener(kind, () => this.pass("news"));
    this.source.addEventListener("proposals", () => this.pass("proposals"));
    this.source.addEventListener("beat", () => this.pass("beat"));
    dice.follow(this.source);
    this.source.addEventListener("reset", () => this.leave());
    this.source.addEventListener("revoked", () => {
      this.leave();
      status.end("this link was revoked");
    });
  },

  /** Do the work of a message, and pass it on to the other tabs. */
  pass(kind) {
    this.say(kind);
    this.does(kind);
  },

  /** Close the stream, so that another tab may open one. */
  leave() {
    this.source?.close();
    this.source = null;
    this.led = Date.now() - GONE + 1_000;
    this.say("left");
  },

  /** Phones end streams silently while a page is hidden, and networks as they change: the stream is opened again when the page is looked at, or connected. */
  wake() {
    if (this.source) this.leave();
    if (document.hidden) return;
    this.led = Date.now() - GONE;
    this.say("asks"); // who holds the stream says so before it is opened here
    setTimeout(() => this.tick(), ANSWER);
    page.pause = SOON;
    page.refresh();
  },
};

document.addEventListener("visibilitychange", () => tabs.wake());
addEventListener("pageshow", (event) => event.persisted && tabs.wake());
addEventListener("pagehide", () => tabs.source && tabs.leave());
addEventListener("online", () => tabs.wake());
status.draw();
tabs.begin();
