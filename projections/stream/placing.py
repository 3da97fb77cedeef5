"""Placing facts in game time: each happens at the moment that it gives, at that of its cause, or now."""

from collections.abc import Iterator
from typing import TypeVar

from msgspec import structs

from eventstore.events import EVENT_TYPES, DamageDealt, EffectStarted, Fact, Healed, Momentary, TimePassed
from eventstore.shapes import Action
from projections.mechanics.candidates import BRINGS_ABOUT, ORIGINS, TurnFacts
from projections.mechanics.implied import implied_cause
from projections.occurrence import Occurrence
from projections.state import State
from projections.stream.causes import cause_records
from projections.time import Point

E = TypeVar("E", bound=Fact)

MOMENTARY = frozenset(kind for kind in EVENT_TYPES if issubclass(kind, Momentary))
NAMING = frozenset(kind for kind in EVENT_TYPES if {"condition", "effect"}.intersection(kind.__struct_fields__))
"""The facts about an effect or a condition."""
ACTING = frozenset(kind for kind in EVENT_TYPES if "action" in kind.__struct_fields__)
"""The facts that have an action: acts, declarations, holds."""
OUTCOMES = frozenset(BRINGS_ABOUT)
"""The facts that can have an implied cause; a move without a cause is a move as such."""


def place_in_time(state: State, fact: Occurrence[E]) -> Occurrence[E]:
    """Return the fact with its moment, and with its implied cause if it names none.

    A fact with several possible causes happens at the moment of the last of them; an effect without a cause happens now.
    """
    kind = type(fact.event)
    cause = max(getattr(fact.event, "cause", None) or 0, 0)
    known = _implied_cause(state, fact) if not cause and kind in OUTCOMES else 0  # below 0: doubtful
    certain = max(known, 0)
    origin = cause if kind is EffectStarted else cause or abs(known)
    point, own = _moment_of_fact(state, fact, state.moments.get(origin))
    return structs.replace(
        fact,
        called=effect_name(fact.event) if kind in NAMING else "",
        kind=action_kind(fact.event) if kind in ACTING else "",
        point=point,
        own=own,
        cause=cause or certain,
        timed=state.clock.segment_event if state.clock.counts and not own else 0,
        implied=bool(certain),
        doubtful=max(-known, 0),
    )


def _implied_cause(state: State, fact: Occurrence[Fact]) -> int:
    """Return the implied cause of an outcome, which happens at the moment that it gives, or now."""
    point, own = _moment_of_fact(state, fact, None)
    here = structs.replace(fact, point=point, own=own)
    before, running = _before(state, fact), _running_effects(state, fact.event)
    return implied_cause(_turn(state), here, before, state.struck_by, lambda one: state.rules.idle(state, one), running)


def _running_effects(state: State, event: Fact) -> tuple[int, ...]:
    """Return the effects on the target that may cause this damage or healing: those of its source, or of an unknown one."""
    if not isinstance(event, DamageDealt | Healed):
        return ()
    on_target = (one for one in state.effects.values() if one.bearer == event.target)
    return tuple(
        one.seq for one in on_target if one.source == event.source or (not one.source and one.called in state.doubtful)
    )


def _moment_of_fact(state: State, fact: Occurrence[Fact], origin: Occurrence[Fact] | None) -> tuple[Point, bool]:
    """Return the moment of a fact, and whether the fact or its cause gave it; without one it happens now."""
    event, point, own = fact.event, state.clock.point, False
    if origin and origin.own:
        point, own = origin.point, True
    if not isinstance(event, Momentary) or (event.segment is None and event.second is None and event.phase is None):
        return point, own
    return _own_moment(state, event, point), True


def _before(state: State, fact: Occurrence[Fact]) -> tuple[int, ...]:
    """Return the record right before a fact in its append, and that record's causes; nothing for an append's first.

    For an effect also what the act right before it answers, such as a spell that was not countered.
    """
    last = state.moments.get(state.seq)
    if last is None or last.append != fact.append:
        return ()
    those = [last, *_facts_answered(state, last)] if isinstance(fact.event, EffectStarted) else [last]
    return tuple(seq for one in those for seq in (one.seq, *cause_records(state, one.cause)))


def _facts_answered(state: State, fact: Occurrence[Fact]) -> Iterator[Occurrence[Fact]]:
    """Yield the fact that an act answers, the one that that answers, and so on."""
    while trigger := getattr(fact.event, "trigger", None):
        found = state.moments.get(trigger)
        if found is None or found.seq >= fact.seq:
            return
        yield found
        fact = found


def _turn(state: State) -> TurnFacts:
    """Return the facts of the present turn that decide on implied causes; a new turn begins without any."""
    turn: TurnFacts = state.round.turn
    if turn.began != state.clock.turn_event:
        turn = state.round.turn = TurnFacts(state.clock.turn_event)
    turn.reached = state.clock.segment_event
    return turn


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


def point_reached(state: State, fact: Occurrence[Fact]) -> Point:
    """Return the point that a fact belongs to once applied: its own moment, or that to which it set the clock."""
    own = state.rules.schedule.moment(state, fact)
    return own or (fact.point if type(fact.event) in MOMENTARY else state.clock.point)


def keep_fact(state: State, fact: Occurrence[Fact]) -> None:
    """Keep a fact of this round by its seq, so that its outcomes get its moment; facts before a passage of time are no causes."""
    event = fact.event
    if isinstance(event, TimePassed):
        state.round.turn = TurnFacts(state.clock.turn_event)
    if type(event) in MOMENTARY:
        state.moments[fact.seq] = fact
        if isinstance(event, EffectStarted) and not fact.cause and (fact.doubtful or event.source is None):
            state.doubtful.add(fact.called)
        _turn(state).waiting.append(fact)


def keep_struck_fact(state: State, fact: Occurrence[Fact]) -> None:
    """Keep a struck fact that can have outcomes, so that they are not attributed to another one."""
    if type(fact.event) in ORIGINS:
        _turn(state).waiting.append(fact)


def effect_name(event: Fact) -> str:
    """Return the name of the effect or condition that a fact is about, case folded; "" for a fact about none."""
    name: str | None = getattr(event, "condition", None) or getattr(event, "effect", None)
    return name.casefold() if name else ""


def action_kind(event: Fact) -> str:
    """Return the kind of the action that a fact has, case folded; "" for a fact without an action."""
    action: Action | None = getattr(event, "action", None)
    return action.plain_kind if action else ""
