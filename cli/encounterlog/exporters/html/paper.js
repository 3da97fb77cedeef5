/** The page on paper: the whole log by rounds, and how everybody stands at the end of each. */
function drawPaper() {
  const paper = document.getElementById("paper");
  paper.replaceChildren(...rounds.flatMap((round) => [
    element("h2", {}, round.round ? `Round ${round.round}` : "Before round 1"),
    element("ol", {}, ...paperLines(round)),
    element("p", {}, ...standingAt(round.end)),
  ]));
  paper.hidden = false;
}

/** The sentences of a round. */
function paperLines(round) {
  const lines = [];
  for (let place = round.start; place <= round.end; place += 1) {
    const [seq, , words, note] = data.events[place];
    lines.push(element("li", { value: String(numberOf(place)) }, ...sentence(words), note ? ` (${note})` : "", ...findingsAt(seq).map((each) => [" ", flag(each)]).flat()));
  }
  return lines;
}

/** Everybody's hit points and status after an event. */
function standingAt(place) {
  const state = stateAt(place);
  const those = [...state.keys()].filter((address) => address.endsWith(".name")).map((address) => address.slice(0, -5));
  return those.flatMap((who, number) => {
    const [hp, most, status] = ["hp", "hp_max", "status"].map((field) => state.get(`${who}.${field}`)?.value);
    const figures = hp === null ? "hp unknown" : `${hp}${most === undefined ? "" : ` of ${most}`} hp`;
    return [number ? "; " : "", element("bdi", {}, state.get(`${who}.name`).value), ` ${figures}${status === "up" ? "" : `, ${status}`}`];
  });
}

addEventListener("beforeprint", drawPaper);
addEventListener("afterprint", () => {
  document.getElementById("paper").hidden = true;
});
