"""How the clock moves with an act or a turn that is typed: to the turn of its doer, if that comes next, and to its round."""

from typing import Any

from msgspec import structs

from eventstore.events import ActionHeld, ActionTaken, Fact, Moved, RoundStarted, TurnEnded, TurnStarted
from projections.folds.moves import STILL, next_up, to_turn
from projections.folds.order import who_is_due
from projections.occurrence import Occurrence
from projections.rulesets.plain.state import PlainState
from projections.scheduling.schedule import ClockMove


def moves(state: PlainState, fact: Occurrence[Any]) -> ClockMove:
    """Begin the turn of whoever acts, and a round with its first turn; what answers another act, or has a cost of its own, may be in any turn."""
    if not state.rules.schedule.names(state) and not state.clock.turn_event:
        return STILL  # a fight without turns
    match fact.event:
        case ActionTaken(trigger=None, action=action) if not action.cost:
            return _in_its_round(state, to_turn(state, fact.event.combatant))
        case Moved(forced=None | False, cost=None) | ActionHeld() | TurnEnded():
            return _in_its_round(state, to_turn(state, fact.event.combatant))
        case TurnStarted(combatant=who) if who == next_up(state):
            return ClockMove(_next_round(state))
    return STILL


def _in_its_round(state: PlainState, move: ClockMove) -> ClockMove:
    """Return a move that begins a turn, after the beginning of the round if the turn is the first of one."""
    return structs.replace(move, facts=(*_next_round(state), *move.facts)) if move.facts else move


def _next_round(state: PlainState) -> tuple[Fact, ...]:
    """Return the beginning of the next round, where rounds are recorded and nobody is due any more in the one that is open."""
    clock = state.clock
    over = clock.open and clock.round and not who_is_due(state).value
    return (RoundStarted(round=clock.round + 1),) if over else ()
