/*
 * The page of a replay. These files are one module when the page is put together, in this order:
 * model.js (the data, and the state at an event), words.js (small helpers for text and elements),
 * log.js, picture.js, state.js with entries.js (the three panes), why.js, paper.js, fair.js (dice), page.js (keys, slider, URL),
 * play.js (it plays by itself; the summary), begin.js.
 *
 * No rule of any game is in here. Every state was computed when the page was made and is stored as
 * differences: which values each event changed.
 */

/**
 * A value that the page shows, and the number of its reason (-1: none is given).
 * @typedef {{value: any, why: number}} Leaf
 */

/** Everything about the replay, as the exporter wrote it. */
let data;

/** How many events there are. */
let count;

/** The number of each event (its place in the corrected stream) by its seq in the log. */
let placeOf;

/** The places of the first and the last event of each round, in the order of the corrected stream. */
let rounds;

/** The step of the game between event and round: a turn, a phase, or a segment. */
let unit;

/** The state at the end of the log. */
let lastState;

/** The parts other than log and state that show the event: each has `show(place)`, and may come later than the page. */
const followers = [];

/** Take the data of a replay: those of the page, or of a log that has grown since. */
function take(found) {
  data = found;
  count = data.events.length;
  placeOf = new Map(data.events.map(([seq], place) => [seq, place]));
  rounds = roundsOf();
  unit = ["turn", "phase"].find((name) => data.moments.some((each) => each[name])) ?? "segment";
  lastState = stateAt(count - 1);
}

/** The addresses whose values an event changed, such as "ada.hp". */
const changedAt = (place) => data.steps[place].map(([address]) => data.addresses[address]);

/** The moment of an event: {round, segment, turn, second, phase}, those that the game counts. */
const momentAt = (place) => data.moments[data.events[place][1]];

/** The round of an event; 0 is the time before the first. */
const roundAt = (place) => momentAt(place).round;

/** The number of an event as it is shown: that of its record or, for players, of what they know, so that none is missing. */
const numberOf = (place) => (data.counted ? place + 1 : data.events[place][0]);

/** The end of the address of the page at an event: #e with the number of the record or, for players, #n with the number that is shown. */
const addressOf = (place) => (data.counted ? `#n${place + 1}` : `#e${data.events[place][0]}`);

/** The rounds of the log, each with the places of its first and last event. */
function roundsOf() {
  const found = [];
  for (let place = 0; place < count; place += 1) {
    const last = found.at(-1);
    if (last && last.round === roundAt(place)) last.end = place;
    else found.push({ round: roundAt(place), start: place, end: place });
  }
  return found;
}

/** The round that an event belongs to. */
const roundOf = (place) => rounds.find((each) => each.start <= place && place <= each.end);

/**
 * Apply the differences of one event to a state.
 * @param {Map<string, Leaf>} state
 * @param {Array<[number, any, number]>} changes address, value (null: it is no more), reason
 */
function apply(state, changes) {
  for (const [address, value, why] of changes) {
    if (value === null && why === -1) state.delete(data.addresses[address]);
    else state.set(data.addresses[address], { value, why });
  }
}

/** The whole state that is stored last at or before a place, with its own place; -1 if there is none. */
const baseBefore = (place) => data.bases.findLast(([at]) => at <= place) ?? [-1, []];

/**
 * The state after an event, from the whole state that is stored nearest before it.
 * @param {number} place
 * @returns {Map<string, Leaf>} values by their addresses
 */
function stateAt(place) {
  const state = new Map();
  const [base, whole] = baseBefore(place);
  apply(state, whole);
  for (let step = base + 1; step <= place; step += 1) apply(state, data.steps[step]);
  return state;
}

/** The addresses at which two states have other values, or other reasons. */
function differing(one, other) {
  const differs = (address) => {
    const [first, second] = [one.get(address), other.get(address)];
    return first?.why !== second?.why || !same(first?.value, second?.value);
  };
  return [...new Set([...one.keys(), ...other.keys()])].filter(differs);
}

/**
 * Every event up to a place that changed a value, with the value after it.
 * @param {string} address
 * @param {number} until
 */
function historyOf(address, until) {
  const number = data.addresses.indexOf(address);
  const found = [];
  for (let place = 0; place <= until; place += 1) {
    for (const [changed, value] of data.steps[place]) {
      if (changed === number && same(value, found.at(-1)?.value) === false) found.push({ place, value });
    }
  }
  return found;
}

/** Whether two values, which are plain data, are equal. */
function same(one, other) {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

take(JSON.parse(document.getElementById("data").textContent));
