"""Time as a ruleset has it: which boundaries a fact crosses, what slots a round has, what the order still lacks."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from eventstore.events import Fact, RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.occurrence import Occurrence
from projections.state import Clock, State
from projections.time import Boundary, Point


def rounds_as_recorded(state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds that somebody says begin and end, by the numbers that they say."""
    event = fact.event
    if isinstance(event, RoundStarted):
        return (*_closing(state, fact), Boundary("round opened", fact.seq, number=event.round))
    return _closing(state, fact) if isinstance(event, RoundEnded) else ()


def _closing(state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    return (Boundary("round closed", fact.seq, number=state.clock.round),) if state.clock.open else ()


def turns_as_recorded(_state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of turns that somebody says begin and end; those who have it together begin it together."""
    event = fact.event
    if isinstance(event, TurnStarted):
        members = dict.fromkeys((event.combatant, *event.together))
        return tuple(Boundary("turn began", fact.seq, who) for who in members)
    return (Boundary("turn ended", fact.seq, event.combatant),) if isinstance(event, TurnEnded) else ()


def as_recorded(state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds and turns as they were recorded."""
    return rounds_as_recorded(state, fact) or turns_as_recorded(state, fact)


class Schedule(Struct, frozen=True):
    """How time runs in a ruleset.

    `meets` is asked before any step which boundaries a fact crosses, in their order; `rounds_from` are the facts that
    rounds follow from. `slots` are the names of the slots
    of a round, from the first. `missing` says in sentences what the order still lacks. `shows` gives the clock where it
    follows from what was done rather than from what was said. `moment` is when a fact took hold that left it unsaid;
    `pending` says whether something that is called off has not begun yet.
    """

    meets: Callable[[Any, Occurrence[Any]], tuple[Boundary, ...]] = as_recorded
    rounds_from: tuple[type[Fact], ...] = (RoundStarted,)
    slots: Callable[[Any], tuple[str, ...]] = lambda _state: ()
    missing: Callable[[Any], tuple[str, ...]] = lambda _state: ()
    shows: Callable[[Any, Occurrence[Any]], Clock] | None = None
    moment: Callable[[Any, Occurrence[Any]], Point | None] = lambda _state, _fact: None
    pending: Callable[[Any, Fact], bool] = lambda _state, _event: False
