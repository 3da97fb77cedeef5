"""Boundaries of rounds and turns: as they were recorded, or as rounds follow from turns."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from eventstore.events import RoundEnded, RoundStarted, TurnEnded, TurnStarted
from projections.occurrence import Occurrence
from projections.scheduling.turnlist import Beginning, TurnList, unpassed
from projections.state import State
from projections.time import Boundary


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


def as_recorded(state: State, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds and turns as they were recorded."""
    return rounds_as_recorded(state, fact) or turns_as_recorded(state, fact)
