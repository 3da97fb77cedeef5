"""The move of the clock with an act that is typed: forward to the act's turn, segment or slot, or none."""

from collections.abc import Iterable

from msgspec import structs

from eventstore.events import Fact, PhaseReached, RoundStarted, SegmentReached, TurnResumed, TurnStarted
from projections.folds.order import names_in_order, who_is_due
from projections.ruleset.schedule import ClockMove
from projections.state import State

STILL = ClockMove()
"""No move, and nothing to explain."""


def next_up(state: State) -> str | None:
    """Return whose turn comes next: the first who is due, else, between rounds, the first of the order who has turns."""
    due = who_is_due(state).value
    if due or state.closed:
        return due[0] if due else None
    out = state.rules.schedule.out(state)
    return next((who for group in names_in_order(state) for who in group if not out(who)), None)


def move_to_turn(state: State, who: str) -> ClockMove:
    """Take up the turn that the combatant who acts has put off, or begin its turn, if that comes next."""
    if state.clock.is_turn_of(who):
        return STILL
    if who in state.turns.in_hand:
        return ClockMove((TurnResumed(combatant=who),))
    first = next_up(state)
    if first == who:
        return ClockMove((TurnStarted(combatant=who),))
    known = f"{first} is next" if first else "nothing says who is next"
    return ClockMove(stays=f"{known}; t {who} begins {who}'s turn")


def with_round_opening(state: State, move: ClockMove) -> ClockMove:
    """Return a move that begins a turn, after the beginning of the round if the turn is the first of one."""
    return structs.replace(move, facts=(*next_round_opening(state), *move.facts)) if move.facts else move


def round_opening(state: State, who: str) -> tuple[Fact, ...]:
    """Return the beginning of the round that a turn opens, where rounds are recorded: a turn that comes next, or any
    turn after a round was recorded as over.
    """
    return next_round_opening(state) if who == next_up(state) or not state.clock.open else ()


def next_round_opening(state: State) -> tuple[Fact, ...]:
    """Return the beginning of the next round, where rounds are recorded and nobody is due in the last one: it was
    recorded as over, or all have had their turns.
    """
    clock = state.clock
    over = clock.round and not who_is_due(state).value
    return (RoundStarted(round=clock.round + 1),) if over else ()


def stay_in_turn(state: State, who: str) -> ClockMove:
    """Leave the clock alone for an act that is possible in any turn."""
    if state.clock.is_turn_of(who):
        return STILL
    return ClockMove(stays=f"this may be in any turn; t {who} begins {who}'s turn")


def stay_between_rounds(state: State) -> ClockMove:
    """Leave the clock alone between rounds."""
    return ClockMove(stays="no round is open; r begins one") if state.clock.round else STILL


def move_to_segment(state: State, who: str, segment: int, reached: int = 0) -> ClockMove:
    """Go to the segment of an act, if it is still to come; a later segment with records (`reached`) has come."""
    now = state.clock.point.segment
    latest = max(now, reached)
    if segment < latest:
        return ClockMove(stays=f"it is segment {latest}, and that of {who} was {segment}")
    return ClockMove((SegmentReached(segment=segment),)) if segment > now else STILL


def move_to_slot(state: State, who: str, slot: str, reached: Iterable[str] = ()) -> ClockMove:
    """Go to the slot of an act, if it is still to come; slots with records (`reached`) have come."""
    names, now = state.rules.schedule.phases(state), state.clock.phase
    latest = max((each for each in (now, *reached) if each in names), key=names.index, default=slot)
    if names.index(slot) < names.index(latest):
        return ClockMove(stays=f"it is {latest}, and the slot of {who} was {slot}")
    return ClockMove((PhaseReached(phase=slot),)) if slot != now else STILL
