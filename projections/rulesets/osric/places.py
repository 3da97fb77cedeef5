"""The place of an act, first part: who is out, surprised or without dice, and segments that there are not.

Of the checks on the place and the right of an act, which go on in rights.py and waits.py, only the first that finds
something reports; they stand in the order in which the catalogue wants them cited.
"""

from typing import Any

from eventstore.events import (
    ActionAbandoned,
    ActionHeld,
    ActionTaken,
    AttackRolled,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    Healed,
)
from projections.occurrence import Occurrence
from projections.rulesets.osric.acts import out_at
from projections.rulesets.osric.order import missing_dice
from projections.rulesets.osric.routines import FREE, WAITING, key_of_act, key_of_hold
from projections.rulesets.osric.state import SEGMENTS, OsricState
from projections.rulesets.osric.surprise import length, length_of_play
from projections.rulesets.ruleset import Breach, check
from projections.state import Combatant
from projections.time import Point

Acting = Occurrence[ActionTaken] | Occurrence[ActionHeld]
OUTCOMES = (DamageDealt, Healed, AttackRolled, ActionAbandoned, ConditionGained, ConditionLost)


def _one(state: OsricState, fact: Acting) -> Combatant:
    return state.combatants[fact.event.combatant]


def unplaced(fact: Occurrence[Any]) -> bool:
    """Say whether no segment is recorded for a fact, its own or of the clock."""
    return fact.point.segment == 0 and fact.event.segment is None


def is_free(fact: Acting) -> bool:
    """Say whether this is an act that costs nothing."""
    return isinstance(fact.event, ActionTaken) and fact.event.action.kind in FREE


@check("effects.take-hold-at-once", on=(ActionTaken, ActionHeld), group="place")
def the_fallen_do_not_act(state: OsricState, fact: Acting) -> Breach | None:
    key = key_of_act(state, fact) if isinstance(fact.event, ActionTaken) else key_of_hold(state, fact)
    fallen = out_at(state, fact, key)
    if fallen is None:
        return None
    when = Point(fallen.key.round, segment=fallen.key.segment)
    return Breach(f"{fact.event.combatant} is out of action since {when}", "no act", "an act", (fallen.seq,))


@check("sequence.order-of-events", on=ActionTaken, group="place")
def surprise_comes_before_the_first_round(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    if fact.point.round or not state.clock.round:
        return None
    return Breach("an act of surprise after round 1 was opened", "surprise, then rounds", "after round 1")


@check("surprise.length-of-play", on=(ActionTaken, ActionHeld), group="place")
def surprise_play_has_its_length(state: OsricState, fact: Acting) -> Breach | None:
    last = length_of_play(state)
    if fact.point.round or 1 <= fact.point.segment <= last or (unplaced(fact) and (last or is_free(fact))):
        return None
    return Breach("an act outside the surprise segments", f"1 to {last}" if last else "none", str(fact.point.segment))


@check("surprise.surprised-cannot-act", on=(ActionTaken, ActionHeld), group="place")
def the_surprised_do_not_act(state: OsricState, fact: Acting) -> Breach | None:
    segments, last = length(state, _one(state, fact)), length_of_play(state)
    if fact.point.round or not last or (segments < last if unplaced(fact) else fact.point.segment > segments):
        return None
    free = f"surprise segment {segments + 1}" if segments < last else "round 1"
    says = f"{fact.event.combatant} is surprised for {segments} segments and free from {free} on"
    return Breach(says, free, str(fact.point))


@check("time.round-is-ten-segments", on=(ActionTaken, ActionHeld), group="place")
def an_act_has_one_of_ten_segments(state: OsricState, fact: Acting) -> Breach | None:
    return no_such_segment(state, fact)


def no_such_segment(state: OsricState, fact: Occurrence[Any]) -> Breach | None:
    """Return the breach of a fact that says a segment outside the ten, unless the clock said it before."""
    segment = fact.event.segment
    if segment is None or fact.point.round == 0 or 1 <= segment <= SEGMENTS:
        return None
    if segment == state.clock.point.segment != 0:
        return None
    return Breach(f"there is no segment {segment} in a round", "1 to 10", str(segment))


def _stands_alone(state: OsricState, fact: Occurrence[Any]) -> bool:
    """Say whether a fact has a segment that is not that of what it came out of."""
    origin = state.moments.get(fact.cause)
    return fact.event.segment is not None and (origin is None or origin.point != fact.point)


@check("time.round-is-ten-segments", on=OUTCOMES, group="row")
def an_outcome_has_one_of_ten_segments(state: OsricState, fact: Occurrence[Any]) -> Breach | None:
    return no_such_segment(state, fact) if _stands_alone(state, fact) else None


@check("surprise.length-of-play", on=OUTCOMES, group="row")
def an_outcome_has_a_surprise_segment(state: OsricState, fact: Occurrence[Any]) -> Breach | None:
    last = length_of_play(state)
    if fact.point.round or 1 <= fact.point.segment <= last or not _stands_alone(state, fact):
        return None
    return Breach(f"there is no surprise segment {fact.point.segment}", f"1 to {last}", str(fact.point.segment))


@check("sequence.winner-then-loser", on=OUTCOMES, group="row")
def segments_of_outcomes_never_fall(state: OsricState, fact: Occurrence[Any]) -> Breach | None:
    return gone_by(state, fact.point) if _stands_alone(state, fact) else None


def gone_by(state: OsricState, point: Point) -> Breach | None:
    """Return the breach of a row whose segment lies before that of an earlier row of the round."""
    if not 1 <= point.segment < state.highest or point.round != state.clock.point.round:
        return None
    says = f"segment {point.segment} had gone by: a row of segment {state.highest} stands before this one"
    return Breach(says, f"segment {state.highest} or later", f"segment {point.segment}")


# ---------------------------------------------------------------- dice


def _missing(state: OsricState, fact: Occurrence[ActionTaken]) -> list[str]:
    """Return the sides without a die as the first act of the round is told."""
    if fact.point.round == 0 or state.dice_missed or fact.event.action.kind in WAITING:
        return []
    return missing_dice(state)


@check("initiative.d6-each-side", on=ActionTaken, group="place")
def each_side_has_its_die(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    missing = _missing(state, fact)
    if not missing or not state.dice:
        return None
    return Breach(f"{', '.join(missing)} have no initiative die in this round", "a die of each side", "none")


@check("sequence.order-of-events", on=ActionTaken, group="place")
def dice_come_before_the_first_act(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    if not _missing(state, fact) or state.dice or fact.point.round > 1:
        return None
    return Breach("an act before the initiative dice of round 1", "the dice first", "no dice")


@check("initiative.fresh-each-round", on=ActionTaken, group="place")
def dice_are_thrown_each_round(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    if not _missing(state, fact) or state.dice or fact.point.round == 1:
        return None
    return Breach(f"no initiative dice in round {fact.point.round}", "fresh dice", "none")


@check("sequence.order-of-events", on=ActionTaken, group="place")
def acts_come_before_the_close(state: OsricState, fact: Occurrence[ActionTaken]) -> Breach | None:
    if state.clock.open or fact.point.round == 0 or fact.event.action.kind in WAITING:
        return None
    return Breach(f"an act after round {fact.point.round} was closed", "before the close", "after it")
