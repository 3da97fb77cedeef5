"""Turns and rounds as they were recorded, and what their beginnings and ends count down."""

from typing import Any

from msgspec import structs

from eventstore.events import (
    CombatantLeft,
    RoundEnded,
    RoundStarted,
    RulingMade,
    TimePassed,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStarted,
)
from projections.occurrence import Occurrence
from projections.rulesets.plain.effects import forgets_what_ran_out, passes, ticks, ticks_with_rounds
from projections.rulesets.plain.sheet import CALENDAR
from projections.rulesets.plain.state import PlainState, Turn
from projections.rulesets.ruleset import derives
from projections.rulesets.schedule import as_recorded, turns_as_recorded
from projections.time import Boundary


@derives("turn.as-recorded", "round.as-recorded")
def meets(state: PlainState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries that a fact crosses; with the first turn of all round 1 opens where nobody said so."""
    event, clock = fact.event, state.clock
    if isinstance(event, TurnStarted | TurnResumed):
        first = not clock.round and not clock.round_event
        opening = (Boundary("round opened", fact.seq, number=1),) if first else ()
        if isinstance(event, TurnResumed):
            return (*opening, Boundary("turn resumed", fact.seq, event.combatant))
        return (*opening, *turns_as_recorded(state, fact))
    if isinstance(event, TurnDelayed | CombatantLeft):
        return (Boundary("turn ended", fact.seq, event.combatant),)
    return as_recorded(state, fact)


@derives("round.as-recorded", on=RoundStarted)
def round_is_new(state: PlainState, fact: Occurrence[RoundStarted]) -> None:
    """End the turn that is open and those put off, and forget the turns and acts of the round before."""
    forgets_what_ran_out(state, min((turn.seq for turn in state.turns if turn.seq), default=0))
    end_turn(state, fact.seq)
    lose_turns(state, fact.seq)
    if state.turns:
        ticks_with_rounds(state, fact.seq)
    state.turns.clear()
    state.acts.clear()


@derives("turn.as-recorded", on=RoundEnded)
def turn_ends_with_the_round(state: PlainState, fact: Occurrence[RoundEnded]) -> None:
    """End the turn that is open, and those put off, as the round is said to be over."""
    end_turn(state, fact.seq)
    lose_turns(state, fact.seq)
    state.clock.turn, state.clock.together = "", ()


@derives("turn.as-recorded", "round.as-recorded", on=TurnStarted)
def turn_begins(state: PlainState, fact: Occurrence[TurnStarted]) -> None:
    """End the turn before, begin this one, and with the first of all round 1 where nobody said so."""
    clock, event = state.clock, fact.event
    for turn in state.turns:
        if not turn.point.round:
            turn.point = structs.replace(turn.point, round=clock.round)
    end_turn(state, fact.seq)
    members = tuple(dict.fromkeys((event.combatant, *event.together)))
    lose_turns(state, fact.seq, members)
    state.turns.append(Turn(members, clock.point, fact.seq))
    ticks(state, members, "start", fact.seq)


@derives("turn.as-recorded", on=TurnEnded)
def turn_ends(state: PlainState, fact: Occurrence[TurnEnded]) -> None:
    """End the turn of this combatant; of those who have it together, each ends its own."""
    end_turn(state, fact.seq, fact.event.combatant)


@derives("turn.as-recorded", on=CombatantLeft)
def turn_goes_with_its_owner(state: PlainState, fact: Occurrence[CombatantLeft]) -> None:
    """End the turn of whoever leaves; it passes to those who have it together."""
    end_turn(state, fact.seq, fact.event.combatant)
    lose_turns(state, fact.seq, (fact.event.combatant,))


@derives("turn.put-off", on=TurnDelayed)
def turn_is_put_off(state: PlainState, fact: Occurrence[TurnDelayed]) -> None:
    """Keep the turn of this combatant, as far as it has come, until it is taken up; it is nobody's or its partners' now."""
    who = fact.event.combatant
    if held_turn(state, who):
        return
    turn = open_turn(state, who)
    put_off = Turn((who,), state.clock.point, 0, held=fact.seq)
    if turn:
        put_off.point, put_off.seq = turn.point, turn.seq
        _split(state, turn, who, fact.seq)
    state.turns.append(put_off)


def _split(state: PlainState, turn: Turn, who: str, seq: int) -> None:
    """Take a member out of a turn, which is over for the others if they are through with it."""
    turn.members = tuple(one for one in turn.members if one != who)
    if not turn.members:
        state.turns.remove(turn)
    elif all(one in turn.through for one in turn.members):
        turn.ended = seq


@derives("turn.put-off", on=TurnResumed)
def turn_is_taken_up(state: PlainState, fact: Occurrence[TurnResumed]) -> None:
    """Let a turn that was put off go on, as the turn now; one that had not begun begins."""
    held = held_turn(state, fact.event.combatant)
    begins = Occurrence(fact.seq, fact.line, TurnStarted(combatant=fact.event.combatant), fact.point)
    if held and held.seq:
        end_turn(state, fact.seq)
        _go_on(state, held, fact.seq)
        return
    if held:
        state.turns.remove(held)
    turn_begins(state, begins)


def _go_on(state: PlainState, turn: Turn, seq: int) -> None:
    """Put a turn that was put off behind those that have been, as the one that goes on now."""
    state.turns.remove(turn)
    turn.resumed, turn.point = seq, state.clock.point
    state.turns.append(turn)


def held_turn(state: PlainState, who: str) -> Turn | None:
    """Return the turn that somebody has put off."""
    return next((turn for turn in state.turns if turn.is_held and not turn.ended and who in turn.members), None)


@derives("turn.as-recorded", on=RulingMade)
def ruling_gives_the_turn(state: PlainState, fact: Occurrence[RulingMade]) -> None:
    """Open the round that a ruling names, and put the turn that it gives into it; a ruling counts nothing down."""
    clock, values = state.clock, fact.event.values or {}
    if fact.event.ruling != "override" or fact.seq not in clock.events:
        return
    if "round" in values:
        clock.open = True
        _carry_over(state)
    if clock.turn and not open_turn(state, clock.turn):
        clock.point = structs.replace(clock.point, turn=clock.point.turn + 1)
        held = held_turn(state, clock.turn)
        if held:
            _go_on(state, held, fact.seq)
        else:
            state.turns.append(Turn((clock.turn,), clock.point, fact.seq))


def _carry_over(state: PlainState) -> None:
    """Take the turn that goes on, and those put off, into the round that it is now; the acts of another are forgotten."""
    clock = state.clock
    state.acts = [act for act in state.acts if act.point.round == clock.point.round]
    for turn in state.turns:
        if not turn.ended and (turn.is_held or clock.turn in turn.members):
            turn.point = structs.replace(turn.point, round=clock.point.round)


@derives("effect.runs-out", on=TimePassed)
def time_passes(state: PlainState, fact: Occurrence[TimePassed]) -> None:
    """Count the rounds down that go by without facts; a part of one counts nothing."""
    length = CALENDAR.length(fact.event.time)
    if length and length.unit in CALENDAR.seconds:
        passes(state, length.amount * CALENDAR.seconds[length.unit] // CALENDAR.seconds["round"], fact.seq)


def open_turn(state: PlainState, who: str) -> Turn | None:
    """Return the turn that somebody has and is not through with."""
    return next((turn for turn in _running(state) if who in turn.members and who not in turn.through), None)


def _running(state: PlainState) -> list[Turn]:
    return [turn for turn in state.turns if not turn.ended and not turn.is_held]


def end_turn(state: PlainState, seq: int, who: str | None = None) -> None:
    """End the turn that is open, for one of its members or for all who are not through with it."""
    for turn in _running(state):
        through = tuple(one for one in turn.members if one not in turn.through and who in (None, one))
        turn.through += through
        if len(turn.through) == len(turn.members):
            turn.ended = seq
        if through:
            ticks(state, through, "end", seq)


@derives("turn.put-off")
def lose_turns(state: PlainState, seq: int, owners: tuple[str, ...] | None = None) -> None:
    """Let the turns that these have put off (None: all) be lost, with what is counted as they end if they had begun."""
    for turn in state.turns:
        if turn.is_held and not turn.ended and (owners is None or turn.members[0] in owners):
            turn.ended = seq
            if turn.seq:
                ticks(state, turn.members, "end", seq)
