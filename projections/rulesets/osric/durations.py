"""Durations: effects and conditions that last for rounds, turns or segments, and end as their time is up.

What lasts for segments counts each segment that play comes to. What lasts for rounds, or for turns of ten, counts the
segment that it began in, as play comes to that again; what began in no segment counts with the rounds.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from eventstore.events import SegmentReached, TimePassed
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.folds.effects import effect_because
from projections.mechanics.conditions import Effect, Key, matching
from projections.mechanics.durations import DurationRules, Passed, Timer, owners
from projections.occurrence import Occurrence
from projections.rulesets.osric.sheet import CALENDAR
from projections.rulesets.osric.state import NOWHERE, SEGMENTS, OsricState
from projections.rulesets.osric.surprise import counted_through, point_of
from projections.rulesets.ruleset import derives
from projections.scheduling.boundaries import rounds_as_recorded
from projections.time import Boundary, Point

EACH = ""
"""Whose boundaries what lasts for segments counts: all. What lasts for rounds counts one segment of the ten."""
SHORT = ("segment", "second")


def meets(state: OsricState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds, and of segments that play comes to.

    A recorded round is always the next one, whatever number it says.
    """
    rounds = rounds_as_recorded(state, fact)
    if rounds:
        opens = {"round opened": state.clock.round + 1}
        return tuple(Boundary(b.kind, b.seq, number=opens.get(b.kind, b.number)) for b in rounds)
    point = fact.point
    match fact.event:
        case SegmentReached(segment=segment, surprise=surprise):
            point = Point(0 if surprise else state.clock.round, segment=segment)
    if not 1 <= point.segment <= SEGMENTS or point.round != state.clock.round:
        return ()
    now = counted_through(state, point)
    return (Boundary("slot reached", fact.seq, number=now),) if now > state.reached else ()


@derives("time.round-is-ten-segments")
def timer(state: OsricState, effect: Effect, said: Duration) -> Timer:
    """Count a duration from the segment that it takes hold in; play may have to come to that first."""
    at, reached = state.round.keys.get(effect.seq, effect.since), 0 if state.reached == NOWHERE else state.reached
    began = counted_through(state, Point(at.round, segment=at.segment)) if at.segment else reached
    ahead = max(0, began - reached)
    if said.unit == "segment":
        return Timer(effect, EACH, skip=ahead)
    return Timer(effect, str((began - 1) % SEGMENTS + 1), skip=min(1, ahead))


@derives("time.round-is-ten-segments", "time.rounds-not-turns", at=("slot reached", "round closed", "round opened"))
def time_goes_on(state: OsricState, boundary: Boundary) -> None:
    """Let play come to a segment, with the end of a round to its last."""
    state.reached = _comes_to(state, boundary)


def _comes_to(state: OsricState, boundary: Boundary) -> int:
    ends = {"round opened": SEGMENTS * (boundary.number - 1), "round closed": SEGMENTS * boundary.number}
    return max(ends.get(boundary.kind, boundary.number), state.reached)


def passes(state: OsricState, boundary: Boundary) -> Iterator[Passed]:
    """Yield the segments that play comes to with a boundary."""
    now = _comes_to(state, boundary)
    return _between(state, now if state.reached == NOWHERE else state.reached, now)


@derives("time.rounds-not-turns")
def time(state: OsricState, fact: Occurrence[TimePassed]) -> Iterable[Passed]:
    """Return the segments that go by without facts."""
    segments = CALENDAR.count(CALENDAR.length(fact.event.time), "segment") or 0
    return _between(state, state.reached, state.reached + max(0, segments))


def _between(state: OsricState, before: int, now: int) -> Iterator[Passed]:
    """Yield how many segments, numbered through, count for what lasts for a time: all, or one of the ten."""
    for owner in tuple(owners(state.durations)):
        passed = now - before
        if owner != EACH:
            passed = (now - int(owner)) // SEGMENTS - (before - int(owner)) // SEGMENTS
        yield Passed(owner, times=passed)


@derives("time.round-is-ten-segments", "time.rounds-not-turns")
def ends(state: OsricState, key: Key) -> Derived[str] | None:
    """Return the segment in which an effect runs out; None where play has not come to any segment."""
    if state.reached == NOWHERE:
        return None
    timer = state.durations[key]
    because = Because(ends.rules, (timer.effect.seq,), {}, (Derived(None, effect_because(state, timer.effect)),))
    return Derived(str(point_of(state, _last(state, timer))), because)


def _last(state: OsricState, timer: Timer) -> int:
    """Return the segment, numbered through, in which an effect runs out."""
    now, left = state.reached, timer.boundaries
    if timer.owner == EACH:
        return now + left
    own = int(timer.owner)
    return own + SEGMENTS * ((now - own) // SEGMENTS + left)


def runs_out(state: OsricState, borne: Effect, fact: Occurrence[Any]) -> bool:
    """Say whether a condition is over as play comes to the segment of a fact."""
    return _is_over(state, (borne.seq, borne.bearer), fact.point)


def wears_off_by(state: OsricState, who: str, name: str, point: Point) -> bool:
    """Say whether a condition that somebody still has runs out as play comes to the segment of a point."""
    borne = matching(state.conditions, name, (who,), None)
    return bool(borne) and all(_is_over(state, key, point) for key in borne)


def _is_over(state: OsricState, key: Key, point: Point) -> bool:
    timer = state.durations.running.get(key)
    return timer is not None and state.reached != NOWHERE and _last(state, timer) <= counted_through(state, point)


DURATIONS = DurationRules(
    rules=time_goes_on.rules,
    timer=timer,
    unit=lambda said: "segment" if said.unit.casefold() in SHORT else "round",
    passes=passes,
    time=time,
    ends_at=ends,
    next_round=False,
    shows_unknown=True,
)
