"""The time of a ruleset: which boundaries a fact crosses, what slots a round has, what the order still needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from eventstore.events import Fact, PhaseReached, RoundEnded, RoundStarted, SegmentReached, TurnEnded, TurnStarted
from projections.mechanics.conditions import Effect
from projections.mechanics.turnlist import Beginning, Out, TurnList, begins, unpassed
from projections.occurrence import Occurrence
from projections.state import Clock, State
from projections.time import Boundary, Point


def rounds_as_recorded(state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds as they were recorded, with the recorded numbers."""
    match fact.event:
        case RoundStarted(round=number):
            return (*_closing(state, fact), Boundary("round opened", fact.seq, number=number))
        case RoundEnded():
            return _closing(state, fact)
    return ()


def _closing(state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    return (Boundary("round closed", fact.seq, number=state.clock.round),) if state.clock.open else ()


def turns_as_recorded(_state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of turns as they were recorded; those who share a turn begin it together."""
    event = fact.event
    if isinstance(event, TurnStarted):
        members = dict.fromkeys((event.combatant, *event.together))
        return tuple(Boundary("turn began", fact.seq, who) for who in members)
    return (Boundary("turn ended", fact.seq, event.combatant),) if isinstance(event, TurnEnded) else ()


def turn_comes_up(
    turns: TurnList, found: Beginning, members: Sequence[str], seq: int, number: int, besides: Iterable[str] = ()
) -> Iterator[Boundary]:
    """Yield the boundaries of a turn that begins, for games in which rounds follow from turns.

    If it opens a round, the places that neither had a turn nor were passed go by, the round closes and the next opens.
    Then the places of those above it who are out go by, and the turns of `members` begin. `number` is the present
    round; `besides` are those without a place for whom a round goes by all the same.
    """
    if found.opens and number:
        yield from (Boundary("place passed", seq, who) for who in (*unpassed(turns), *besides))
        yield Boundary("round closed", seq, number=number)
    if found.opens:
        yield Boundary("round opened", seq, number=number + 1)
    yield from (Boundary("place passed", seq, who, name="".join(members[:1])) for who in found.goes_by)
    yield from (Boundary("turn began", seq, who) for who in dict.fromkeys(members))


def rounds_from_turns(
    turns: Callable[[Any], TurnList], is_out: Callable[[Any], Out]
) -> Callable[[State, Occurrence[Any]], tuple[Boundary, ...]]:
    """Return a `meets` function for games in which turns follow a list, and rounds follow from turns."""

    def meets(state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
        event = fact.event
        if not isinstance(event, TurnStarted):
            return ()
        found = begins(turns(state), event.combatant, is_out(state), event.together)
        members = (event.combatant, *(who for who in event.together if who in state.combatants))
        return tuple(turn_comes_up(turns(state), found, members, fact.seq, state.clock.round))

    return meets


def as_recorded(state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds and turns as they were recorded."""
    return rounds_as_recorded(state, fact) or turns_as_recorded(state, fact)


def crosses_a_boundary(state: State, _borne: Effect, fact: Occurrence[Any]) -> bool:
    """Say whether a fact crosses any boundary, at which what has a duration may be over."""
    return bool(state.rules.schedule.meets(state, fact))


class Move(Struct, frozen=True):
    """How the clock moves with an act: the facts that lead to where it belongs, or why nothing moves.

    Without either the act belongs to the present, or to no time of its own.
    """

    facts: tuple[Fact, ...] = ()
    stays: str = ""


def stays_put(_state: State, _fact: Occurrence[Any]) -> Move:
    """Return that no act moves the clock."""
    return Move()


class Schedule(Struct, frozen=True):
    """How time runs in a ruleset.

    `meets`, called before any step, returns the boundaries that a fact crosses, in order; `rounds_from` are the types
    of facts that rounds follow from (every ruleset says them; while one does not, each fact is looked at), `within` those that move the clock within a round. `slots` returns the names of
    the slots of a round, from the first. `missing` returns in sentences what the order still needs. `shows` gives the
    clock, if it follows from what was done rather than from clock facts. `moment` returns the moment of a fact that
    does not give it; `pending` says whether something that is called off has not begun yet. `out` says who has no turns
    to come: as a rule whoever is not up, or has left; `runs_out` whether a condition with a duration may be over as a
    fact comes: by default, where that crosses a boundary. `moves` says how the clock moves with
    an act that is typed, as if it were the next record: to its own slot, segment or turn, and never back.
    """

    meets: Callable[[Any, Occurrence[Any]], tuple[Boundary, ...]] = as_recorded
    rounds_from: tuple[type[Fact], ...] | None = None
    within: tuple[type[Fact], ...] = (PhaseReached, SegmentReached)
    slots: Callable[[Any], tuple[str, ...]] = lambda _state: ()
    missing: Callable[[Any], tuple[str, ...]] = lambda _state: ()
    shows: Callable[[Any, Occurrence[Any]], Clock] | None = None
    moment: Callable[[Any, Occurrence[Any]], Point | None] = lambda _state, _fact: None
    pending: Callable[[Any, Fact], bool] = lambda _state, _event: False
    out: Callable[[Any], Out] = lambda state: state.is_out
    runs_out: Callable[[Any, Effect, Occurrence[Any]], bool] = crosses_a_boundary
    moves: Callable[[Any, Occurrence[Any]], Move] = stays_put

    def opens_round(self, state: State, fact: Occurrence[Any]) -> bool:
        """Say whether a fact opens a round, so that the one before it is over."""
        if self.rounds_from is not None and not isinstance(fact.event, self.rounds_from):
            return False
        return any(boundary.kind == "round opened" for boundary in self.meets(state, fact))
