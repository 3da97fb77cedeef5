"""The state of a fight at any point: clock, combatants, order, the round as a picture, the findings up to there."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby, zip_longest
from typing import Any

from msgspec import UNSET, Struct, UnsetType, structs

from encounterlog.ask import AT, Answer, Argument, Kind, Question, dice
from encounterlog.log.logs import LogView, name_log_in_errors, replay_log
from encounterlog.words import layout
from encounterlog.words.layout import HANG, alarm, clip, count_noun, fill, heading, name, table, wrap
from encounterlog.words.naming import label_combatants
from encounterlog.words.phrases import NOT_THERE, in_parentheses, listed_briefly, value_in_words, word_with_text
from eventstore.errors import StoreError
from eventstore.events import RoundStarted, RulingMade, TurnStarted
from eventstore.record import Recorded
from eventstore.wording import list_in_words
from projections.explaining.fairness import Fairness, check_fairness
from projections.folds.addresses import address_index
from projections.judging.audit import Finding, audit
from projections.mechanics.acts import kind_and_name, with_targets
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find
from projections.state import State
from projections.stream.corrections import Corrections
from projections.time import Where
from projections.views.current_round import CurrentRound, lanes_of, last_round
from projections.views.lane_shapes import EMPTY, LEGEND, LETTERS, POINTS, Column, Lane, Lanes, Mark, Span
from projections.views.view import CombatantView, EffectView, EntryView, Show as Shown, SlotView, When, show, timeline


class Show(Shown, frozen=True, kw_only=True):
    """The output of `encounter show --json`; `verified_from` is the first record that was verified now, 1 if all were.

    `dice` says how many rolls are proven, bound and typed, in a log that has a chain of dice.
    """

    dice: dict[str, int] | UnsetType = UNSET
    verified_from: int


USUAL = "up"  # the status that needs no reason; --json has the reason of every status
LINES = 28  # the most lines of a short page, if possible: with ten combatants it fits a small terminal
SHORTER = ("standing", "readings", "headings", "order", "notes", "map", "findings")  # in turn, until the page fits
MARK = 16  # the room for a column of names


class View(Struct, frozen=True):
    """A view of a log up to record `seq`, and the later corrections applied."""

    shown: Shown
    seq: int
    corrected: tuple[int, ...]
    findings: tuple[Finding, ...] = ()  # those of the audit up to there, and the picture of the round, if asked for
    lanes: Lanes | None = None
    dice: Fairness | None = None  # where the dice up to there came from, in a log with a chain of dice


def make_view(log: LogView, where: Where | None, every: bool, *, judge: bool = False, drawn: bool = True) -> View:
    """Return a log at a point, if wanted with all timelines, the findings up to there, but then no history of pools, the picture."""
    rounds: dict[int, tuple[EntryView, ...]] = {}
    present = CurrentRound(last_round(log, where)) if drawn else None

    def keep(state: State, fact: Occurrence[Any]) -> None:
        if present:
            present.keep_last_step(state, fact)
        if every and isinstance(fact.event, RoundStarted | TurnStarted | RulingMade):  # it may end the round
            rounds[state.clock.point.round] = timeline(state)

    before, findings = keep if drawn or every else None, tuple[Finding, ...]()
    if judge:
        with name_log_in_errors(log, where):
            judged = audit(log, where, before=before)
        done, findings = judged.replay, judged.findings
    else:
        done = replay_log(log, where, before=before)
    shown = show(done.state, history=not judge)
    drawn_as = lanes_of(log, where, present, done, findings) if present else None
    if every:
        rounds[shown.clock.round] = shown.timeline
        timelines = (row for _, rows in sorted(rounds.items()) for row in rows)
        shown = structs.replace(shown, timeline=_unique_rows(timelines))
    seq = done.records if where is None else where.seq or shown.seq
    records: list[Recorded] = []
    with suppress(StoreError):  # of which the view tells
        records.extend(record for record in (log if log.is_chained else ()) if record.seq <= seq)
    fair = check_fairness(records) if records else None
    corrected = tuple(corrections_after(done.corrections, seq))
    return View(shown, seq, corrected, findings, drawn_as, fair if fair and fair.chains else None)


def corrections_after(corrections: Corrections, seq: int) -> Iterator[int]:
    """Yield the corrections after a record that change earlier facts."""
    made = [*corrections.struck.items(), *((target, words.seq) for target, words in corrections.amended.items())]
    made += [(after, words.seq) for after, put in corrections.inserted.items() for words in put]
    yield from sorted({one for target, one in made if target <= seq < one})


def _unique_rows(rows: Iterable[EntryView]) -> tuple[EntryView, ...]:
    """Return the rows by round, each as it stood last, as one that runs on is in several timelines; one that was due and lost is only lost."""
    found: dict[tuple[object, ...], EntryView] = {}
    for row in rows:
        key = (row.round, row.segment, row.second, row.combatant, row.action, row.name, row.events[:1])
        before = found.get(key)
        found[key] = structs.replace(row, turn=before.turn) if before and row.turn is None else row
    lost = {(row.round, row.combatant, row.action) for row in found.values() if row.status == "lost"}
    kept = (row for row in found.values() if row.status != "due" or (row.round, row.combatant, row.action) not in lost)
    return tuple(sorted(kept, key=lambda row: row.round))


def format_view(view: View, *, why: bool = False, every: bool = False) -> list[str]:
    """Return the page of a view: with the reasons, or short, and then with the timelines only if all are wanted."""
    called = label_combatants((who, one.name) for who, one in view.shown.combatants.items())
    rules = find(view.shown.ruleset)
    if why:
        return _format_reasons(view, called, rules)
    whole = _format_short_view(view, called, rules, every=every)
    if every or len(whole) <= LINES or len(view.shown.combatants) > LINES:  # each has a line on the shortest, too
        return whole
    tried = (_format_short_view(view, called, rules, SHORTER[: place + 1]) for place in range(len(SHORTER)))
    return next((lines for lines in tried if len(lines) <= LINES), whole)


def round_picture(view: View) -> list[str]:
    """Return the picture of the present round alone, with its order."""
    called = label_combatants((who, one.name) for who, one in view.shown.combatants.items())
    return _order_and_picture(view, called, ("order", "headings"))


def _format_short_view(
    view: View, called: dict[str, str], rules: Ruleset, shorter: Collection[str] = (), *, every: bool = False
) -> list[str]:
    shown, most, people = view.shown, 1 if "findings" in shorter else 3, []
    for who, one in shown.combatants.items():
        called_so = "-".join(one.name.casefold().split()) == who
        label = name(one.name) if called_so else f"{name(one.name, MARK)} ({name(who, MARK)})"
        of = f" of {one.hp_max}" if one.hp_max is not None else ""
        bar = layout.bar(one.hp or 0, one.hp_max or one.hp or 0, one.nld)
        more = f"{one.temp} temporary" if one.temp else "", f"{one.nld} non-lethal" if one.nld else ""
        points = "hp unknown" if one.hp is None else listed_briefly((f"{bar} {one.hp}{of} hp", *more))
        standing = layout.joined(filter(None, _describe_standing(one, rules)), ", ")
        people.append((label, name(one.side, MARK) if one.side != who else "", points, standing))
    lines = table(people) if "standing" in shorter else chain.from_iterable(layout.format_blocks(people))
    effects = [_describe_effect(one, called) for one in shown.effects]
    return [
        *_format_head(view, why=False),
        *layout.format_section("" if "headings" in shorter else "Combatants", lines),
        *(wrap(", ".join(effects), HANG, "Effects on nobody: ") if effects else ()),
        *_order_and_picture(view, called, shorter),
        *(_format_timelines(shown, called, why=False) if every else []),
        *layout.format_section("Map", draw_ground(shown, called, drawn="map" not in shorter)),
        *_format_chart_readings(shown, brief="readings" in shorter),
        *([dice.summarize_dice(view.dice)] if view.dice else []),
        *layout.format_section("Findings" if most > 1 else "", _format_findings(view.findings, most)),
    ]


def _format_paragraph(title: str, lines: Iterable[str]) -> list[str]:
    return ["", *found] if (found := layout.format_section(title, lines)) else []


def _order_and_picture(view: View, called: dict[str, str], shorter: Collection[str]) -> list[str]:
    shown, lanes = view.shown, view.lanes
    by_turn = lanes is not None and not shown.strip
    places = {who: _describe_slot(slot) for slot in shown.order for who in slot.combatants} if by_turn else {}
    drawn = list(draw_lanes(lanes, called, places, brief="notes" in shorter)) if lanes else []
    if drawn and places:
        return drawn
    rows = [(_describe_slot(slot), _combatants_in_slot(slot, called)) for slot in shown.order]
    if "order" not in shorter:
        return [*layout.format_section("" if "headings" in shorter else "Order", table(rows)), *drawn]
    units = {place.partition(" ")[0] for place, _ in rows}  # one for all is given once
    start = f"Order, by {min(units)}:" if len(units) == 1 else "Order:"
    named = (f"{place.partition(' ')[2] if len(units) == 1 else place} {who}" for place, who in rows)
    return [*(wrap(" > ".join(named), HANG, f"{start} ") if rows else ()), *drawn]


def _combatants_in_slot(slot: SlotView, called: dict[str, str]) -> str:
    others = slot.key.get("else", {}).items()
    elsewhere = ", ".join(f"{called.get(one, one)} else in segment {place}" for one, place in others)
    return f"{' & '.join(called.get(one, one) for one in slot.combatants)}{in_parentheses(elsewhere)}"


def _describe_slot(slot: SlotView) -> str:
    numbers = ((what, part) for what, part in slot.key.items() if isinstance(part, int | str) and part != 0)
    parts = {what: part for what, part in numbers if what != "round"}
    return name(_describe_place(slot.phase, slot.segment, parts), 2 * MARK)


def _describe_place(phase: str | None, segment: int | None, parts: Mapping[str, Any]) -> str:
    if phase or segment is not None:
        return f"phase {phase}" if phase else f"segment {segment}"
    return " ".join(f"{what} {value_in_words(part)}" for what, part in parts.items() if part not in ("", (), [], None))


def _describe_standing(one: CombatantView, rules: Ruleset) -> Iterator[str]:
    fields = address_index(rules.addresses)
    status = _describe_status(one, rules)
    levels = [each for each in one.conditions if each.startswith(f"{one.status} ")]
    word = levels[0] if levels and status == one.status else status
    yield word if one.status == USUAL else layout.joined([alarm(word), f" (event {one.since})"])
    yield from (each for each in one.conditions if each not in levels)
    if one.casting:
        yield f"casting {one.casting.name or 'something'}"
    elif one.concentration:
        yield f"concentrates on {one.concentration}"
    yield from (effect.name if effect.left is None else f"{effect.name} {effect.left}" for effect in one.effects)
    for field, found in one.values.items():
        if fields.is_notable(field) and found.value not in ("none", None, 0, False, [], ()):
            yield f"{fields.label(field)} {'' if found.value is True else value_in_words(found.value)}".strip()
    if one.status == USUAL:
        yield _describe_resources(one)


def _describe_status(one: CombatantView, rules: Ruleset) -> str:
    tally = one.values.get(address_index(rules.addresses).tallies.get(one.status, ""))
    return f"{one.status}({tally.value})" if tally else one.status


def _describe_resources(one: CombatantView, *, whole: bool = False) -> str:
    counted = {what: left for what, left in one.budget.items() if left not in (None, (), {}, [])}
    some = [f"{what} {value_in_words(left)}" for what, left in counted.items() if whole or left not in (0, "none")]
    return f"left: {', '.join(some)}" if some else "nothing left" if counted else ""


def _format_findings(found: tuple[Finding, ...], most: int) -> Iterator[str]:
    rows = []
    for one in sorted(found, key=lambda one: (one.ruled is not None, one.severity != "breach", one.event))[:most]:
        word = f"{one.severity}, ruled" if one.ruled else one.severity
        word = alarm(word) if word == "breach" else word
        rows.append((f"{one.id}.", f"line {one.line}", word, f"{one.says} ({one.rule})"))
    yield from table(rows)
    if len(found) > most:
        yield f"  and {count_noun(len(found) - most, 'finding')} more: encounter audit FILE"


def _format_reasons(view: View, called: dict[str, str], rules: Ruleset) -> list[str]:
    shown = view.shown
    drawn, order = list(draw_lanes(view.lanes, called)) if view.lanes else [], list[str]()
    for slot in shown.order:
        place = _describe_place(slot.phase, slot.segment, slot.key)
        order += [*wrap(_combatants_in_slot(slot, called), HANG, f"  {place}  "), *layout.reason_lines(slot.because)]
    people = (line for who, one in shown.combatants.items() for line in _format_combatant_with_reasons(who, one, rules))
    lasts = (line for one in shown.effects for line in layout.reason_lines(one.because, _describe_effect(one, called)))
    return [
        *_format_head(view, why=True),
        *_format_paragraph("Combatants", people),
        *_format_paragraph("Effects on nobody", lasts),
        *_format_paragraph("Order", order),
        *(["", *drawn] if drawn else []),
        *_format_timelines(shown, called, why=True),
        *_format_paragraph("Map", draw_ground(shown, called)),
        *_format_chart_readings(shown),
    ]


def _format_head(view: View, *, why: bool) -> list[str]:
    shown, clock, corrected = view.shown, view.shown.clock, view.corrected
    phase, turn = f"phase {clock.phase}" if clock.phase else "", f"turn of {name(clock.turn)}" if clock.turn else ""
    now = listed_briefly((describe_point(When(clock.round, clock.segment)), phase, turn))
    title = heading(name(shown.title, min(70, layout.room() - 1))) + ": "
    unread = f"withheld or of an unknown type, left out: {layout.format_numbers(shown.unread)}" if shown.unread else ""
    lacking = [clip(f"  {words}") for words in (*shown.missing, unread) if words]
    later = f", as corrected by record{'s' if len(corrected) > 1 else ''} {layout.format_numbers(corrected)}"
    top = fill([f"{shown.ruleset}, as of record {view.seq}{later if corrected else ''}"], title, "  ")
    over = [f"  the fight is over: event {shown.closed}"] if shown.closed else []
    return [*top, *over, *wrap(now, "    ", "  "), *(layout.reason_lines(clock.because) if why else ()), *lacking]


def _format_chart_readings(shown: Shown, *, brief: bool = False) -> list[str]:
    if brief and (number := len(shown.leans_on)):
        return [clip(f"{count_noun(number, 'rule')} read without the chart that the text refers to (--why)")]
    leaning = dict[str, list[str]]()
    for rule, chart in shown.leans_on.items():
        leaning.setdefault(chart, []).append(rule)
    says = (wrap(f"{chart}, {NOT_THERE}: {', '.join(those)}", HANG, "  ") for chart, those in leaning.items())
    return _format_paragraph("Read without a chart that they lean on", chain.from_iterable(says))


def _format_timelines(shown: Shown, called: dict[str, str], *, why: bool) -> Iterator[str]:
    for number in dict.fromkeys(row.round for row in shown.timeline):
        yield ""
        yield heading(f"Timeline of round {number}" if number else "Timeline before round 1")
        rows = [row for row in shown.timeline if row.round == number]
        for lines, row in zip(layout.format_blocks(_timeline_columns(row, called) for row in rows), rows, strict=True):
            yield from lines
            yield from layout.reason_lines(row.because) if why else ()


def _timeline_columns(row: EntryView, called: dict[str, str]) -> tuple[str, str, str, str]:
    when = _describe_place(row.phase, row.segment, {"turn": row.turn or None, "second": row.second or None})
    what = row.action.replace("_", " ") if row.action and row.status == "struck" else row.action
    words = with_targets(kind_and_name(what, row.name), (called.get(who, who) for who in row.targets))
    status, more = alarm(row.status) if row.status in ("spoiled", "lost", "struck") else row.status, ""
    if other := row.key.get("else", {}).get(row.combatant):
        more = f", else in segment {other}"
    elif "typed" in row.key:
        more = f", typed in {row.key['typed']}"
    elif row.due is not None and row.status != "done":
        more = f", {'due' if row.status == 'begun' else 'was due'} in {describe_point(row.due)}"
    act = name(f"{words}{in_parentheses(row.cost)}", 48)
    return when, called.get(row.combatant, row.combatant), act, layout.joined([status, more])


def describe_point(due: When) -> str:
    """Return a point in words: round 1, segment 4."""
    where = f"round {due.round}" if due.round else ("surprise" if due.segment else "before round 1")
    parts = (("segment", due.segment), ("turn", due.turn), ("second", due.second))
    return ", ".join([where, *(f"{what} {number}" for what, number in parts if number)])


def _format_combatant_with_reasons(who: str, one: CombatantView, rules: Ruleset) -> Iterator[str]:
    status, left, because = _describe_status(one, rules), _describe_resources(one, whole=True), one.because
    fits = layout.width(left) <= 60
    parts = (
        name(one.name) if one.name == who else f"{name(one.name)} ({name(who)})",
        name(one.side) if one.side != who else "",
        f"{one.hp} of {value_in_words(one.hp_max)} hp" if one.hp is not None else "hp unknown",
        f"{one.temp} temporary" if one.temp else "",
        f"{one.nld} non-lethal" if one.nld else "",
        status if one.status == USUAL else alarm(status),
        ", ".join(one.conditions),
        left if fits else "",
    )
    yield from fill(filter(None, parts), "  ", HANG)
    yield from () if fits else wrap(left, HANG + "  ", HANG)
    keeps = one.casting or one.concentration or len(because.concentration.events) > 1
    for there, reason, what in (
        (True, because.hp, "hp"),
        (one.temp, because.temp, "temporary points"),
        (one.nld, because.nld, "non-lethal damage"),
        (one.status != USUAL, because.status, rules.statuses.get(one.status, one.status)),
        (one.conditions, because.conditions, ", ".join(one.conditions)),
        (keeps, because.concentration, f"concentration {one.concentration or 'none'}"),
    ):
        yield from layout.reason_lines(reason, what) if there else ()
    for effect in one.effects:
        yield from layout.reason_lines(effect.because, _describe_effect(effect, {who: ""}))


def _describe_effect(effect: EffectView, called: dict[str, str]) -> str:
    left = f" for {count_noun(effect.left, effect.unit or 'round')}" if effect.left is not None else ""
    return f"{effect.name}{left}{word_with_text('from', called.get(effect.source or '', effect.source))}"


def draw_lanes(
    lanes: Lanes, called: Mapping[str, str], places: Mapping[str, str] | None = None, *, brief: bool = False
) -> Iterator[str]:
    """Yield the picture with its legend; nothing if it is empty. If `brief`, a line a lane: the last columns, and the notes that fit.

    `called` maps ids to labels; `places` to the text before them, and those combatants have a line in any case, in that order.
    """
    declared = any(mark.kind == "declares" for lane in lanes.lanes for mark in lane.marks)
    used, first = [lane for lane in lanes.lanes if _items(lane)], places or {}
    timed = any(each.phase or each.turn or each.segment or each.second for each in lanes.columns)
    if used and (declared or timed):
        there = {lane.combatant: lane for lane in lanes.lanes}
        placed = [there.get(who, Lane(who, (), ())) for who in first]
        rest = [lane for lane in used if lane.combatant not in first]
        shown = [*placed, *sorted(rest, key=lambda lane: min(map(_ends, _items(lane)))[0])]
        yield from _Picture(lanes, shown, called, first, brief=brief).draw_lines()


def _items(lane: Lane) -> list[Mark | Span]:
    return [*lane.spans, *lane.marks]


def _ends(one: Mark | Span) -> tuple[int, int]:
    return (one.column, one.column) if isinstance(one, Mark) else (one.first, one.last)


def _crosses(lane: Lane, columns: Sequence[int]) -> list[Mark | Span]:
    found = []
    for one in _items(lane):
        ends = _ends(one)[isinstance(one, Span) and one.from_before :]
        is_there = any(columns[0] <= column <= columns[-1] for column in ends)
        found += [one] if is_there and one.kind not in ("wait", "concentration") else []
    return found


def _cell(lane: Lane, number: int, column: Column) -> tuple[set[str], dict[str, list[int]]]:
    """Return the kinds of what a lane has in a column, concentration only alone, and by how much points changed, each change alone."""
    marks = [mark for mark in lane.marks if mark.column == number]
    here = [span for span in lane.spans if span.first <= number <= span.last]
    kinds, points = {mark.kind for mark in marks}, dict[str, list[int]]()
    for span in here:
        if span.kind != "concentration" or len(here) == 1:
            kinds.add("work" if span.kind in ("spoiled", "withdrawn") and number != span.last else span.kind)
    due = any(span.due == number for span in lane.spans)
    kinds |= {"overdue"} if due else set()
    together = any(lane.combatant in each for each in column.together)
    kinds |= {"together"} if together and (marks or here or due) else set()
    for mark in marks:
        if mark.kind in ("damage", "healing"):
            amount, _, what = mark.words.replace("−", "-").partition(" ")
            points.setdefault(what, []).append(int(amount))
    return kinds, points


class _Picture:
    """Lanes in letters: how they and their columns are called, and the kinds and points that were drawn, for the legend."""

    def __init__(
        self, lanes: Lanes, shown: list[Lane], called: Mapping[str, str], places: Mapping[str, str], *, brief: bool
    ) -> None:
        self.lanes, self.shown, self.places, self.brief = lanes, shown, places, brief
        units = ("second", "phase", "segment", "turn")  # of what the columns count, the first that one of them has
        self.unit = next((part for part in units if any(getattr(each, part) for each in lanes.columns)), "")
        ids = [lane.combatant for lane in shown]
        self.numbers = {who: number for number, who in enumerate(ids, 1)} if self.unit == "turn" else {}
        self.names = {who: called.get(who, who) if who else "(the table)" for who in ids}
        self.ahead = max(map(layout.width, places.values()), default=0)
        self.kinds, self.points = set[str](), set[str]()

    def draw_lines(self) -> Iterator[str]:
        """Yield the whole picture, in as many pieces side by side as there is room for."""
        before = "of surprise" if any(column.segment for column in self.lanes.columns) else "before round 1"
        when = f"of round {self.lanes.round}" if self.lanes.round else before
        title = f"{self.unit.capitalize()}s {when}" if self.unit else f"Round {self.lanes.round}"
        bands = [*self._bands()]
        heads = [self._column_head(number) for number in max((columns for columns, _, _ in bands), key=len)]
        lines = [self._parts_of_line(lane, columns, turn) for columns, turn, lanes in bands for lane in lanes]
        columns = zip_longest(heads, *(cells for _, cells, _ in lines), fillvalue="")
        widths = [1 + max(map(layout.width, each)) for each in columns]
        widest = max(layout.width(label) for label, _, _ in lines)
        wide = max(widest, layout.width(title) - 2)
        if 4 + wide + sum(widths) > layout.room():  # then the title does not count
            wide = min(widest, max(3, layout.room() - 6 - max(widths)))
        begin, last = 0, len(widths)
        if self.brief:
            begin = next(n for n in range(last) if n == last - 1 or 4 + wide + sum(widths[n:]) <= layout.room())
        while begin < last:
            ends = (n for n in range(last, begin + 1, -1) if 4 + wide + sum(widths[begin:n]) <= layout.room())
            end = next(ends, begin + 1)
            part, beside = slice(begin, end), title if layout.width(title) <= wide + 3 else ""
            yield from [heading(clip(title))] if title != beside else ()
            start = heading(beside) if beside else ""
            yield layout.joined([start, " " * (4 + wide - layout.width(start)), *_pad_cells(heads[part], widths[part])])
            for label, cells, notes in lines:
                start = f"  {clip(label, wide)}{' ' * (wide - layout.width(clip(label, wide)))}  "
                row = layout.joined([start, *_pad_cells(cells[part], widths[part])])
                yield from self._with_notes(row, notes if end == last else "")
            begin, title = end, ""
        signs = [LEGEND[kind] for kind in LETTERS if kind in self.kinds]
        signs += [sign for kind, sign in POINTS.items() if kind in self.points and sign.letter]
        indent = " " * (2 if layout.room() < 50 else 4)
        yield from fill((f"{sign.letter} {sign.legend}" for sign in signs), indent, indent) if signs else ()

    def _bands(self) -> Iterator[tuple[Sequence[int], str, Iterable[Lane]]]:
        """Yield all columns at once or, where seconds are counted, those of each turn with the lanes that it touches."""
        columns = self.lanes.columns
        if not any(column.second for column in columns):
            first = columns[0].phase or columns[0].turn or columns[0].segment
            used = first or any(_crosses(lane, [0]) for lane in self.shown)
            yield range(0 if used else 1, len(columns)), "", self.shown
            return
        for turn, group in groupby(range(len(columns)), key=lambda number: columns[number].turn):
            of = tuple(group)
            if touched := [lane for lane in self.shown if lane.combatant == turn or _crosses(lane, of)]:
                yield of, turn, sorted(touched, key=lambda lane: lane.combatant != turn)

    def _parts_of_line(self, lane: Lane, of: Sequence[int], turn: str) -> tuple[str, list[str], str]:
        cells, sums = list[str](), list[str]()
        for number in of:
            kinds, points = _cell(lane, number, self.lanes.columns[number])
            self.kinds |= kinds
            self.points |= points.keys()
            found = "".join(letter for kind, letter in LETTERS.items() if kind in kinds)
            found += "".join(f"{sum(amounts):+d}{POINTS[what].letter}" for what, amounts in points.items())
            cells.append(alarm(found) if kinds & {"spoiled", "lost", "finding"} else found or EMPTY)
            several = ((what, map("{:+d}".format, amounts)) for what, amounts in points.items() if len(amounts) > 1)
            words = [f"{list_in_words(amounts)}{word_with_text('', POINTS[what].means)}" for what, amounts in several]
            sums += [f"{', '.join(words)}{self._where_words(number)}"] if words else []  # of several amounts
        said = _items(lane) if turn in ("", lane.combatant) else _crosses(lane, of)
        said = [one for one in said if _ends(one)[0] <= of[-1] and _ends(one)[1] >= of[0]]
        carried_out = {one.words for one in said if one.kind != "declares"}
        said = [one for one in said if one.kind != "declares" or one.words not in carried_out]
        notes = [*map(self._note_on, sorted(said, key=lambda one: _ends(one)[0])), *sums]
        return self._label(lane.combatant, turn), cells, "; ".join(dict.fromkeys(filter(None, notes)))

    def _label(self, who: str, turn: str) -> str:
        if who not in self.numbers or (turn and who != turn):
            return f"{'  ' if turn and who != turn else ''}{self.names[who]}"
        before = f"{self.places.get(who, ''):<{self.ahead}}  " if self.ahead else ""
        return f"{self.numbers[who]:>{len(str(len(self.numbers)))}} {before}{self.names[who]}"

    def _with_notes(self, line: str, notes: str) -> Iterator[str]:
        """Yield the line of a lane, with its notes after the cells or, if they do not fit, below."""
        if not notes or layout.width(line) + 2 + layout.width(notes) <= layout.room():
            yield layout.joined([line, "  ", notes]) if notes else line
        elif self.brief:
            yield clip(layout.joined([line, "  ", notes])) if layout.width(line) + 12 < layout.room() else line
        else:
            yield line
            yield from wrap(notes, HANG + "  ", HANG)

    def _column_head(self, number: int) -> str:
        column = self.lanes.columns[number]
        turn = str(self.numbers.get(column.turn, "start")) if column.turn else ""
        place = ".".join(str(part) for part in (column.phase, column.segment) if part)
        return str(column.second or "") or turn or place or "start"

    def _note_on(self, one: Mark | Span) -> str:
        if isinstance(one, Mark) and one.kind == "status":
            return f"{one.words}{self._where_words(one.column)}"
        if one.kind in ("concentration", "effect", "damage", "healing", "condition", "finding"):
            return ""
        cut = self._where_words(one.last) if isinstance(one, Span) and one.status in ("spoiled", "withdrawn") else ""
        words = ["declares"] if one.kind == "declares" else []
        words += [one.words] if one.words != "turn" else []
        words += [one.status] if one.status not in ("", "done", "begun" if not words else "", one.words) else []
        return f"{' '.join(words)}{cut}"

    def _where_words(self, number: int) -> str:
        return "" if (head := self._column_head(number)) == "start" else f" in {head}"


def _pad_cells(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    return (layout.joined([" " * (most - layout.width(cell)), cell]) for cell, most in zip(cells, widths, strict=False))


CELL = 4  # the width of a square, in columns
TALLEST = 30
"""The most rows of a map; beyond them, as beyond the width of the page, empty rows and columns are left out."""


def draw_ground(shown: Shown, called: Mapping[str, str], *, drawn: bool = True) -> Iterator[str]:
    """Yield the map with its legend, or who stands where alone if it is not `drawn`; nothing where nobody's square is known."""
    standing = {who: one.square for who, one in shown.combatants.items() if one.square and not one.left}
    if not standing:
        return
    marks, fit = _make_marks(standing), max(1, (layout.room() - 10) // CELL)
    columns = _indices_to_draw({column for column, _ in standing.values()}, fit)
    if drawn and len(columns) <= fit:
        on: dict[tuple[int | None, int | None], str] = {}
        for who, square in standing.items():
            on[square] = "*" if square in on else marks[who]
        rows = _indices_to_draw({row for _, row in standing.values()}, TALLEST)
        wide = max(len(str(row)) for row in rows if row is not None)
        # the last figures of a number fit
        lines = [("", [":" if number is None else str(number)[1 - CELL :] for number in columns])]
        for row in rows:
            cells = [":" if None in (column, row) else on.get((column, row), ".") for column in columns]
            lines.append((":" if row is None else str(row), cells))
        yield from (f"  {start:>{wide}}{''.join(f'{cell:>{CELL}}' for cell in cells)}" for start, cells in lines)
    named = {who: f"{f'{marks[who]} ' if drawn else ''}{called.get(who, who)}" for who in standing}
    yield from fill((f"{named[who]} at {column},{row}" for who, (column, row) in standing.items()), "  ", HANG)


def _indices_to_draw(taken: set[int], most: int) -> list[int | None]:
    """Return the columns or rows to draw; where they are too many, only those taken, with None for a gap."""
    first, last = min(taken), max(taken)
    if last - first < most:
        return list(range(first, last + 1))
    return [each for at in sorted(taken) for each in ([at] if at - 1 in taken or at == first else [None, at])]


def _make_marks(those: Iterable[str]) -> dict[str, str]:
    """Return a mark of two or three letters for each id: its first letters, its last figure, else a number."""
    found: dict[str, str] = {}
    for who in those:
        tail = who.rpartition("-")[2]
        numbered = [f"{who[0]}{tail[-2:]}"] if tail.isdigit() else []
        tried = (*numbered, who[:2], *(f"{who[0]}{letter}" for letter in who[2:] if letter != "-"))
        found[who] = next((mark for mark in tried if mark not in found.values()), str(len(found) + 1))
    return found


def ask(log: LogView, where: Where | None = None, every: bool = False, why: bool = False) -> Answer:
    """Return the state at a point: the page for people is drawn, and without the reasons also judged; the data are neither."""

    def data() -> Show:
        found = make_view(log, where, every, drawn=False)
        levels: dict[str, int] | UnsetType = dict(found.dice.levels.items()) if found.dice else UNSET
        return Show(**structs.asdict(found.shown), dice=levels, verified_from=1)

    def lines() -> list[str]:
        found = make_view(log, where, every, judge=not why)
        if why:  # then each reason names the facts that do not decide, too
            from encounterlog.ask.why import replay_past  # with all that answers why, which only --why needs
            from projections.explaining.shown import weigh_view

            found = structs.replace(found, shown=weigh_view(replay_past(log, where), found.shown))
        return format_view(found, why=why, every=every)

    return Answer(data, lines)


SHOW = Question(
    "show", """Show clock, combatants and order of the log FILE, one line each, the round as a picture, and the findings up to there.

    A page of more than 28 lines leaves out the least important ones, if it then fits; --all shows everything. A bar
    shows hit points: # those that are left, = those that non-lethal damage has reached. Findings have the numbers of
    encounter audit; encounter why FILE finding N explains it.
    """,
    (
        AT,
        Argument("why", "why", Kind.FLAG, "Show the timeline too, and under each value the events and rules behind it.", for_people=True),
        Argument("all", "every", Kind.FLAG, "Show the timeline of every round so far."),
    ),
    ask, "encounterlog.ask.show:Show",
    "encounter show ford.jsonl --at r1s4     the state after segment 4 of round 1",
)  # fmt: skip
