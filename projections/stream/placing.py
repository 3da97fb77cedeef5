"""Placing facts in game time: each happens at the moment that it gives, at that of its cause, or now."""

from typing import Any

from msgspec import structs

from eventstore.events import EVENT_TYPES, DamageDealt, EffectStarted, Healed, Momentary, TimePassed
from projections.mechanics.implied import BRINGS_ABOUT, FOLLOWED, ORIGINS, TurnFacts, implied
from projections.occurrence import Occurrence
from projections.state import State
from projections.stream.causes import lineage
from projections.time import Point

MOMENTARY = frozenset(kind for kind in EVENT_TYPES if issubclass(kind, Momentary))
CAUSED = frozenset(kind for kind in MOMENTARY if "cause" in kind.__struct_fields__)
OUTCOMES = frozenset(BRINGS_ABOUT)
"""The facts that can have an implied cause; a move without a cause is a move as such."""


def placed_in_time(state: State, fact: Occurrence[Any]) -> Occurrence[Any]:
    """Return the fact with its moment, and with its implied cause if it names none.

    What may have come out of several happens when the last of them does; an effect without a cause happens now.
    """
    event = fact.event
    kind = type(event)
    if kind not in MOMENTARY:
        return _placed(state, fact, (state.clock.point, False), 0, 0)
    cause = max(event.cause or 0, 0) if kind in CAUSED else 0
    known = _implied(state, fact) if not cause and kind in OUTCOMES else 0
    origin = cause or (0 if kind is EffectStarted else abs(known))
    return _placed(state, fact, _moment(state, event, origin), cause, known)


def _placed(state: State, fact: Occurrence[Any], moment: tuple[Point, bool], cause: int, known: int) -> Occurrence[Any]:
    """Return a fact at its moment, with its cause: the recorded one, or the one known to be implied (below 0: doubtful)."""
    timed = state.clock.segment_event if state.clock.counts and not moment[1] else 0
    at, by, secret, append, cause = fact.at, fact.by, fact.secret, fact.append, cause or max(known, 0)
    return Occurrence(
        fact.seq, fact.line, fact.event, *moment, cause, at, by, secret, timed, append, known > 0, max(-known, 0)
    )


def _implied(state: State, fact: Occurrence[Any]) -> int:
    """Return the implied cause of an outcome, which happens at the moment that it gives, or now."""
    here = structs.replace(fact, point=(moment := _moment(state, fact.event, 0))[0], own=moment[1])
    before, running = _before(state, fact), _running(state, fact.event)
    return implied(_turn(state), here, before, state.struck_by, lambda one: state.rules.idle(state, one), running)


def _running(state: State, event: Any) -> tuple[int, ...]:
    """Return the effects of the source of damage or healing on its target, which may bring it about."""
    if not isinstance(event, DamageDealt | Healed) or event.source is None:
        return ()
    return tuple(
        seq for (seq, bearer), one in state.effects.items() if bearer == event.target and one.source == event.source
    )


def _moment(state: State, event: Momentary, origin: int) -> tuple[Point, bool]:
    """Return the moment of a fact, and whether it or what it came out of gave that itself."""
    point, own = _moment_of(state, origin) if origin else (state.clock.point, False)
    if event.segment is None and event.second is None and event.phase is None:
        return point, own
    return _own_moment(state, event, point), True


def _before(state: State, fact: Occurrence[Any]) -> tuple[int, ...]:
    """Return the record right before a fact in its append, and what it came out of; nothing if it is no deed.

    An effect may come of what the act right before it answers, such as a spell that was not countered.
    """
    last = state.moments.get(state.seq)
    if last is None or last.append != fact.append:
        return ()
    trigger = getattr(last.event, "trigger", None) if isinstance(fact.event, EffectStarted) else None
    answered = state.moments.get(trigger or 0)
    return (last.seq, *lineage(state, last), *((answered.seq, *lineage(state, answered)) if answered else ()))


def _turn(state: State) -> TurnFacts:
    """Return the facts of the present turn that decide about implied causes; a new turn begins without any."""
    turn: TurnFacts = state.round.turn
    if turn.began != state.clock.turn_event:
        turn = state.round.turn = TurnFacts(state.clock.turn_event)
    return turn


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
    slots = state.rules.schedule.phases(state)
    return slots.index(name) + 1 if name in slots else 0


def reached(state: State, fact: Occurrence[Any]) -> Point:
    """Return the point that a fact belongs to once applied: its own moment, or that to which it set the clock."""
    own = state.rules.schedule.moment(state, fact)
    return own or (fact.point if type(fact.event) in MOMENTARY else state.clock.point)


def remember(state: State, fact: Occurrence[Any]) -> None:
    """Keep a fact of this round by its seq, so that its outcomes get its moment; nothing from before a stretch of time is a cause."""
    kind = type(fact.event)
    if kind is TimePassed:
        state.round.turn = TurnFacts(state.clock.turn_event)
    if kind in MOMENTARY:
        state.moments[fact.seq] = fact
        if kind is EffectStarted and not fact.cause and (fact.doubtful or fact.event.source is None):
            state.doubtful.add(fact.event.effect.casefold())
        if kind in FOLLOWED:
            _turn(state).waiting.append(fact)


def remember_struck(state: State, fact: Occurrence[Any]) -> None:
    """Keep a struck fact that can have outcomes, so that they are not attributed to another one."""
    if type(fact.event) in ORIGINS:
        _turn(state).waiting.append(fact)
