"""Replay: from records to the state at any point; for a damaged log, that of its intact part, and the problem."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from msgspec import Struct, structs

from eventstore.errors import Malformed, StoreError
from eventstore.events import EncounterOpened, Event, Fact, RoundStarted, TurnEnded
from eventstore.record import Recorded
from projections.because import ask_rules
from projections.fight import EVERYBODY
from projections.folds import clock, effects, order, roster, rulings, vitals
from projections.folds.objections import find_objection
from projections.occurrence import Occurrence
from projections.replay.failing import report_failures
from projections.ruleset.ruleset import Steps, steps_of
from projections.rulesets import find
from projections.state import State
from projections.stopping import can_be_stopped, check_wanted
from projections.stream.causes import reached_by
from projections.stream.corrections import Corrections, append_start, corrected_facts, corrections_of
from projections.stream.placing import keep_fact, keep_struck_fact, place_in_time, point_reached
from projections.time import Where


class Replay(Struct):
    """The result of a replay."""

    state: State
    records: int
    """The number of records that were read."""
    problem: StoreError | None
    """The problem that ended it early, if one did."""
    corrections: Corrections


FOLDS = (clock, roster, effects, vitals, order, rulings)
"""The modules of the folds that all rulesets share, in the order in which they apply a fact."""

COMMON: Steps = steps_of(*FOLDS)
"""The steps that all rulesets share: a table from event type to the steps of the folds."""

R = TypeVar("R")

Observer = Callable[[State, Occurrence[Event]], None]
"""A function that is called with the state before or after each fact."""


def empty_state(event: Fact | None) -> State:
    """Return the empty state of a log from its first record; raise UnknownRuleset, or Malformed if it opens none."""
    if not isinstance(event, EncounterOpened):
        raise Malformed("", "the first record opens no encounter")
    rules = find(event.ruleset)
    state: State = rules.state(
        rules=rules, round=rules.round(), encounter=event.encounter, title=event.title, options=dict(event.options)
    )
    return state


def advance(state: State, fact: Occurrence[Fact]) -> None:
    """Apply one fact: the boundaries that it crosses first, then the common steps, then those of the ruleset."""
    kind = type(fact.event)
    rules = state.rules
    boundaries = rules.schedule.crossed(state, fact)
    state.now, state.memo.found = fact.seq, None
    state.touched.clear()
    for boundary in boundaries:
        state.touched.add(boundary.who or EVERYBODY)
        clock.cross_boundary(state, boundary)
        rules.schedule.cross_boundary(state, boundary)
        if listeners := rules.boundaries.get(boundary.kind):
            ask_rules(listeners, state, boundary)
    if common := COMMON.get(kind):
        ask_rules(common, state, fact)
    if own := rules.steps.get(kind):
        ask_rules(own, state, rules.reading(state, fact))
    if rules.schedule.shows:
        state.clock = rules.schedule.shows(state, fact)
    keep_fact(state, fact)
    state.seq, state.memo.found = fact.seq, {}


@report_failures
def replay(
    records: Iterable[Recorded],
    until: Where | None = None,
    *,
    before: Observer | None = None,
    after: Observer | None = None,
) -> Replay:
    """Fold a log's records to a state; `records` is read twice, so it must be re-iterable.

    `before` and `after` are called with each fact of the corrected stream that is applied. Raises Malformed if the log
    has no point `until`.
    """
    return Walk(before, after).replay(records, until)


@report_failures
def resume(
    done: Replay, records: Iterable[Recorded], *, before: Observer | None = None, after: Observer | None = None
) -> Replay:
    """Apply further records to the state of a complete replay; none of them may be a correction."""
    walk = Walk(before, after)
    walk.corrections, walk.state, walk.records = done.corrections, done.state, done.records
    _, problem = read_by(walk.apply_records, records)
    return Replay(done.state, walk.records, problem, done.corrections)


def read_by(reader: Callable[[Iterable[Recorded]], R], records: Iterable[Recorded]) -> tuple[R, StoreError | None]:
    """Call a reader with the records, as far as they can be read; return its result, and the problem if any.

    Raises Abandoned between two records if the result is no longer wanted.
    """
    problem: list[StoreError] = []

    def readable() -> Iterator[Recorded]:
        try:
            if not can_be_stopped():
                yield from records
                return
            for record in records:
                check_wanted()
                yield record
        except StoreError as error:
            problem.append(error)

    return reader(readable()), (problem[0] if problem else None)


class Walk:
    """One pass over the corrected stream."""

    def __init__(self, before: Observer | None, after: Observer | None) -> None:
        """Begin before the first record."""
        self.before, self.after = before, after
        self.corrections = Corrections()
        self.last: int | None = None
        """The fact with which the pass ends, if it ends before the last one."""
        self.state: State | None = None
        self.records = 0
        self.covered = False
        """Whether one of the two records after the present one in its append is withheld."""

    def replay(self, records: Iterable[Recorded], until: Where | None) -> Replay:
        """Apply the facts of a log up to a point; raise Malformed if it has no such point, or opens no encounter."""
        self.corrections, _ = read_by(corrections_of, records)
        self.last = last_fact(records, self.corrections, until) if until else None
        _, problem = read_by(self.apply_records, records)
        if self.state is None:
            raise problem or Malformed("", "no encounter is opened here")
        return Replay(self.state, self.records, problem, self.corrections)

    def apply_records(self, records: Iterable[Recorded]) -> None:
        """Apply the facts of these records."""
        for fact, struck in corrected_facts(self._count_records(records), self.corrections):
            if self.state is None:
                self.state = empty_state(fact.event)
                self.state.seq, self.state.places = fact.seq, self.corrections.places
            else:
                self.apply_fact(self.state, fact, struck)
            if fact.seq == self.last:
                break

    def _count_records(self, records: Iterable[Recorded]) -> Iterator[Recorded]:
        for record, behind in _with_next(records):
            self.records = record.seq
            self.covered = False
            for each in behind:
                if each.withheld and append_start(each) <= record.seq:
                    self.covered = True
            if record.event is None and self.state is not None and record.seq not in self.corrections.amended:
                self.state.unread.append(record.seq)
            yield record

    def apply_fact(self, state: State, fact: Occurrence[Event], struck: int) -> None:
        """Apply a fact at its moment, unless it is struck or has no effect."""
        fact = place_in_time(state, fact)
        if self.covered and isinstance(fact.event, RoundStarted):
            fact = structs.replace(fact, covers=True)
        if struck:
            state.struck.append(fact)
            state.struck_by[fact.seq] = struck
            keep_struck_fact(state, fact)
            return
        if why := find_objection(state, fact.event):
            state.refused.append((fact, *why))
            return
        if fact.line != fact.seq:
            state.amended[fact.seq] = fact.line
        if fact.cause in state.struck_by:
            state.orphans.append(fact)
        if self.before:
            self.before(state, fact)
        advance(state, fact)
        if self.after:
            self.after(state, fact)


def _with_next(records: Iterable[Recorded]) -> Iterator[tuple[Recorded, Sequence[Recorded]]]:
    """Yield each record with the two after it, fewer at the end; a problem with those is raised after the record."""
    waiting: list[Recorded] = []
    for record in records:
        waiting.append(record)
        if len(waiting) > 2:
            yield waiting.pop(0), waiting
    while waiting:
        yield waiting.pop(0), waiting


def consequences(records: Iterable[Recorded], seqs: Collection[int]) -> dict[int, int]:
    """Return the facts with an effect whose chain of causes reaches one of these records, each with that record."""
    causes: dict[int, int] = {}
    replay(records, after=lambda _state, fact: causes.update({fact.seq: fact.cause}))
    return {seq: of for seq, of in sorted(reached_by(causes, seqs).items()) if seq not in seqs}


def last_fact(records: Iterable[Recorded], corrections: Corrections, until: Where) -> int:
    """Return the last fact of the corrected stream that belongs to a point; raise Malformed if none does."""
    if until.seq is not None:
        return _last_up_to(records, corrections, until.seq)
    there = before = 0
    past = False
    rounds: set[int] = set()

    def observe_fact(state: State, fact: Occurrence[Fact]) -> None:
        nonlocal there, before, past
        point = point_reached(state, fact)
        rounds.add(point.round)
        event = fact.event
        turn = event.combatant if isinstance(event, TurnEnded) and until.second is None else state.clock.turn
        if until.matches(point, turn):
            there = fact.seq
        past = past or until.precedes(point)
        if not past:
            before = fact.seq

    walk = Walk(None, observe_fact)
    walk.corrections = corrections
    read_by(walk.apply_records, records)
    found = there or (before if until.turn is None and until.round in rounds else 0)
    if not found:
        raise Malformed("WHERE", "this log has no fact at that point", "encounter replay FILE lists every step")
    return found


def _last_up_to(records: Iterable[Recorded], corrections: Corrections, seq: int) -> int:
    """Return the last fact of the corrected stream up to a record, which may be a correction itself."""
    found = highest = 0

    def counted(readable: Iterable[Recorded]) -> Iterator[Recorded]:
        nonlocal highest
        for record in readable:
            highest = record.seq
            yield record

    def look(readable: Iterable[Recorded]) -> None:
        nonlocal found
        for fact, _ in corrected_facts(counted(readable), corrections):
            found = fact.seq if fact.seq <= seq else found

    read_by(look, records)
    if not 1 <= seq <= highest:
        raise Malformed("WHERE", f"this log has no record {seq}", f"it ends at {highest}")
    return found
