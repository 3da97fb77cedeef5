"""Turns and rounds as they were recorded, and what their beginnings and ends count down."""

from msgspec import structs

from eventstore.events import CombatantLeft, RoundEnded, RoundStarted, TimePassed, TurnEnded, TurnStarted
from projections.clock import pass_turn
from projections.rulesets.plain.effects import passes, ticks, ticks_with_rounds
from projections.rulesets.plain.sheet import CALENDAR
from projections.rulesets.plain.state import PlainState, Turn
from projections.rulesets.ruleset import derives
from projections.state import Told


@derives("round.as-recorded", on=RoundStarted)
def round_is_new(state: PlainState, told: Told[RoundStarted]) -> None:
    """End the turn that is open, and forget the turns and acts of the round before."""
    end_turn(state, told.seq)
    if state.turns:
        ticks_with_rounds(state, told.seq)
    state.turns.clear()
    state.acts.clear()


@derives("turn.as-recorded", on=RoundEnded)
def turn_ends_with_the_round(state: PlainState, told: Told[RoundEnded]) -> None:
    """End the turn that is open as the round is said to be over."""
    end_turn(state, told.seq)
    state.clock.turn, state.clock.together = "", ()


@derives("turn.as-recorded", "round.as-recorded", on=TurnStarted)
def turn_begins(state: PlainState, told: Told[TurnStarted]) -> None:
    """End the turn before, begin this one, and with the first of all round 1 where nobody said so."""
    clock, event = state.clock, told.event
    if not clock.round and not clock.round_event:
        clock.round, clock.point, clock.open = 1, structs.replace(clock.point, round=1), True
    end_turn(state, told.seq)
    members = tuple(dict.fromkeys((event.combatant, *event.together)))
    state.turns.append(Turn(members, clock.point, told.seq))
    ticks(state, members, "start", told.seq)


@derives("turn.as-recorded", on=TurnEnded)
def turn_ends(state: PlainState, told: Told[TurnEnded]) -> None:
    """End the turn of this combatant; of those who have it together, each ends its own."""
    end_turn(state, told.seq, told.event.combatant)


@derives("turn.as-recorded", on=CombatantLeft)
def turn_goes_with_its_owner(state: PlainState, told: Told[CombatantLeft]) -> None:
    """End the turn of whoever leaves; it passes to those who have it together."""
    pass_turn(state, told.event.combatant, told)
    end_turn(state, told.seq, told.event.combatant)


@derives("effect.runs-out", on=TimePassed)
def time_passes(state: PlainState, told: Told[TimePassed]) -> None:
    """Count the rounds down that go by without facts; a part of one counts nothing."""
    length = CALENDAR.length(told.event.time)
    if length and length.unit in CALENDAR.seconds:
        passes(state, length.amount * CALENDAR.seconds[length.unit] // CALENDAR.seconds["round"], told.seq)


def end_turn(state: PlainState, seq: int, who: str | None = None) -> None:
    """End the turn that is open, for one of its members or for all who are not through with it."""
    turn = state.turns[-1] if state.turns else None
    if turn is None or turn.ended:
        return
    through = tuple(one for one in turn.members if one not in turn.through and who in (None, one))
    turn.through += through
    if len(turn.through) == len(turn.members):
        turn.ended = seq
    if through:
        ticks(state, through, "end", seq)
