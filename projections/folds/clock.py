"""The clock: clock facts move it; a fact happens when it says, when its cause did, or now."""

from typing import Any

from msgspec import structs

from eventstore.events import (
    EVENT_TYPES,
    ActionTaken,
    AttackRolled,
    ContestRolled,
    DiceRolled,
    EffectStarted,
    EncounterClosed,
    Momentary,
    Moved,
    PhaseReached,
    RoundEnded,
    RoundStarted,
    SaveRolled,
    SegmentReached,
    TurnEnded,
    TurnStarted,
)
from projections.rulesets.ruleset import derives
from projections.state import Occurrence, State
from projections.time import Point

ORIGINS = (ActionTaken, AttackRolled, SaveRolled, ContestRolled, DiceRolled, EffectStarted)
"""What an outcome without a cause may have come out of: acts, rolls, effects."""
MOMENTARY = frozenset(kind for kind in EVENT_TYPES if issubclass(kind, Momentary))
CAUSED = frozenset(kind for kind in MOMENTARY if "cause" in kind.__struct_fields__)
OUTCOMES = CAUSED - {Moved}
"""What belongs to the nearest of those where it names no cause; a move without one is a move as such."""


def placed_in_time(state: State, fact: Occurrence[Any]) -> Occurrence[Any]:
    """Return the fact with its moment, and with the cause that goes without saying."""
    event = fact.event
    kind = type(event)
    point, own, cause = state.clock.point, False, 0
    if kind in MOMENTARY:
        if kind in CAUSED:
            cause = max(event.cause or 0, 0)
        if cause:
            point, own = _moment_of(state, cause)
        if event.segment is not None or event.second is not None or event.phase is not None:
            point, own = _own_moment(state, event, point), True
        if not cause and kind in OUTCOMES and (origin := state.nearest.get(point)):
            cause = origin.seq
    return Occurrence(fact.seq, fact.line, event, point, own, cause, fact.at, fact.by, fact.secret)


def _moment_of(state: State, cause: int) -> tuple[Point, bool]:
    """Return the moment that a cause said of itself; else what comes out of it happens now."""
    origin = state.moments.get(cause)
    return (origin.point, True) if origin and origin.own else (state.clock.point, False)


def _own_moment(state: State, event: Momentary, point: Point) -> Point:
    """Return the moment that a fact says of itself; what it leaves out is as with its cause, of the present turn."""
    now = state.clock.point
    if (point.round, point.turn) != (now.round, now.turn):
        point = now
    return Point(
        point.round,
        point.phase if event.phase is None else phase_number(state, event.phase),
        point.turn,
        point.segment if event.segment is None else event.segment,
        point.second if event.second is None else event.second,
    )


def reached(state: State, fact: Occurrence[Any]) -> Point:
    """Return the point that a fact belongs to once it took hold: its own moment, or where it set the clock."""
    own = state.rules.moment(state, fact)
    return own or (fact.point if type(fact.event) in MOMENTARY else state.clock.point)


def phase_number(state: State, phase: str) -> int:
    """Return the place of a phase in the ruleset's round, from 1; an unknown one is 0."""
    return state.rules.phases.index(phase) + 1 if phase in state.rules.phases else 0


def remember(state: State, fact: Occurrence[Any]) -> None:
    """Keep a fact of this round by its seq, so that its outcomes find their moment."""
    kind = type(fact.event)
    if kind in MOMENTARY:
        state.moments[fact.seq] = fact
        if kind in ORIGINS:
            state.nearest[fact.point] = fact


@derives(on=RoundStarted)
def round_starts(state: State, fact: Occurrence[RoundStarted]) -> None:
    """Open a round, by the number said or the one that is next, and forget segment, phase, turn and moments."""
    if state.rules.derives_rounds:
        return
    clock = state.clock
    number = clock.round + 1 if state.rules.counts_rounds else fact.event.round
    clock.round, clock.point = number, Point(round=number)
    clock.phase, clock.turn, clock.together, clock.open = "", "", (), True
    clock.round_event, clock.events = fact.seq, (fact.seq,)
    state.moments.clear()
    state.nearest.clear()


@derives(on=RoundEnded)
def round_ends(state: State, fact: Occurrence[RoundEnded]) -> None:
    """Close the round."""
    if state.rules.derives_rounds:
        return
    state.clock.open = False
    state.clock.events = (*state.clock.events[:1], fact.seq)


@derives(on=PhaseReached)
def phase_comes(state: State, fact: Occurrence[PhaseReached]) -> None:
    """Bring play to a phase, and forget the segment."""
    phase = fact.event.phase
    clock = state.clock
    number = phase_number(state, phase)
    clock.point, clock.phase = structs.replace(clock.point, phase=number, segment=0, second=0), phase
    clock.events = _since_round(state, fact)


@derives(on=SegmentReached)
def segment_comes(state: State, fact: Occurrence[SegmentReached]) -> None:
    """Set the clock to a segment of the round, or of surprise."""
    clock = state.clock
    number = 0 if fact.event.surprise else clock.round
    clock.point = structs.replace(clock.point, round=number, segment=fact.event.segment, second=0)
    clock.events = _since_round(state, fact)


@derives(on=TurnStarted)
def turn_starts(state: State, fact: Occurrence[TurnStarted]) -> None:
    """Give the turn to a combatant, and to those who have it together with that one."""
    clock = state.clock
    clock.point = Point(clock.point.round, clock.point.phase, clock.point.turn + 1, clock.point.segment)
    clock.turn, clock.together, clock.turn_event = fact.event.combatant, fact.event.together, fact.seq
    clock.events = _since_round(state, fact)


@derives(on=TurnEnded)
def turn_ends(state: State, fact: Occurrence[TurnEnded]) -> None:
    """Take the turn from who has it."""
    pass_turn(state, fact.event.combatant, fact)


def pass_turn(state: State, who: str, fact: Occurrence[Any]) -> None:
    """Take the turn from a combatant, if it has it; it passes to those who have it together with them, if anybody."""
    clock = state.clock
    others = tuple(other for other in clock.together if other != who)
    if clock.turn == who:
        clock.turn, clock.together, clock.turn_event = next(iter(others), ""), others[1:], fact.seq
        clock.events = _since_round(state, fact)
    else:
        clock.together = others


@derives(on=EncounterClosed)
def encounter_closes(state: State, fact: Occurrence[EncounterClosed]) -> None:
    """Keep which record closed the encounter."""
    state.closed = fact.seq


def _since_round(state: State, fact: Occurrence[Any]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((state.clock.round_event or fact.seq, fact.seq)))
