"""Placing facts in game time: each happens at the moment that it gives, at that of its cause, or now."""

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
"""The possible causes of an outcome that names none: acts, rolls, effects."""
MOMENTARY = frozenset(kind for kind in EVENT_TYPES if issubclass(kind, Momentary))
CAUSED = frozenset(kind for kind in MOMENTARY if "cause" in kind.__struct_fields__)
OUTCOMES = CAUSED - {Moved}
"""The facts that are attributed to the nearest of those if they name no cause; a move without one is a move as
such."""


def placed_in_time(state: State, fact: Occurrence[Any]) -> Occurrence[Any]:
    """Return the fact with its moment, and with its implied cause if it names none."""
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
    timed = state.clock.segment_event if state.clock.counts and not own else 0
    return Occurrence(fact.seq, fact.line, event, point, own, cause, fact.at, fact.by, fact.secret, timed)


def _nearest(state: State, fact: Occurrence[Any], point: Point) -> int:
    """Return the last fact at a point that can have caused this one, or 0; a struck one if struck only after this."""
    struck, last = state.round.gone.get(point), state.nearest.get(point)
    if struck and fact.seq < state.struck_by[struck.seq] and _who(fact.event) in ("", _who(struck.event)):
        return int(struck.seq)
    return last.seq if last else 0


def _who(event: Any) -> str:
    """Return who did what a fact records, as far as it says so."""
    return getattr(event, "source", None) or (event.combatant if isinstance(event, ActionTaken | AttackRolled) else "")


def _moment_of(state: State, cause: int) -> tuple[Point, bool]:
    """Return the moment that a cause gave itself; without one, its outcomes happen now."""
    origin = state.moments.get(cause)
    return (origin.point, True) if origin and origin.own else (state.clock.point, False)


def _own_moment(state: State, event: Momentary, point: Point) -> Point:
    """Return the moment that a fact gives; parts that it omits are those of its cause, and of the present turn."""
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
    """Return the number of a slot in the ruleset's round, from 1; 0 for an unknown one."""
    slots = state.rules.schedule.slots(state)
    return slots.index(name) + 1 if name in slots else 0


def reached(state: State, fact: Occurrence[Any]) -> Point:
    """Return the point that a fact belongs to once applied: its own moment, or that to which it set the clock."""
    own = state.rules.schedule.moment(state, fact)
    return own or (fact.point if type(fact.event) in MOMENTARY else state.clock.point)


def remember(state: State, fact: Occurrence[Any]) -> None:
    """Keep a fact of this round by its seq, so that its outcomes get its moment."""
    kind = type(fact.event)
    if kind in MOMENTARY:
        state.moments[fact.seq] = fact
        if kind in ORIGINS:
            state.nearest[fact.point] = fact
            state.round.gone.pop(fact.point, None)


def remember_struck(state: State, fact: Occurrence[Any]) -> None:
    """Keep a struck fact that can have outcomes, so that they are not attributed to another one."""
    if type(fact.event) in ORIGINS:
        state.round.gone[fact.point] = fact
