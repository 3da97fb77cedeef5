"""Boundaries of rounds and turns: as they were recorded, or as rounds follow from turns."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from eventstore.events import (
    CombatantLeft,
    Fact,
    RoundEnded,
    RoundStarted,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from projections.fight import Fight
from projections.mechanics.turnlist import Beginning, TurnList, unpassed_combatants
from projections.occurrence import Occurrence
from projections.time import Boundary


def rounds_as_recorded(state: Fight, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds as they were recorded, with the recorded numbers."""
    match fact.event:
        case RoundStarted(round=number):
            return (*_round_closing(state, fact), Boundary("round opened", fact.seq, number=number))
        case RoundEnded():
            return _round_closing(state, fact)
    return ()


def boundaries_as_recorded(state: Fight, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds and turns as they were recorded, for a schedule without a turn list.

    A turn ends as another begins, as its round is over, and as the combatant who has it leaves.
    """
    event, seq, rounds = fact.event, fact.seq, rounds_as_recorded(state, fact)
    ended = [who for who in (state.clock.turn, *state.clock.together) if who]
    begun: Iterable[str] = ()
    if isinstance(event, TurnStarted):
        begun = [who for who in dict.fromkeys((event.combatant, *event.together)) if who in state.combatants]
    elif isinstance(event, TurnEnded | CombatantLeft):
        ended = [who for who in ended if who == event.combatant]
    elif not rounds:
        ended = []
    over = [Boundary("turn ended", seq, who) for who in ended]
    return (*over, *rounds, *(Boundary("turn began", seq, who) for who in begun))


def _round_closing(state: Fight, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    return (Boundary("round closed", fact.seq, number=state.clock.round),) if state.clock.open else ()


def boundaries_of_turn(
    turns: TurnList, found: Beginning, members: Sequence[str], seq: int, number: int, besides: Iterable[str] = ()
) -> Iterator[Boundary]:
    """Yield the boundaries of a turn that begins, for games in which rounds follow from turns.

    If it opens a round, the places that neither had a turn nor were passed are passed, the round closes and the next opens. Then the places
    of combatants above it who are out of action are passed, and the turns of `members` begin. `number` is the present round; `besides` are
    combatants without a place for whom a round passes as well.
    """
    if found.opens and number:
        yield from (Boundary("place passed", seq, who) for who in (*unpassed_combatants(turns), *besides))
        yield Boundary("round closed", seq, number=number)
    if found.opens:
        yield Boundary("round opened", seq, number=number + 1)
    yield from (Boundary("place passed", seq, who, name=next(iter(members), "")) for who in found.goes_by)
    yield from (Boundary("turn began", seq, who) for who in dict.fromkeys(members))


_OF_TURNS = frozenset({TurnStarted, TurnResumed, RoundStarted, RoundEnded, TurnDelayed, CombatantLeft, TurnEnded})
"""The types of facts that cross boundaries of rounds and turns."""


def boundaries_with_delay(state: Fight, fact: Occurrence[Fact]) -> tuple[Boundary, ...]:
    """Return the boundaries of rounds and turns as they were recorded, where a turn may be put off until its round is
    over.

    The first turn of all opens round 1 if that was not recorded. A new turn or round ends the running turns.
    """
    event, seq, turns = fact.event, fact.seq, state.turns
    match event if type(event) in _OF_TURNS else None:
        case TurnStarted() | TurnResumed() as begun:
            opening = () if state.clock.round_event else (Boundary("round opened", seq, number=1),)
            return (*opening, *_turns_ended(turns, seq), *_turns_begun(state, begun, seq))
        case RoundStarted() | RoundEnded():
            lost = chain.from_iterable(_turn_lost(state, who, seq) for who in turns.in_hand)
            return (*_turns_ended(turns, seq), *lost, *rounds_as_recorded(state, fact))
        case TurnDelayed(combatant=who) if who not in turns.in_hand:
            return (Boundary("turn put off", seq, who),)
        case TurnEnded(combatant=who) | CombatantLeft(combatant=who) if who in turns.in_hand:
            return tuple(_turn_lost(state, who, seq))
        case TurnEnded(combatant=who) | CombatantLeft(combatant=who):
            return (Boundary("turn ended", seq, who),)
    return ()


def _turns_ended(turns: TurnList, seq: int) -> Iterator[Boundary]:
    return (Boundary("turn ended", seq, who) for who in turns.running)


def _turns_begun(state: Fight, event: TurnStarted | TurnResumed, seq: int) -> Iterator[Boundary]:
    """Yield the beginning of turns, or the resumption of one that had begun before it was put off."""
    if isinstance(event, TurnResumed):
        who = event.combatant
        held = state.turns.in_hand.get(who)
        yield Boundary("turn resumed" if held and held.seq else "turn began", seq, who)
        return
    for who in dict.fromkeys((event.combatant, *(each for each in event.together if each in state.combatants))):
        held = state.turns.in_hand.get(who)
        yield from _turn_lost(state, who, seq) if held and held.seq else ()
        yield Boundary("turn began", seq, who)


def _turn_lost(state: Fight, who: str, seq: int) -> Iterator[Boundary]:
    """Yield the loss of a turn that a combatant has put off; a turn that had begun ends with it."""
    yield Boundary("turn lost", seq, who)
    if state.turns.in_hand[who].seq:
        yield Boundary("turn ended", seq, who)
