"""Lanes: each round as a picture, a lane for each combatant over the ticks that the ruleset counts.

The layout is in columns, without a unit of length: the page, the drawing and the terminal draw the same one.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, structs

from eventstore.events import RulingMade
from projections.address import NOTHING
from projections.folds.order import order_of, rows_of
from projections.judging.audit import Finding
from projections.occurrence import Occurrence
from projections.state import State, TimelineRow
from projections.stream.placing import reached, slot_number
from projections.time import Point
from projections.views.steps import Change, Step

KINDS = {
    "declares": "declares",
    "act": "acts",
    "work": "is busy",
    "wait": "waits",
    "effect": "takes effect",
    "spoiled": "spoiled",
    "withdrawn": "given up",
    "held": "holds",
    "due": "is due",
    "lost": "lost",
    "concentration": "concentrates",
    "damage": "damage",
    "healing": "healing",
    "condition": "condition",
    "status": "status",
    "finding": "finding",
}
"""The kinds of marks and spans, and what they mean."""
SIGNS = {
    "declares": "D",
    "act": "A",
    "work": "▭",
    "wait": "┄",
    "effect": "E",
    "spoiled": "✕",
    "withdrawn": "W",
    "held": "h",
    "due": "d",
    "lost": "–",
    "concentration": "═",
    "condition": "c",
    "finding": "⚑",
}
"""The sign of each kind; those that are not here are drawn in words."""
IN_WORDS = ("damage", "healing", "status")
ALONE = {"due": "due", "held": "held", "lost": "lost", "withdrawn": "withdrawn", "spoiled": "spoiled"}
"""The kind of mark of a timeline row that takes no time, by its status; any other is an act."""
COUNTED = {"hp": 1, "temp": 1, "nld": -1}
"""The pools whose changes are drawn: 1 where more is better, -1 where it is worse."""


class Column(Struct, frozen=True):
    """A column: the phase, turn, segment or second that it stands for ("" and 0: not counted); all empty at the start.

    `together` are those who act in it simultaneously, group by group.
    """

    phase: str
    turn: str
    segment: int
    second: int
    together: tuple[tuple[str, ...], ...] = ()


class Mark(Struct, frozen=True):
    """Something that happens in one column, in words; `event` is the fact, or 0; `status` that of a timeline row or finding."""

    column: int
    kind: str
    words: str
    event: int
    status: str = ""


class Span(Struct, frozen=True):
    """Something that lasts from a column to another, drawn in a track (from 0) of its lane, so that none covers another.

    It began before the round, or goes on after it, where `from_before` or `goes_on`. `due` is the column in which something
    that was cut short would have come about, or -1.
    """

    first: int
    last: int
    kind: str
    words: str
    event: int
    status: str = ""
    from_before: bool = False
    goes_on: bool = False
    track: int = 0
    due: int = -1


class Lane(Struct, frozen=True):
    """The lane of a combatant; "" is that of the table, for findings about nobody."""

    combatant: str
    marks: tuple[Mark, ...]
    spans: tuple[Span, ...]


class Lanes(Struct, frozen=True):
    """The picture of a round; `at` says which column each of its facts belongs to."""

    round: int
    columns: tuple[Column, ...]
    lanes: tuple[Lane, ...]
    at: dict[int, int]


Place = tuple[int, int, int, int]
"""Phase, turn, segment and second, by which columns are sorted."""


class _Round:
    """What was gathered of one round."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.marks: list[tuple[str, Place, Mark]] = []
        self.facts: dict[int, Place] = {}
        self.holds: list[tuple[str, Place | None, Place | None, str, int]] = []
        self.rows: tuple[TimelineRow, ...] = ()
        self.groups: list[tuple[str, ...]] = []
        self.turns: dict[int, str] = {}
        self.actors: dict[int, str] = {}
        self.here: tuple[str, ...] = ()

    def copied(self) -> "_Round":
        """Return the same, to be added to apart."""
        other = _Round(self.number)
        other.marks, other.holds, other.here = [*self.marks], [*self.holds], self.here
        other.facts, other.turns, other.actors = self.facts, self.turns, self.actors
        return other


