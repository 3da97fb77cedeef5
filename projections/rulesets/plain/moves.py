"""How the clock moves with an act that is typed: to the turn of its doer, if that comes next."""

from typing import Any

from eventstore.events import ActionHeld, ActionTaken, Moved, TurnEnded
from projections.folds.moves import STILL, to_turn
from projections.occurrence import Occurrence
from projections.rulesets.plain.state import PlainState
from projections.scheduling.schedule import Move


def moves(state: PlainState, fact: Occurrence[Any]) -> Move:
    """Begin the turn of whoever acts; what answers another act, or has a cost of its own, may be in any turn."""
    if not state.rules.schedule.names(state) and not state.clock.turn_event:
        return STILL  # a fight without turns
    match fact.event:
        case ActionTaken(trigger=None, action=action) if not action.cost:
            return to_turn(state, fact.event.combatant)
        case Moved(forced=None | False, cost=None) | ActionHeld() | TurnEnded():
            return to_turn(state, fact.event.combatant)
    return STILL
