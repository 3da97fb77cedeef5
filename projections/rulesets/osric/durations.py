"""Durations of effects and conditions in rounds, turns or segments.

A duration in segments counts each segment that play reaches. One in rounds, or in turns of ten rounds, counts the
segment of its beginning each time play reaches it again; one that began in no segment counts rounds.
"""

from collections.abc import Iterable, Iterator

from eventstore.events import Fact, SegmentReached, TimePassed
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.folds.effects import effect_because
from projections.mechanics.conditions import Effect, Key, find_effects
from projections.mechanics.timers import Passed, Timer, owners
from projections.occurrence import Occurrence
from projections.ruleset.boundaries import rounds_as_recorded
from projections.ruleset.durations import DurationRules
from projections.ruleset.ruleset import derives
from projections.rulesets.osric.sheet import CALENDAR
from projections.rulesets.osric.state import NOWHERE, SEGMENTS, OsricState
from projections.rulesets.osric.surprise import play_reason, point_of, segment_number
from projections.time import Boundary, BoundaryKind, Point

EACH = ""
"""The owner of timers that count every segment, for durations in segments; that of one in rounds is a segment's number."""


def crossed_boundaries(state: OsricState, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds, and of segments that play reaches. A recorded round, with any number, is the next."""
    if rounds := rounds_as_recorded(state, fact):
        opens = {"round opened": state.clock.round + 1}
        return tuple(Boundary(b.kind, b.seq, number=opens.get(b.kind, b.number)) for b in rounds)
    event, point = fact.event, fact.point
    if isinstance(event, SegmentReached):
        point = Point(0 if event.surprise else state.clock.round, segment=event.segment)
    if not 1 <= point.segment <= SEGMENTS or point.round != state.clock.round:
        return ()
    now = segment_number(state, point)
    return (Boundary("slot reached", fact.seq, number=now),) if now > state.reached else ()


@derives("time.round-is-ten-segments")
def make_timer(state: OsricState, effect: Effect, said: Duration) -> Timer:
    """Return the timer of a duration, from the segment of its beginning, which may be still to come."""
    at, reached = state.round.keys.get(effect.seq, effect.since), 0 if state.reached == NOWHERE else state.reached
    began = segment_number(state, Point(at.round, segment=at.segment)) if at.segment else reached
    ahead = max(0, began - reached)
    effect.of += (Derived(began, _why_counted_from(state, effect, at, began)),)
    if said.unit == "segment":
        return Timer(effect, EACH, skip=ahead)
    return Timer(effect, str((began - 1) % SEGMENTS + 1), skip=min(1, ahead))


def _why_counted_from(state: OsricState, effect: Effect, at: Point, began: int) -> Because:
    """Return why a duration counts from a segment: how long surprise lasts, or what reached the present segment."""
    if at.segment and not at.round:
        return play_reason(state)
    by_ruling = bool(effect.ticked_by)
    if at.segment and not by_ruling and began < state.reached:
        return Because((), (state.reached_by,))
    seq = (state.clock.segment_event if by_ruling else 0) if at.segment else state.reached_by
    return Because((), (seq,) if seq else ())


REACHING: tuple[BoundaryKind, ...] = ("slot reached", "round closed", "round opened")


@derives("time.round-is-ten-segments", "time.rounds-not-turns", at=REACHING, phase="consequences")
def keep_latest_segment(state: OsricState, boundary: Boundary) -> None:
    """Keep the latest segment that play has reached; a closed round has reached its last one."""
    reached = _latest_segment(state, boundary)
    if reached > state.reached or state.reached == NOWHERE:
        state.reached, state.reached_by = reached, boundary.seq


def _latest_segment(state: OsricState, boundary: Boundary) -> int:
    ends = {"round opened": SEGMENTS * (boundary.number - 1), "round closed": SEGMENTS * boundary.number}
    return max(ends.get(boundary.kind, boundary.number), state.reached)


def segments_passed(state: OsricState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the segments that pass by a boundary, for each owner of durations."""
    now = _latest_segment(state, boundary)
    return _segments_between(state, now if state.reached == NOWHERE else state.reached, now)


@derives("time.rounds-not-turns")
def segments_without_facts(state: OsricState, fact: Occurrence[TimePassed]) -> Iterable[Passed]:
    """Return the segments that pass without facts, for each owner of durations."""
    segments = CALENDAR.count_units(CALENDAR.length(fact.event.time), "segment") or 0
    return _segments_between(state, state.reached, state.reached + max(0, segments))


def _segments_between(state: OsricState, before: int, now: int) -> Iterator[Passed]:
    """Yield, for each owner, the number of segments between two that it counts: all, or one in ten."""
    for owner in tuple(owners(state.durations)):
        passed = now - before
        if owner != EACH:
            passed = (now - int(owner)) // SEGMENTS - (before - int(owner)) // SEGMENTS
        yield Passed(owner, times=passed)


@derives("time.round-is-ten-segments", "time.rounds-not-turns")
def end_of_effect(state: OsricState, key: Key) -> Derived[str] | None:
    """Return the segment in which an effect runs out; None before play has reached any segment."""
    if state.reached == NOWHERE:
        return None
    timer = state.durations[key]
    because = Because(end_of_effect.rules, (), (Derived(None, effect_because(state, timer.effect)),))
    return Derived(str(point_of(state, _last_segment(state, timer))), because)


def _last_segment(state: OsricState, timer: Timer) -> int:
    now, left = state.reached, timer.boundaries
    if timer.owner == EACH:
        return now + left
    own = int(timer.owner)
    return own + SEGMENTS * ((now - own) // SEGMENTS + left)


def is_over_by(state: OsricState, who: str, name: str, point: Point) -> bool:
    """Return whether a condition that a combatant still has runs out when play reaches the segment of a point."""
    found = find_effects(state.conditions, name, (who,), None)
    return bool(found) and all(is_over(state, key, point) for key in found)


def is_over(state: OsricState, key: Key, point: Point) -> bool:
    """Return whether an effect or condition is over when play reaches the segment of a point."""
    timer = state.durations.running.get(key) if state.reached != NOWHERE else None
    return timer is not None and _last_segment(state, timer) <= segment_number(state, point)


DURATIONS = DurationRules(
    rules=keep_latest_segment.rules,
    timer=make_timer,
    unit=lambda said: "segment" if said.unit.casefold() in ("segment", "second") else "round",
    passes=segments_passed,
    time=segments_without_facts,
    ends_at=end_of_effect,
    next_round=False,
    shows_unknown=True,
)
