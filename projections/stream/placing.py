"""Placing facts in game time: each happens when it says, when its cause did, or now."""

from typing import Any

from eventstore.events import (
    EVENT_TYPES,
    ActionTaken,
    AttackRolled,
    ContestRolled,
    DiceRolled,
    EffectStarted,
    Momentary,
    Moved,
    SaveRolled,
)
from projections.occurrence import Occurrence
from projections.state import State
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
        if not cause and kind in OUTCOMES:
            cause = _nearest(state, fact, point)
    return Occurrence(fact.seq, fact.line, event, point, own, cause, fact.at, fact.by, fact.secret)


def _nearest(state: State, fact: Occurrence[Any], point: Point) -> int:
    """Return the last fact at a point that this can have come out of, or 0; a struck one if it was struck after this."""
    struck, last = state.round.gone.get(point), state.nearest.get(point)
    if struck and fact.seq < state.struck_by[struck.seq] and _who(fact.event) in ("", _who(struck.event)):
        return int(struck.seq)
    return last.seq if last else 0


def _who(event: Any) -> str:
    """Return whose doing a fact is, as far as it says so."""
    return getattr(event, "source", None) or (event.combatant if isinstance(event, ActionTaken | AttackRolled) else "")


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
        point.phase if event.phase is None else slot_number(state, event.phase),
        point.turn,
        point.segment if event.segment is None else event.segment,
        point.second if event.second is None else event.second,
    )


def slot_number(state: State, name: str) -> int:
    """Return the place of a slot in the ruleset's round, from 1; an unknown one is 0."""
    slots = state.rules.schedule.slots(state)
    return slots.index(name) + 1 if name in slots else 0


def reached(state: State, fact: Occurrence[Any]) -> Point:
    """Return the point that a fact belongs to once it took hold: its own moment, or where it set the clock."""
    own = state.rules.schedule.moment(state, fact)
    return own or (fact.point if type(fact.event) in MOMENTARY else state.clock.point)


def remember(state: State, fact: Occurrence[Any]) -> None:
    """Keep a fact of this round by its seq, so that its outcomes find their moment."""
    kind = type(fact.event)
    if kind in MOMENTARY:
        state.moments[fact.seq] = fact
        if kind in ORIGINS:
            state.nearest[fact.point] = fact
            state.round.gone.pop(fact.point, None)


def remember_struck(state: State, fact: Occurrence[Any]) -> None:
    """Keep what was struck and something came out of, so that this is not taken for an outcome of anything else."""
    if type(fact.event) in ORIGINS:
        state.round.gone[fact.point] = fact
