"""The layout of a round's picture: its columns, and the marks and spans of each lane in them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import structs

from projections.fight import TimelineRow
from projections.mechanics.acts import kind_and_name, with_targets
from projections.state import State
from projections.stream.placing import slot_number
from projections.time import Point
from projections.views.lane_shapes import KINDS, Bar, Column, GatheredRound, Head, Lane, Lanes, Mark, Place, Span, Tie

ALONE = frozenset({"due", "held", "lost", "withdrawn", "spoiled"})
"""The statuses of a timeline's row that are kinds of marks, too; a row with any other is an act."""


def take_timeline(found: GatheredRound, rows: Sequence[TimelineRow], state: State) -> None:
    """Keep the timeline of a round that has been reached: acts as marks, those that take time as bars."""
    found.bars = [bar for row in rows if (bar := _bar_of_row(row, found.number, state))]
    found.acts = []
    for row in rows:
        if _is_alone(row, found.number):
            mark = Mark(0, kind_alone(row), _row_words(row, state), next(iter(row.events), 0), row.status)
            found.acts.append((row.combatant, _place_of(row.point, row, state), mark))


def draw_lanes(found: GatheredRound, state: State) -> Lanes:
    """Return the picture of a round: columns for all places in use, with marks and spans in them."""
    marks = [*found.acts, *found.marks]
    places = {place for _, place, _ in marks}
    places |= {place for _, first, last, *_ in found.holds for place in (first, last) if place}
    for _, first, last, due, _ in found.bars:
        places |= {place for place in (first, last, due) if place}
    rows = _columns(places, found, state)
    number = {place: column for column, place in enumerate(rows)}
    spans = [*_spans(found, number)]
    shown = [(who, structs.replace(mark, column=number[place])) for who, place, mark in marks]
    names = dict.fromkeys((*found.here, *(who for who, _ in (*shown, *spans) if who)))
    names = dict.fromkeys(["", *names]) if any(not who for who, _ in shown) else names
    columns = tuple(_column(place, found, state) for place in rows)
    lanes = _lanes(names, shown, spans)
    used = {mark.kind for lane in lanes for mark in lane.marks} | {span.kind for lane in lanes for span in lane.spans}
    kinds = tuple(kind for kind in KINDS if kind in used)
    at = dict(_columns_of_facts(found, number, rows))
    return Lanes(found.number, columns, lanes, at, tuple(_heads(columns)), tuple(_ties(columns, lanes)), kinds)


def _heads(columns: tuple[Column, ...]) -> Iterator[Head]:
    """Yield the heading above the columns of each turn or phase."""
    first = 0
    for (turn, phase), those in groupby(columns, key=lambda one: (one.turn, "" if one.turn else one.phase)):
        wide = len([*those])
        if turn or phase:
            yield Head(first, wide, turn, phase)
        first += wide


def _ties(columns: tuple[Column, ...], lanes: tuple[Lane, ...]) -> Iterator[Tie]:
    """Yield the brackets around combatants who act simultaneously."""
    place = {lane.combatant: number for number, lane in enumerate(lanes)}
    for number, column in enumerate(columns):
        for those in column.together:
            if found := [place[who] for who in those if who in place]:
                yield Tie(number, min(found), max(found), those)


def _spans(found: GatheredRound, number: dict[Place, int]) -> Iterator[tuple[str, Span]]:
    """Yield the spans of acts and effects, then those of concentration, each with its combatant."""
    for who, first, last, due, span in found.bars:
        yield who, structs.replace(_fit_span(first, last, span, number), due=number[due] if due else -1)
    for who, first, last, words, seq in found.holds:
        yield who, _fit_span(first, last, Span(0, 0, "concentration", words, seq), number)


def _lanes(names: Iterable[str], marks: list[tuple[str, Mark]], spans: list[tuple[str, Span]]) -> tuple[Lane, ...]:
    mine, lasting = defaultdict[str, list[Mark]](list), defaultdict[str, list[Span]](list)
    for who, mark in sorted(marks, key=lambda one: (one[1].column, one[1].event)):
        mine[who].append(mark)
    for who, span in sorted(spans, key=lambda one: (one[1].first, -one[1].last)):
        lasting[who].append(span)
    return tuple(Lane(who, tuple(mine[who]), tuple(_assign_tracks(lasting[who]))) for who in names)