class Gathering:
    """Pictures of all rounds, gathered during a walk: `before` sees each fact and the state before it, `after` each step."""

    def __init__(self) -> None:
        self.rounds: dict[int, _Round] = {}
        self._held: dict[str, tuple[int, Place, str, int]] = {}
        self._last: Point = Point()

    def before(self, state: State, fact: Occurrence[Any]) -> None:
        """Keep the timeline and the order of a round before the next one opens."""
        if isinstance(fact.event, RulingMade) or state.rules.schedule.opens_round(state, fact):
            self._close(state)

    def after(self, step: Step, state: State) -> None:
        """Mark what a step changed."""
        fact = step.fact
        point = reached(state, fact)
        found, place = self._round(point.round), _place(point)
        found.facts[fact.seq] = place
        found.actors[fact.seq] = _actor(fact.event)
        if point.turn and state.clock.point.turn == point.turn and state.clock.turn:
            found.turns[point.turn] = state.clock.turn
        if type(fact.event).__name__.startswith("ActionDeclared"):
            found.marks.append((fact.event.combatant, place, _declared(fact)))
        for change in step.changes:
            who, _, field = change.address.partition(".")
            for kind, words in _marks(field, change):
                found.marks.append((who, place, Mark(0, kind, words, fact.seq)))
            if field == "concentration":
                self._hold(who, change, point.round, place, fact.seq)

    def pictures(self, state: State, findings: Iterable[Finding] = ()) -> tuple[Lanes, ...]:
        """Return the pictures, after the last fact, with a flag for each finding."""
        self._close(state)
        for who in [*self._held]:
            self._let_go(who, state.clock.point.round, None)
        for finding in findings:
            self._flag(finding)
        return tuple(_drawn(self.rounds[number], state) for number in sorted(self.rounds))

    def present(self, state: State, findings: Iterable[Finding] = ()) -> Lanes:
        """Return the picture of the round that has been reached; the gathering can go on after it."""
        number, copy = state.clock.point.round, Gathering()
        found = self._round(number)
        copy.rounds, copy._held = {number: found.copied()}, dict(self._held)
        return copy.pictures(state, [each for each in findings if each.event in found.facts])[-1]

    def holding(self, held: dict[str, tuple[str, int]]) -> None:
        """Take down what is concentrated on from before the first round that is gathered: by whom, and since which fact."""
        self._held = {who: (-1, (0, 0, 0, 0), words, seq) for who, (words, seq) in held.items()}

    def _round(self, number: int) -> _Round:
        return self.rounds.setdefault(number, _Round(number))

    def _close(self, state: State) -> None:
        found = self._round(state.clock.point.round)
        found.rows = rows_of(state)
        found.groups = [slot.combatants for slot in order_of(state) if len(slot.combatants) > 1]
        found.here = tuple(one.id for one in state.here()) or found.here

    def _hold(self, who: str, change: Change, round_: int, place: Place, seq: int) -> None:
        if who in self._held:
            self._let_go(who, round_, place)
        if change.after != NOTHING:
            self._held[who] = (round_, place, str(change.after), seq)

    def _let_go(self, who: str, round_: int, place: Place | None) -> None:
        """Draw a concentration through all its rounds, to the place of its loss or, without one, to the end."""
        began, start, words, seq = self._held.pop(who)
        for number in range(began, round_ + 1):
            if number in self.rounds:
                first, last = start if number == began else None, place if number == round_ else None
                self.rounds[number].holds.append((who, first, last, words, seq))

    def _flag(self, finding: Finding) -> None:
        where = next((each for each in self.rounds.values() if finding.event in each.facts), None)
        found = where or self.rounds[max(self.rounds)]
        place = found.facts.get(finding.event, (0, 0, 0, 0))
        who = found.actors.get(finding.event, "")
        status = "ruled" if finding.ruled else finding.severity
        found.marks.append((who, place, Mark(0, "finding", f"{finding.rule}: {finding.says}", finding.event, status)))


def _place(point: Point) -> Place:
    return (point.phase, point.turn, point.segment, point.second)


