"""Durations: effects and conditions that last for rounds, turns or segments, and end as their time is up.

What lasts for segments counts each segment that play comes to. What lasts for rounds, or for turns of ten, counts the
segment that it began in, as play comes to that again; what began in no segment counts with the rounds.
"""

from typing import Any

from eventstore.events import ConditionGained, EffectStarted, RulingMade, SegmentReached, TimePassed
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.folds.effects import bearers, effect_because, run_out
from projections.mechanics.conditions import Effect, Key, matching
from projections.mechanics.pools import within
from projections.mechanics.timers import Timer, count, owners, start
from projections.occurrence import Occurrence
from projections.rulesets.osric.sheet import CALENDAR
from projections.rulesets.osric.state import NOWHERE, SEGMENTS, Order, OsricState
from projections.rulesets.osric.surprise import counted_through, point_of
from projections.rulesets.ruleset import derives
from projections.scheduling.boundaries import rounds_as_recorded
from projections.time import Boundary, Length, Point

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


@derives("time.round-is-ten-segments", on=(EffectStarted, ConditionGained))
def is_counted(state: OsricState, fact: Occurrence[EffectStarted] | Occurrence[ConditionGained]) -> None:
    """Count a duration in segments, or in rounds, rounded up; one in a unit that is none here is not counted."""
    among = state.effects if isinstance(fact.event, EffectStarted) else state.conditions
    for bearer in bearers(state, fact.event) if fact.event.targets else ("",):
        if effect := among.get((fact.seq, bearer)):
            _time(state, (fact.seq, bearer), effect, state.round.keys.get(fact.seq))


def _time(state: OsricState, key: Key, effect: Effect, place: Order | None = None) -> None:
    """Let what has a duration be counted, from the segment that it takes hold in; play may have to come to that first."""
    said, at = effect.duration, place or effect.since
    if said is None or key in state.timers:
        return
    unit = "segment" if said.unit.casefold() in SHORT else "round"
    amount = CALENDAR.count(Length(said.amount, said.unit.casefold()), unit)
    if amount is None:
        return
    effect.left = max(0, within(amount))
    effect.duration = Duration(amount=effect.left, unit=unit, of=said.of, at=said.at)
    reached = 0 if state.reached == NOWHERE else state.reached
    began = counted_through(state, Point(at.round, segment=at.segment)) if at.segment else reached
    ahead = max(0, began - reached)
    if unit == "segment":
        start(state.timers, key, Timer(effect, EACH, skip=ahead))
    else:
        start(state.timers, key, Timer(effect, str((began - 1) % SEGMENTS + 1), skip=min(1, ahead)))


@derives("time.round-is-ten-segments", on=RulingMade)
def ruling_gives_time(state: OsricState, _fact: Occurrence[RulingMade]) -> None:
    """Count what a ruling gave a time; what has one is counted already."""
    for key, effect in (*state.effects.items(), *state.conditions.items()):
        _time(state, key, effect)


@derives("time.round-is-ten-segments", "time.rounds-not-turns", at=("slot reached", "round closed", "round opened"))
def time_goes_on(state: OsricState, boundary: Boundary) -> None:
    """Count the segments that play has come to, with the end of a round all of it."""
    if boundary.kind == "round opened":
        state.over.clear()
    ends = {"round opened": SEGMENTS * (boundary.number - 1), "round closed": SEGMENTS * boundary.number}
    now = max(ends.get(boundary.kind, boundary.number), state.reached)
    _count(state, now if state.reached == NOWHERE else state.reached, now, boundary.seq)
    state.reached = now


@derives("time.rounds-not-turns", on=TimePassed)
def time_passes(state: OsricState, fact: Occurrence[TimePassed]) -> None:
    """Count time down that goes by without facts."""
    length = CALENDAR.length(fact.event.time)
    segments = (length and CALENDAR.count(length, "segment")) or 0
    _count(state, state.reached, state.reached + max(0, segments), fact.seq)


def _count(state: OsricState, before: int, now: int, seq: int) -> None:
    """Count segments, numbered through, off whatever lasts for a time, and end what has run out."""
    for owner in tuple(owners(state.timers)):
        passed = now - before
        if owner != EACH:
            passed = (now - int(owner)) // SEGMENTS - (before - int(owner)) // SEGMENTS
        run_out(state, state.timers, count(state.timers, owner, seq, times=passed), time_goes_on.rules)


@derives("time.round-is-ten-segments", "time.rounds-not-turns")
def ends(state: OsricState, key: Key) -> Derived[str] | None:
    """Return the segment in which an effect runs out; None where it has no time, or play has not come to any segment."""
    timer = state.timers.running.get(key)
    if timer is None or state.reached == NOWHERE:
        return None
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
    timer = state.timers.running.get(key)
    return timer is not None and state.reached != NOWHERE and _last(state, timer) <= counted_through(state, point)