def _assign_tracks(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans, each in the first track that is free from its first column on."""
    ends: list[int] = []
    for span in spans:
        track = next((number for number, end in enumerate(ends) if end < span.first), len(ends))
        ends[track : track + 1] = [span.last]
        yield structs.replace(span, track=track)


def _columns(places: set[Place], found: GatheredRound, state: State) -> list[Place]:
    """Return the places that get a column, in order: those in use, and all ticks of a round or turn that counts them."""
    tick, count = state.rules.strip or ("", 0)
    places = places | {place for place in found.facts.values() if any(place) and (tick != "second" or place[3])}
    if not tick or not found.number:
        return sorted(places) or [(0, 0, 0, 0)]
    part = 2 if tick == "segment" else 3
    bases = {place[:part] for place in places if place[part] and (part == 3 or not place[0])}
    ticks = {(*base, *([number, 0] if part == 2 else [number])) for base in bases for number in range(1, count + 1)}
    return sorted(places | ticks) or [(0, 0, 0, 0)]  # type: ignore[operator]  # four numbers, either way


def _column(place: Place, found: GatheredRound, state: State) -> Column:
    phase, turn, segment, second = place
    slots = state.rules.schedule.phases(state)
    acting = {who for who, there, mark in found.acts if there == place and mark.kind == "act"}
    together = tuple(both for group in found.groups if len(both := tuple(who for who in group if who in acting)) > 1)
    name = slots[phase - 1] if 0 < phase <= len(slots) else ""
    return Column(name, found.turns.get(turn, ""), segment, second, together)


def _columns_of_facts(found: GatheredRound, number: dict[Place, int], rows: list[Place]) -> Iterator[tuple[int, int]]:
    """Yield for each fact its column; one without a column belongs to that of the fact before it."""
    last = 0
    for seq, place in found.facts.items():
        before = [number[each] for each in rows if each <= place] if place not in number and any(place) else []
        last = number.get(place, before[-1] if before else last)
        yield seq, last


def _is_alone(row: TimelineRow, round_: int) -> bool:
    usual = row.action == "turn" and row.status not in ALONE
    return row.until is None and row.point.round == round_ and not usual and row.status != "struck"


def kind_alone(row: TimelineRow) -> str:
    """Return the kind of mark of a timeline's row that takes no time."""
    return "effect" if row.action == "effect" else row.status if row.status in ALONE else "act"


def act_words(kind: str | None, name: str | None, targets: Iterable[str], state: State) -> str:
    """Return an act in words, with the names of its targets."""
    here = state.combatants
    return with_targets(kind_and_name(kind, name), (here[who].name if who in here else who for who in targets))


def _row_words(row: TimelineRow, state: State) -> str:
    late = f", typed in {row.key['typed']}" if row.key and "typed" in row.key else ""
    return f"{act_words(row.action, row.name, row.targets, state) or row.status}{late}"


def _place_of(point: Point, row: TimelineRow, state: State) -> Place:
    phase = point.phase or (slot_number(state, row.phase) if row.phase else 0)
    return (phase, point.turn, point.segment, point.second)


def _bar_of_row(row: TimelineRow, round_: int, state: State) -> Bar | None:
    """Return a row that takes time as a span of this round; None if it belongs to another.

    The places are its beginning, its end and, if it was cut short, the place where it would have taken effect; None is beyond the round's edge.
    """
    if row.until is None or row.status == "struck" or row.point.round > round_:
        return None
    end, kind = row.until, "work"
    if row.until.round < round_:  # it is over, or still to take effect
        if row.status != "begun" or row.due is None or row.due.round < round_:
            return None
        end, kind = row.due, "wait"
    began, ends = row.point.round == round_, end.round == round_
    kind = row.status if row.status in ("spoiled", "withdrawn") else "wait" if row.action == "delay" else kind
    span = Span(0, 0, kind, _row_words(row, state), row.events[0] if row.events else 0, row.status)
    first = _place_of(row.point, row, state) if began else None
    last = _place_of(end, row, state) if ends and (end.turn or kind != "wait") else None
    cut = row.due if kind in ("spoiled", "withdrawn") and row.due and row.due > end else None
    due = _place_of(cut, row, state) if cut and cut.round == round_ else None
    return row.combatant, first, max(first, last) if first and last else last, due, span


def _fit_span(first: Place | None, last: Place | None, span: Span, number: dict[Place, int]) -> Span:
    start, end = number[first] if first else 0, number[last] if last else len(number) - 1
    return structs.replace(
        span, first=min(start, end), last=max(start, end), from_before=first is None, goes_on=last is None
    )