def _actor(event: Any) -> str:
    """Return the combatant whose lane a fact belongs to, "" where it names none."""
    named = (getattr(event, field, None) for field in ("combatant", "target", "source", "bearer"))
    return next((who for who in named if isinstance(who, str)), "")


def _declared(fact: Occurrence[Any]) -> Mark:
    action = fact.event.action
    words = " ".join(dict.fromkeys(word for word in (action.kind, action.name) if word)) if action else ""
    return Mark(0, "declares", words, fact.seq)


def _marks(field: str, change: Change) -> Iterator[tuple[str, str]]:
    """Yield the marks of a changed value, as kind and words."""
    before, after = change.before, change.after
    if field in COUNTED and isinstance(before, int) and isinstance(after, int):
        better = (after - before) * COUNTED[field] > 0
        what = {"temp": " temporary", "nld": " non-lethal"}.get(field, "")
        yield "healing" if better else "damage", f"{'+' if after > before else '−'}{abs(after - before)}{what}"
    elif field == "status":
        yield "status", str(after)
    elif field == "conditions":
        old, new = (each if isinstance(each, list | tuple) else [] for each in (before, after))
        yield from (("condition", f"{each}") for each in new if each not in old)
        yield from (("condition", f"no longer {each}") for each in old if each not in new)


# ---------------------------------------------------------------- layout


def _drawn(found: _Round, state: State) -> Lanes:
    """Return the picture of a round: columns for all places at which there is something, marks and spans in them."""
    bars = [bar for row in found.rows if (bar := _bar(row, found.number, state))]
    alone = [(row.combatant, *_alone(row, state)) for row in found.rows if _is_alone(row, found.number)]
    marks = [*alone, *found.marks]
    places = {place for _, place, _ in marks}
    places |= {place for _, first, last, *_ in found.holds for place in (first, last) if place}
    for _, first, last, due, _ in bars:
        places |= {place for place in (first, last, due) if place}
    rows = _columns(places, found, state)
    number = {place: column for column, place in enumerate(rows)}
    spans = [
        (who, structs.replace(_span(first, last, span, number), due=number[due] if due else -1))
        for who, first, last, due, span in bars
    ]
    spans += [
        (who, _span(first, last, Span(0, 0, "concentration", words, seq), number))
        for who, first, last, words, seq in found.holds
    ]
    shown = [(who, structs.replace(mark, column=number[place])) for who, place, mark in marks]
    names = dict.fromkeys((*found.here, *(who for who, _ in (*shown, *spans) if who)))
    names = dict.fromkeys(["", *names]) if any(not who for who, _ in shown) else names
    return Lanes(
        found.number,
        tuple(_column(place, found, state, alone) for place in rows),
        _lanes(names, shown, spans),
        dict(_at(found, number, rows)),
    )


def _lanes(names: Iterable[str], marks: list[tuple[str, Mark]], spans: list[tuple[str, Span]]) -> tuple[Lane, ...]:
    """Return the lanes of these, each with its marks and spans."""
    found: dict[str, tuple[list[Mark], list[Span]]] = {who: ([], []) for who in names}
    for who, mark in marks:
        if who in found:
            found[who][0].append(mark)
    for who, span in spans:
        if who in found:
            found[who][1].append(span)
    return tuple(_lane(who, *own) for who, own in found.items())


def _lane(who: str, marks: list[Mark], spans: list[Span]) -> Lane:
    mine = sorted(marks, key=lambda mark: (mark.column, mark.event))
    lasting = sorted(spans, key=lambda span: (span.first, -span.last))
    return Lane(who, tuple(mine), tuple(_in_tracks(lasting)))


