/** The pane with the lanes of a round: a row for each combatant, a column for each tick. */
const picture = {
  grid: document.getElementById("lanes"),
  lanes: null,
  /** The marks of the round with the places of their events, so that those to come can be dimmed. */
  marks: [],

  /** Show the round of an event, and where in it the event is. */
  show(place) {
    if ((document.body.dataset.view ?? "timeline") !== "timeline") return; // a page with views draws it where it is looked at
    const lanes = data.lanes.find((each) => each.round === roundAt(place)) ?? data.lanes[0];
    if (lanes !== this.lanes) this.draw(lanes);
    for (const [mark, when] of this.marks) mark.classList.toggle("later", when > place);
    const column = lanes?.at[data.events[place][0]] ?? this.column ?? 0;
    this.column = column;
    if (!this.cursor) return;
    this.cursor.style.gridColumn = `${column + 2}`;
    scrollAcross(this.grid, this.ticks[column]);
  },

  draw(lanes) {
    this.lanes = lanes;
    this.marks = [];
    this.column = 0;
    if (!lanes) return;
    document.getElementById("meaning").textContent = "";
    const title = lanes.round ? `Timeline of round ${lanes.round}` : "Timeline before round 1";
    document.getElementById("picture-title").textContent = title;
    this.grid.style.setProperty("--columns", lanes.columns.length);
    this.cursor = element("div", { class: "cursor", "aria-hidden": "true" });
    this.cursor.style.gridRow = `1 / span ${lanes.lanes.length + 2}`;
    this.ticks = lanes.columns.map((column, number) => tick(column, number));
    const rows = lanes.lanes.map((lane, number) => this.lane(lane, number));
    this.grid.replaceChildren(this.cursor, ...lanes.heads.map(head), ...this.ticks, ...rows, ...lanes.ties.map(tie));
    this.legend(lanes);
  },

  lane(lane, number) {
    const name = lane.combatant ? element("bdi", {}, nameAnywhere(lane.combatant)) : "the table";
    const row = element("div", { class: "lane", role: "group", "aria-label": nameAnywhere(lane.combatant) || "the table" });
    row.style.gridRow = `${number + 3}`;
    row.append(element("span", { class: "name", title: nameAnywhere(lane.combatant) }, name));
    for (const span of lane.spans) row.append(this.span(span));
    for (const [column, marks] of byColumn(lane.marks)) row.append(this.cell(column, marks));
    return row;
  },

  cell(column, marks) {
    const cell = element("div", { class: "cell" }, ...marks.map((mark) => this.mark(mark)));
    cell.style.gridColumn = `${column + 2}`;
    return cell;
  },

  mark(mark) {
    const says = `${data.kinds[mark.kind]}${mark.words ? `: ${mark.words}` : ""}`;
    const text = data.signs[mark.kind] ?? mark.words;
    return this.button(`mark ${mark.kind} ${mark.status}`, says, text, mark.event);
  },

  span(span) {
    const ends = `${span.from_before ? " from-before" : ""}${span.goes_on ? " goes-on" : ""}`;
    const says = `${data.kinds[span.kind]}: ${span.words}${span.status && span.status !== "done" ? `, ${span.status}` : ""}`;
    const made = this.button(`span ${span.kind}${ends}`, says, "", span.event);
    label(made, element("span", { class: "label" }, span.words), span.words);
    made.style.gridColumn = `${span.first + 2} / ${span.last + 3}`;
    made.style.gridRow = `${span.track + 2}`;
    return made;
  },

  /** A mark or span: at a touch it says what it means, and leads to its event, if it has one. */
  button(kind, says, text, seq) {
    const place = placeOf.get(seq);
    const means = () => (document.getElementById("meaning").textContent = says);
    const made = place === undefined
      ? element("span", { class: kind, title: says, role: "img", "aria-label": says, click: means }, text)
      : element("button", { class: kind, type: "button", title: `${says} (event ${numberOf(place)})`, "aria-label": `${says}, event ${numberOf(place)}`,
          click: () => {
            go(place);
            means();
          } }, text);
    if (place !== undefined) this.marks.push([made, place]);
    return made;
  },

  legend(lanes) {
    const items = lanes.kinds.filter((kind) => kind !== "status").map((kind) => element("li", {}, sample(kind), ` ${data.kinds[kind]}`));
    if (lanes.ties.length) {
      items.push(element("li", {}, element("span", { class: "sample tie", "aria-hidden": "true" }), " at once"));
    }
    document.getElementById("legend").replaceChildren(...items);
  },
};

/** A sample of a kind for the legend. */
function sample(kind) {
  const lasts = ["work", "wait", "concentration"].includes(kind);
  const text = lasts ? "" : { damage: "−", healing: "+" }[kind] ?? data.signs[kind];
  return element("span", { class: `sample ${lasts ? "span" : "mark"} ${kind}`, "aria-hidden": "true" }, text);
}

/** Put a label into an element that may be too narrow for it, but is wide enough for its first letters. */
function label(into, shown, words) {
  into.classList.add("labelled");
  into.dataset.beginning = [...words].slice(0, 6).join("");
  into.append(shown);
}

/** The heading over the columns of one turn or phase. */
function head({ first, columns, turn, phase }) {
  const words = turn ? nameAnywhere(turn) : phase;
  const made = element("span", { class: "group", title: words });
  label(made, element("bdi", { class: "label" }, words), words);
  made.style.gridColumn = `${first + 2} / span ${columns}`;
  return made;
}

/** The head of a column: its segment or second. */
function tick(column, number) {
  const text = column.segment || column.second || (column.turn || column.phase ? "" : "start");
  const made = element("span", { class: "tick" }, String(text));
  made.style.gridColumn = `${number + 2}`;
  return made;
}

/** A bracket around combatants who act at once, from the first of their lanes to the last. */
function tie({ column, first, last, those }) {
  const words = `at once: ${those.map(nameAnywhere).join(", ")}`;
  const made = element("div", { class: "tie", role: "img", title: words, "aria-label": words });
  made.style.gridColumn = `${column + 2}`;
  made.style.gridRow = `${first + 3} / ${last + 4}`;
  return made;
}

/** Marks by their columns. */
function byColumn(marks) {
  const found = new Map();
  for (const mark of marks) found.set(mark.column, [...(found.get(mark.column) ?? []), mark]);
  return found;
}

/** A combatant's name at the end of the log, for the text beside a whole round. */
const nameAnywhere = (who) => lastState.get(`${who}.name`)?.value ?? who;

/** Scroll the picture sideways so that a column can be seen. */
function scrollAcross(grid, head) {
  if (!head || grid.scrollWidth <= grid.clientWidth) return;
  const left = head.offsetLeft - grid.clientWidth / 2;
  if (head.offsetLeft < grid.scrollLeft + grid.clientWidth / 3 || head.offsetLeft > grid.scrollLeft + grid.clientWidth - 60) grid.scrollLeft = left;
}
followers.push(picture);
