"""Turns and rounds as they were recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    CombatantLeft,
    Moved,
    RoundEnded,
    RoundStarted,
    RulingMade,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from projections.occurrence import Occurrence
from projections.rulesets.plain.effects import forgets_what_ran_out, ticks, ticks_with_rounds
from projections.rulesets.plain.state import PlainRound, PlainState
from projections.rulesets.ruleset import derives
from projections.scheduling.boundaries import turns_as_recorded
from projections.scheduling.turnlist import Turn, end, lose, put_off, start, take_up
from projections.time import Boundary


@derives("turn.as-recorded", "round.as-recorded")
def meets(state: PlainState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses; the first turn of all opens round 1 if that was not recorded."""
    event, seq = fact.event, fact.seq
    match event:
        case TurnStarted() | TurnResumed():
            opening = () if state.clock.round_event else (Boundary("round opened", seq, number=1),)
            return (*opening, *_ending(state, seq), *_beginning(state, fact))
        case RoundStarted() | RoundEnded():
            return (*_ending(state, seq), *_of_rounds(state, fact))
        case TurnDelayed(combatant=who) if who not in state.turns.in_hand:
            return (Boundary("turn put off", seq, who),)
        case TurnEnded(combatant=who) | CombatantLeft(combatant=who):
            return (Boundary("turn ended", seq, who),)
    return ()


def _ending(state: PlainState, seq: int) -> Iterator[Boundary]:
    yield from [Boundary("turn ended", seq, who) for who in state.turns.running]


def _of_rounds(state: PlainState, fact: Occurrence[Any]) -> Iterator[Boundary]:
    """Yield that the round closes, if it is open or turns are put off in it, and that the next opens."""
    if state.clock.open or state.turns.in_hand:
        yield Boundary("round closed", fact.seq, number=state.clock.round)
    if isinstance(fact.event, RoundStarted):
        yield Boundary("round opened", fact.seq, number=fact.event.round)


def _beginning(state: PlainState, fact: Occurrence[TurnStarted] | Occurrence[TurnResumed]) -> tuple[Boundary, ...]:
    """Return the beginning of turns, or the resumption of one that had begun before it was put off."""
    if isinstance(fact.event, TurnStarted):
        return turns_as_recorded(state, fact)
    who = fact.event.combatant
    held = state.turns.in_hand.get(who)
    return (Boundary("turn resumed" if held and held.seq else "turn began", fact.seq, who),)


# ---------------------------------------------------------------- turns


@derives("turn.as-recorded", at="turn began")
def turn_begins(state: PlainState, turn: Boundary) -> None:
    """Begin a turn; one that its owner has put off is thereby taken up if it had not begun, else lost."""
    held = state.turns.in_hand.get(turn.who)
    if held and held.seq:
        lose_turn(state, turn.who, turn.seq)
    state.turns.in_hand.pop(turn.who, None)
    state.holding.discard(turn.who)
    begun = Turn(turn.who, state.clock.point, turn.seq)
    start(state.turns, begun)
    state.round.turns.append(begun)


@derives("turn.as-recorded", at="turn ended")
def turn_ends(state: PlainState, turn: Boundary) -> None:
    """End the turn of somebody; those who share a turn each end their own."""
    end(state.turns, turn.who, turn.seq)


@derives("turn.as-recorded", on=CombatantLeft)
def turn_goes_with_its_owner(state: PlainState, fact: Occurrence[CombatantLeft]) -> None:
    """Lose the turn that somebody who leaves has put off."""
    lose_turn(state, fact.event.combatant, fact.seq)


@derives("turn.own-acts", on=ActionHeld)
def action_is_held(state: PlainState, fact: Occurrence[ActionHeld]) -> None:
    """Let somebody hold an action until the next own turn, for a moment in another's."""
    state.holding.add(fact.event.combatant)


@derives("turn.own-acts", on=(ActionTaken, Moved))
def held_action_is_taken(state: PlainState, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> None:
    """Count an act outside the own turn as the action that somebody held."""
    if fact.event.combatant not in state.turns.running:
        state.holding.discard(fact.event.combatant)


@derives("turn.put-off", at="turn put off")
def turn_is_put_off(state: PlainState, turn: Boundary) -> None:
    """Keep the turn of somebody, as far as it has come, until it is taken up."""
    begun = state.turns.running.get(turn.who)
    if begun:
        state.round.turns.remove(begun)
    put_off(state.turns, begun or Turn(turn.who, state.clock.point, 0), turn.seq)


@derives("turn.put-off", at="turn resumed")
def turn_is_taken_up(state: PlainState, turn: Boundary) -> None:
    """Resume a turn that was put off, after those that have been had."""
    held = state.turns.in_hand[turn.who]
    take_up(state.turns, turn.who, turn.seq)
    held.point = state.clock.point
    state.round.turns.append(held)


@derives("turn.put-off")
def lose_turn(state: PlainState, who: str, seq: int) -> None:
    """Lose a turn that was put off; if it had begun, count what its end counts down."""
    lost = lose(state.turns, who, seq)
    if lost:
        state.round.turns.append(lost)
        if lost.seq:
            ticks(state, Boundary("turn ended", seq, who))


# ---------------------------------------------------------------- rounds


@derives("turn.put-off", at="round closed")
def what_was_put_off_is_lost(state: PlainState, closed: Boundary) -> None:
    """Lose the turns that are put off when their round closes."""
    for who in list(state.turns.in_hand):
        lose_turn(state, who, closed.seq)


@derives("round.as-recorded", at="round opened")
def round_is_new(state: PlainState, opened: Boundary) -> None:
    """Count down effects timed by rounds, if anybody had a turn in the round before."""
    before: PlainRound = state.last
    forgets_what_ran_out(state, before.opened)
    if before.turns:
        ticks_with_rounds(state, opened.seq)


@derives("turn.as-recorded", on=RulingMade)
def ruling_gives_the_turn(state: PlainState, fact: Occurrence[RulingMade]) -> None:
    """Open the round that a ruling names, and begin the turn that it gives; running turns of others end, and count."""
    clock = state.clock
    if clock.turn_event == fact.seq:
        for over in [Boundary("turn ended", fact.seq, who) for who in state.turns.running if who != clock.turn]:
            turn_ends(state, over)
            ticks(state, over)
    if clock.round_event == fact.seq:
        clock.open = True
        _carry_over(state)
    if clock.turn and clock.turn not in state.turns.running:
        clock.point = structs.replace(clock.point, turn=clock.point.turn + 1)
        turn = take_up(state.turns, clock.turn, fact.seq) or Turn(clock.turn, clock.point, fact.seq)
        turn.point = clock.point
        start(state.turns, turn)
        state.round.turns.append(turn)


def _carry_over(state: PlainState) -> None:
    """Keep only running turns for the new round; turns that are over and the acts of the old round are dropped."""
    now, old = state.clock.point.round, state.round
    if now != old.number:
        turns = [turn for turn in old.turns if turn.status == "begun"]
        for turn in (*turns, *state.turns.in_hand.values()):
            turn.point = structs.replace(turn.point, round=now)
        state.round = structs.replace(old, number=now, turns=turns, acts=[])