def _in_tracks(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans, each in the first track that is free from its first column on."""
    ends: list[int] = []
    for span in spans:
        track = next((number for number, end in enumerate(ends) if end < span.first), len(ends))
        ends[track : track + 1] = [span.last]
        yield structs.replace(span, track=track)


def _columns(places: set[Place], found: _Round, state: State) -> list[Place]:
    """Return the places that get a column, in order: those in use, and all ticks of a round or turn that counts them."""
    tick, count = state.rules.strip or ("", 0)
    places = places | {place for place in found.facts.values() if any(place) and (tick != "second" or place[3])}
    if not tick or not found.number:
        return sorted(places) or [(0, 0, 0, 0)]
    part = 2 if tick == "segment" else 3
    bases = {place[:part] for place in places if place[part] and (part == 3 or not place[0])}
    ticks = {(*base, *([number, 0] if part == 2 else [number])) for base in bases for number in range(1, count + 1)}
    return sorted(places | ticks) or [(0, 0, 0, 0)]  # type: ignore[operator]  # four numbers, either way


def _column(place: Place, found: _Round, state: State, acts: list[tuple[str, Place, Mark]]) -> Column:
    phase, turn, segment, second = place
    slots = state.rules.schedule.phases(state)
    acting = {who for who, there, mark in acts if there == place and mark.kind == "act"}
    together = tuple(both for group in found.groups if len(both := tuple(who for who in group if who in acting)) > 1)
    name = slots[phase - 1] if 0 < phase <= len(slots) else ""
    return Column(name, found.turns.get(turn, ""), segment, second, together)


def _at(found: _Round, number: dict[Place, int], rows: list[Place]) -> Iterator[tuple[int, int]]:
    """Yield for each fact its column; one without a column belongs to that of the fact before it."""
    last = 0
    for seq, place in found.facts.items():
        before = [number[each] for each in rows if each <= place] if place not in number and any(place) else []
        last = number.get(place, before[-1] if before else last)
        yield seq, last


def _is_alone(row: TimelineRow, round_: int) -> bool:
    usual = row.action == "turn" and row.status not in ALONE
    return row.until is None and row.point.round == round_ and not usual and row.status != "struck"


def _alone(row: TimelineRow, state: State) -> tuple[Place, Mark]:
    kind = "effect" if row.action == "effect" else ALONE.get(row.status, "act")
    return _of(row.point, row, state), Mark(0, kind, _words(row), row.events[0] if row.events else 0, row.status)


def _words(row: TimelineRow) -> str:
    return " ".join(dict.fromkeys(word for word in (row.action, row.name) if word)) or row.status


def _of(point: Point, row: TimelineRow, state: State) -> Place:
    """Return the place of a point of a row, with the phase that the row names."""
    phase = point.phase or (slot_number(state, row.phase) if row.phase else 0)
    return (phase, point.turn, point.segment, point.second)


def _bar(
    row: TimelineRow, round_: int, state: State
) -> tuple[str, Place | None, Place | None, Place | None, Span] | None:
    """Return a row that takes time as a span of this round, None where it is of another; no place: beyond its edge.

    The places are those where it begins, where it ends and, if it was cut short, where it would have come about.
    """
    if row.until is None or row.status == "struck" or row.point.round > round_:
        return None
    end, kind = row.until, "work"
    if row.until.round < round_:  # what is over, or waits to come about
        if row.status != "begun" or row.due is None or row.due.round < round_:
            return None
        end, kind = row.due, "wait"
    began, ends = row.point.round == round_, end.round == round_
    kind = row.status if row.status in ("spoiled", "withdrawn") else "wait" if row.action == "delay" else kind
    span = Span(0, 0, kind, _words(row), row.events[0] if row.events else 0, row.status)
    first = _of(row.point, row, state) if began else None
    last = _of(end, row, state) if ends and (end.turn or kind != "wait") else None
    cut = row.due if kind in ("spoiled", "withdrawn") and row.due and row.due > end else None
    due = _of(cut, row, state) if cut and cut.round == round_ else None
    return row.combatant, first, max(first, last) if first and last else last, due, span


def _span(first: Place | None, last: Place | None, span: Span, number: dict[Place, int]) -> Span:
    start, end = number[first] if first else 0, number[last] if last else len(number) - 1
    return structs.replace(
        span, first=min(start, end), last=max(start, end), from_before=first is None, goes_on=last is None
    )


__all__ = ["IN_WORDS", "KINDS", "SIGNS", "Column", "Gathering", "Lane", "Lanes", "Mark", "Span"]
