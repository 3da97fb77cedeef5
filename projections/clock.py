"""The clock: clock facts move it; a fact happens when it says, when its cause did, or now."""

from typing import Any

from msgspec import structs

from eventstore.events import (
    ActionTaken,
    AttackRolled,
    ContestRolled,
    DiceRolled,
    EffectStarted,
    EncounterClosed,
    Momentary,
    PhaseReached,
    RoundEnded,
    RoundStarted,
    SaveRolled,
    SegmentReached,
    TurnEnded,
    TurnStarted,
)
from projections.rulesets.ruleset import derives
from projections.state import State, Told
from projections.time import Point

ORIGINS = (ActionTaken, AttackRolled, SaveRolled, ContestRolled, DiceRolled, EffectStarted)
"""What an outcome without a cause may have come out of: acts, rolls, effects."""


def placed_in_time(state: State, told: Told[Any]) -> Told[Any]:
    """Return the fact with its moment, and with the cause that goes without saying."""
    event = told.event
    if not isinstance(event, Momentary):
        return structs.replace(told, point=state.clock.point)
    stated: int | None = getattr(event, "cause", None)
    origin = state.moments.get(stated or 0)
    point = _moment(state, event, origin.point if origin else state.clock.point)
    cause = stated or 0
    if not cause and hasattr(event, "cause") and state.nearest and state.nearest.point == point:
        cause = state.nearest.seq
    return structs.replace(told, point=point, cause=cause)


def _moment(state: State, event: Momentary, point: Point) -> Point:
    own: dict[str, int] = {}
    if event.segment is not None:
        own["segment"] = event.segment
    if event.second is not None:
        own["second"] = event.second
    if event.phase is not None:
        own["phase"] = phase_number(state, event.phase)
    return structs.replace(point, **own) if own else point


def reached(state: State, told: Told[Any]) -> Point:
    """Return the point that a fact belongs to once it took hold: its own moment, or where it set the clock."""
    return told.point if isinstance(told.event, Momentary) else state.clock.point


def phase_number(state: State, phase: str) -> int:
    """Return the place of a phase in the ruleset's round, from 1; an unknown one is 0."""
    return state.rules.phases.index(phase) + 1 if phase in state.rules.phases else 0


def remember(state: State, told: Told[Any]) -> None:
    """Keep a fact of this round by its seq, so that its outcomes find their moment."""
    if isinstance(told.event, Momentary):
        state.moments[told.seq] = told
        if isinstance(told.event, ORIGINS):
            state.nearest = told


@derives(on=RoundStarted)
def round_starts(state: State, told: Told[RoundStarted]) -> None:
    clock = state.clock
    number = clock.point.round + 1 if state.rules.counts_rounds else told.event.round
    clock.point, clock.phase, clock.turn, clock.open = Point(round=number), "", "", True
    clock.round_event, clock.events = told.seq, (told.seq,)
    state.moments.clear()
    state.nearest = None


@derives(on=RoundEnded)
def round_ends(state: State, told: Told[RoundEnded]) -> None:
    state.clock.open = False
    state.clock.events = (*state.clock.events[:1], told.seq)


@derives(on=PhaseReached)
def phase_comes(state: State, told: Told[PhaseReached]) -> None:
    phase = told.event.phase
    clock = state.clock
    clock.point, clock.phase = Point(clock.point.round, phase_number(state, phase)), phase
    clock.events = _since_round(state, told)


@derives(on=SegmentReached)
def segment_comes(state: State, told: Told[SegmentReached]) -> None:
    clock = state.clock
    clock.point = structs.replace(clock.point, segment=told.event.segment, second=0)
    clock.events = _since_round(state, told)


@derives(on=TurnStarted)
def turn_starts(state: State, told: Told[TurnStarted]) -> None:
    clock = state.clock
    clock.point = Point(round=clock.point.round, turn=clock.point.turn + 1)
    clock.turn, clock.turn_event = told.event.combatant, told.seq
    clock.events = _since_round(state, told)
    state.nearest = None


@derives(on=TurnEnded)
def turn_ends(state: State, told: Told[TurnEnded]) -> None:
    if state.clock.turn == told.event.combatant:
        state.clock.turn, state.clock.turn_event = "", told.seq
        state.clock.events = _since_round(state, told)


@derives(on=EncounterClosed)
def encounter_closes(state: State, told: Told[EncounterClosed]) -> None:
    state.closed = told.seq


def _since_round(state: State, told: Told[Any]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((state.clock.round_event or told.seq, told.seq)))
