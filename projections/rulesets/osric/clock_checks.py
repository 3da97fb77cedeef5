"""Checks of the clock: the order of rounds and segments, and facts in segments that do not exist or have passed.

Checks of an act's segment are in who_may_act.py.
"""

from collections.abc import Sequence

from eventstore.events import ActionHeld, ActionTaken, Fact, RoundEnded, RoundStarted, SegmentReached
from projections.fight import Combatant
from projections.ruleset.ruleset import Breach, check
from projections.rulesets.osric.acts import OTHER_MOMENTS, OUTCOMES
from projections.rulesets.osric.checks import owing
from projections.rulesets.osric.order import still_free
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.spells import under_way
from projections.rulesets.osric.state import SEGMENTS, OsricState
from projections.rulesets.osric.surprise import LISTED, because_play, length_of_play
from projections.rulesets.osric.who_may_act import breach_of_order, no_such_segment, notice_of_order, surprise_segments
from projections.time import Point


@check("time.round-is-ten-segments", on=SegmentReached)
def a_round_has_ten_segments(state: OsricState, fact: Reading[SegmentReached]) -> Breach | None:
    segment = fact.event.segment
    if state.clock.round == 0 or fact.event.surprise or 1 <= segment <= SEGMENTS:
        return None
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment))


@check("surprise.length-of-play", on=SegmentReached)
def surprise_has_so_many_segments(state: OsricState, fact: Reading[SegmentReached]) -> Breach | None:
    return None if state.clock.round else _no_such_surprise_segment(state, fact.event.segment)


def _no_such_surprise_segment(state: OsricState, segment: int) -> Breach | None:
    last = length_of_play(state)
    if 1 <= segment <= last:
        return None
    says, events = f"there is no surprise segment {segment}", because_play(state).flat().events
    return Breach(says, surprise_segments(last), f"segment {segment}", events)


@check("sequence.winner-then-loser", on=SegmentReached)
def the_clock_never_goes_back(state: OsricState, fact: Reading[SegmentReached]) -> Breach | None:
    return breach_of_order(state, Point(0 if fact.event.surprise else state.clock.round, segment=fact.event.segment))


@check("round.next-declarations", on=RoundStarted)
def rounds_follow_each_other(state: OsricState, fact: Reading[RoundStarted]) -> Breach | None:
    clock, due = state.clock, state.clock.round + 1
    if fact.event.round not in (due, state.round.claimed + 1):
        return Breach(f"round {fact.event.round} is opened where {due} is due", str(due), str(fact.event.round))
    if clock.open:
        says = f"round {due} is opened while round {clock.round} was never closed"
        return Breach(says, f"round {clock.round} closed", "still open", (clock.round_event,))
    return None


@check("round.next-declarations", on=RoundEnded, group="end", rank=1)
def the_round_that_ends_is_the_one_that_runs(state: OsricState, fact: Reading[RoundEnded]) -> Breach | None:
    claimed, now = fact.event.round, state.clock.round
    if claimed in (None, now, state.round.claimed):
        return None
    return Breach(f"round {claimed} is closed where {now} is running", str(now), str(claimed))


@check("round.next-declarations", on=RoundEnded, group="end", rank=2)
def a_round_ends_once(state: OsricState, _fact: Reading[RoundEnded]) -> Breach | None:
    clock = state.clock
    if clock.open:
        return None
    says = f"round {clock.round} has ended already" if clock.round else "a round ends, but none has begun"
    return Breach(says, "a round that runs", "none", clock.events[-1:], "notice")


# ---------------------------------------------------------------- surprise segments that are skipped


@check("surprise.length-of-play", on=(SegmentReached, ActionTaken, ActionHeld, RoundStarted))
def no_surprise_segment_is_skipped(
    state: OsricState, fact: Reading[SegmentReached | ActionTaken | ActionHeld | RoundStarted]
) -> Breach | None:
    going_by = () if state.clock.round else _going_by(state, fact)
    for segment, one in ((each, _idle(state, each)) for each in going_by):
        if one:
            says = f"surprise segment {segment} is skipped, in which {one.id} may act"
            because = {*because_play(state).flat().events, *state.round.highest_by[:1]}
            found = "round 1" if isinstance(fact.event, RoundStarted) else f"segment {_segment_of(fact)}"
            return Breach(says, f"segment {segment}", found, tuple(sorted(because)), "notice")
    return None


def _going_by(state: OsricState, fact: Reading[Fact]) -> Sequence[int]:
    """Return the surprise segments without a row that a fact skips; those before the first row are not counted."""
    opens, played, last = isinstance(fact.event, RoundStarted), state.round.highest, length_of_play(state)
    now = last + 1 if opens else _segment_of(fact)
    known = not owing(state) if opens else played and now <= last
    return range(played + 1, now)[:LISTED] if known else ()


def _segment_of(fact: Reading[Fact]) -> int:
    """Return the segment to which a fact sets the clock, or that of an act."""
    return int(fact.event.segment if isinstance(fact.event, SegmentReached) else fact.point.segment)


def _idle(state: OsricState, segment: int) -> Combatant | None:
    """Return a combatant who may act in a surprise segment, is not casting and has no act that is in none."""
    acts = state.round.acts_of
    those = (one for one in still_free(state, segment) if all(act.key.segment for act in acts.get(one.id, ())))
    return next((one for one in those if not under_way(state, one.id)), None)


# ---------------------------------------------------------------- the segments of outcomes


def _alone(state: OsricState, fact: Reading[Fact]) -> Reading[Fact] | None:
    """Return an outcome whose segment is not that of its cause, and which no other check of segments covers."""
    origin = state.moments.get(fact.cause)
    has_own = fact.segment is not None and (origin is None or origin.point != fact.point)
    return fact if has_own and not fact.is_act and fact.casting is None and not fact.barred else None


@check("time.round-is-ten-segments", on=(*OUTCOMES, *OTHER_MOMENTS), group="row", rank=1, only=_alone)
def an_outcome_has_one_of_ten_segments(_state: OsricState, fact: Reading[Fact]) -> Breach | None:
    return no_such_segment(fact)


@check("surprise.length-of-play", on=(*OUTCOMES, *OTHER_MOMENTS), group="row", rank=2, only=_alone)
def an_outcome_has_a_surprise_segment(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    if fact.point.round or fact.is_in_clock_segment:
        return None
    return _no_such_surprise_segment(state, fact.point.segment)


@check("sequence.winner-then-loser", on=OUTCOMES, group="row", rank=3, only=_alone)
def segments_of_outcomes_never_fall(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    return breach_of_order(state, fact.point, fact.cause)


@check("sequence.winner-then-loser", on=OTHER_MOMENTS, group="row", rank=4, only=_alone)
def moments_never_fall(state: OsricState, fact: Reading[Fact]) -> Breach | None:
    return notice_of_order(state, fact.point)
