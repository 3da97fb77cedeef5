const slider = document.getElementById("slider");

/** The timer after which the URL names the event that is shown; browsers refuse to do that at every step. */
let naming = 0;

/**
 * Show the state after an event, in all panes.
 * @param {number} place of the event in the log
 */
function go(place) {
  const target = Math.max(0, Math.min(count - 1, place));
  if (target === shown.place) return;
  statePane.show(move(target));
  log.show(target);
  for (const each of followers) each.show(target);
  why.draw();
  announce(target);
}

/** Go to the state after an event; return the addresses whose values are others there, null for all. */
function move(target) {
  const [from, before] = [shown.place, shown.state];
  shown.place = target;
  const atTheEnd = [from, target].includes(count - 1) ? Object.keys(data.words ?? {}) : [];
  if (from >= 0 && target === from + 1) apply(before, data.steps[target]);
  else shown.state = stateAt(target);
  if (!before.size) return null;
  return [...(before === shown.state ? changedAt(target) : differing(before, shown.state)), ...atTheEnd];
}

/** Say where we are: in words, on the slider, and a moment later in the URL. */
function announce(place) {
  const words = data.events[place][2];
  const moment = momentWords(momentAt(place));
  document.getElementById("moment").replaceChildren(element("strong", {}, capital(moment)), ` · event ${numberOf(place)}, ${place + 1} of ${count}`);
  document.getElementById("says").replaceChildren(...sentence(words));
  slider.value = String(place);
  slider.setAttribute("aria-valuetext", `${capital(moment)}, event ${numberOf(place)}: ${bare(words)}`);
  clearTimeout(naming);
  const follows = place === count - 1 && document.body.classList.contains("live"); // at the end of a log that goes on its address names no event
  naming = setTimeout(() => history.replaceState(null, "", follows ? location.pathname : addressOf(place)), 250);
}

/** Step by an event, a turn (phase, segment) or a round, forwards or backwards. */
const steps = {
  event: (by) => shown.place + by,

  /** To the end of the next turn, or of the one before. */
  turn(by) {
    let place = shown.place;
    if (by < 0) {
      while (place > 0 && inOneUnit(place, shown.place)) place -= 1;
      return place;
    }
    place = Math.min(count - 1, place + 1);
    while (place < count - 1 && inOneUnit(place, place + 1)) place += 1;
    return place;
  },

  /** To the beginning of the next round, or of this one, or of the one before. */
  round(by) {
    const round = roundOf(shown.place);
    if (by > 0) return round.end + 1 < count ? round.end + 1 : count - 1;
    return shown.place > round.start ? round.start : Math.max(0, (rounds[rounds.indexOf(round) - 1] ?? round).start);
  },
};

/** The place that a key leads to, if any; with Shift, arrows step by turns. */
function wanted(event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by) return event.shiftKey ? steps.turn(by) : steps.event(by);
  return { PageUp: () => steps.round(-1), PageDown: () => steps.round(1), Home: () => 0, End: () => count - 1 }[event.key]?.();
}

/** Whether keys go into a text that is being typed. */
const isTyping = (target) => target instanceof Element && target.matches("input:not([type=range], [type=checkbox]), select, textarea");

addEventListener("keydown", (event) => {
  if (event.key === "Escape") why.close();
  if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
  const place = wanted(event);
  if (place === undefined) return;
  event.preventDefault();
  go(place);
});

slider.addEventListener("input", () => go(Number(slider.value)));
document.getElementById("close").addEventListener("click", () => why.close());
for (const button of document.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => go(steps[button.dataset.step](Number(button.dataset.by))));
}
/** The place that the URL names, if any. */
function named() {
  const [, by, number] = /^#([en])(\d+)$/.exec(window.location.hash) ?? [];
  if (by === "n") return Number(number) <= count ? Math.max(0, Number(number) - 1) : null;
  return placeOf.get(Number(number)) ?? null;
}

addEventListener("hashchange", () => {
  const place = named();
  if (place !== null) go(place);
});

/** Show the log's name and length, at each place for them. */
function drawFrame() {
  const audience = data.for === "players" ? " · for players" : "";
  document.getElementById("about").textContent = `${data.rulesetTitle} · ${counted(count, "event")}, ${counted(rounds.filter((each) => each.round).length, "round")}${audience}`;
  document.getElementById("head").textContent = data.head;
  document.getElementById("title").textContent = document.title = data.title;
  for (const each of document.querySelectorAll(".unit")) each.textContent = each.textContent.replace(/turn|phase|segment/, unit);
  slider.max = String(count - 1);
}

/** The parts of the rows other than the state. */
const BESIDE = ["own", "hidden", "players", "closed"];

/** Show a log that has grown or was corrected: its new end if the end was shown, else the event that is shown; unchanged parts are not drawn again. */
function renew(found) {
  const [followed, seq, before] = [shown.place === count - 1, data.events[shown.place][0], data];
  take(found);
  shown.place = -1;
  if (BESIDE.some((each) => !same(before[each], data[each]))) shown.state = new Map();
  drawFrame();
  go(followed ? count - 1 : placeOf.get(seq) ?? count - 1);
}

/** Where the page begins: at the event that the URL names, else a finished fight at its first act, and a page that follows a log at the last event. */
const beginning = () => named() ?? (data.closed ? firstAct() : document.body.classList.contains("live") ? count - 1 : 0);

/** The place of the first act of a round, or of the first event if there is none. */
function firstAct() {
  const acts = data.lanes.filter(({ round }) => round).flatMap(({ lanes }) => lanes.flatMap(({ marks, spans }) => [...marks.filter(({ kind }) => kind === "act"), ...spans]));
  return acts.map(({ event }) => placeOf.get(event)).sort((one, other) => one - other)[0] ?? 0;
}
