"""The clock: which rounds and segments come when, and what is told of a moment that is none, or has gone by.

What an act breaks by its segment is in who_may_act.py.
"""

from collections.abc import Sequence

from eventstore.events import ActionHeld, ActionTaken, RoundEnded, RoundStarted, SegmentReached
from projections.rulesets.osric.acts import OTHER_MOMENTS, OUTCOMES
from projections.rulesets.osric.checks import owing
from projections.rulesets.osric.order import still_free
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.spells import under_way
from projections.rulesets.osric.state import SEGMENTS, OsricState
from projections.rulesets.osric.surprise import LISTED, because_play, length_of_play
from projections.rulesets.osric.who_may_act import gone_by, no_such_segment, surprise_segments, told_before
from projections.rulesets.ruleset import Breach, check
from projections.state import Combatant
from projections.time import Point


@check("time.round-is-ten-segments", on=SegmentReached)
def a_round_has_ten_segments(state: OsricState, fact: Reading) -> Breach | None:
    segment = fact.event.segment
    if state.clock.round == 0 or fact.event.surprise or 1 <= segment <= SEGMENTS:
        return None
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment))


@check("surprise.length-of-play", on=SegmentReached)
def surprise_has_so_many_segments(state: OsricState, fact: Reading) -> Breach | None:
    segment, last = fact.event.segment, length_of_play(state)
    if state.clock.round or 1 <= segment <= last:
        return None
    return Breach(
        f"there is no surprise segment {segment}",
        surprise_segments(last),
        f"segment {segment}",
        because_play(state).flat().events,
    )


@check("sequence.winner-then-loser", on=SegmentReached)
def the_clock_never_goes_back(state: OsricState, fact: Reading) -> Breach | None:
    return gone_by(state, Point(0 if fact.event.surprise else state.clock.round, segment=fact.event.segment))


@check("round.next-declarations", on=RoundStarted)
def rounds_follow_each_other(state: OsricState, fact: Reading) -> Breach | None:
    clock, due = state.clock, state.clock.round + 1
    if fact.event.round not in (due, state.round.claimed + 1):
        return Breach(f"round {fact.event.round} is opened where {due} is due", str(due), str(fact.event.round))
    if clock.open:
        says = f"round {due} is opened while round {clock.round} was never closed"
        return Breach(says, f"round {clock.round} closed", "still open", (clock.round_event,))
    return None


@check("round.next-declarations", on=RoundEnded, group="end", rank=1)
def the_round_that_ends_is_the_one_that_runs(state: OsricState, fact: Reading) -> Breach | None:
    claimed, now = fact.event.round, state.clock.round
    if claimed in (None, now, state.round.claimed):
        return None
    return Breach(f"round {claimed} is closed where {now} is running", str(now), str(claimed))


@check("round.next-declarations", on=RoundEnded, group="end", rank=2)
def a_round_ends_once(state: OsricState, _fact: Reading) -> Breach | None:
    clock = state.clock
    if clock.open:
        return None
    says = f"round {clock.round} has ended already" if clock.round else "a round ends, but none has begun"
    return Breach(says, "a round that runs", "none", clock.events[-1:], "notice")


# ---------------------------------------------------------------- surprise segments that nobody plays


@check("surprise.length-of-play", on=(SegmentReached, ActionTaken, ActionHeld, RoundStarted))
def no_surprise_segment_is_skipped(state: OsricState, fact: Reading) -> Breach | None:
    going_by = () if state.clock.round else _going_by(state, fact)
    for segment, one in ((each, _idle(state, each)) for each in going_by):
        if one:
            says = f"surprise segment {segment} is skipped, in which {one.id} may act"
            because = {*because_play(state).flat().events, *state.round.highest_by[:1]}
            found = "round 1" if isinstance(fact.event, RoundStarted) else f"segment {_segment_of(fact)}"
            return Breach(says, f"segment {segment}", found, tuple(sorted(because)), "notice")
    return None


def _going_by(state: OsricState, fact: Reading) -> Sequence[int]:
    """Return the surprise segments without a row that go by with a fact; what precedes the first row was let pass."""
    opens, played, last = isinstance(fact.event, RoundStarted), state.round.highest, length_of_play(state)
    now = last + 1 if opens else _segment_of(fact)
    known = not owing(state) if opens else played and now <= last
    return range(played + 1, now)[:LISTED] if known else ()


def _segment_of(fact: Reading) -> int:
    """Return the segment that the clock is told to show, or that an act is in."""
    return int(fact.event.segment if isinstance(fact.event, SegmentReached) else fact.point.segment)


def _idle(state: OsricState, segment: int) -> Combatant | None:
    """Return somebody who may act in a surprise segment and is not casting."""
    return next((one for one in still_free(state, segment) if not under_way(state, one.id)), None)


# ---------------------------------------------------------------- the segments of outcomes


def _alone(state: OsricState, fact: Reading) -> Reading | None:
    """Return an outcome whose segment is not that of what it came out of, and of which nothing else is said."""
    origin = state.moments.get(fact.cause)
    told = fact.event.segment is not None and (origin is None or origin.point != fact.point)
    return fact if told and not fact.is_act and fact.casting is None and not fact.barred else None


@check("time.round-is-ten-segments", on=(*OUTCOMES, *OTHER_MOMENTS), group="row", rank=1, subject=_alone)
def an_outcome_has_one_of_ten_segments(_state: OsricState, fact: Reading) -> Breach | None:
    return no_such_segment(fact)


@check("surprise.length-of-play", on=(*OUTCOMES, *OTHER_MOMENTS), group="row", rank=2, subject=_alone)
def an_outcome_has_a_surprise_segment(state: OsricState, fact: Reading) -> Breach | None:
    last, segment = length_of_play(state), fact.point.segment
    if fact.point.round or 1 <= segment <= last or fact.segment_is_told:
        return None
    return Breach(
        f"there is no surprise segment {segment}",
        surprise_segments(last),
        f"segment {segment}",
        because_play(state).flat().events,
    )


@check("sequence.winner-then-loser", on=OUTCOMES, group="row", rank=3, subject=_alone)
def segments_of_outcomes_never_fall(state: OsricState, fact: Reading) -> Breach | None:
    return gone_by(state, fact.point)


@check("sequence.winner-then-loser", on=OTHER_MOMENTS, group="row", rank=4, subject=_alone)
def moments_never_fall(state: OsricState, fact: Reading) -> Breach | None:
    return told_before(state, fact.point)
