"""The move of the clock with a typed act or turn: to the turn of the acting combatant, if that comes next, and to its
round.
"""

from eventstore.events import ActionHeld, ActionTaken, Fact, Moved, TurnEnded, TurnStarted
from projections.folds.moves import STILL, in_its_round, opening, to_turn
from projections.occurrence import Occurrence
from projections.rulesets.plain.state import PlainState
from projections.scheduling.schedule import ClockMove


def moves(state: PlainState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to the turn of the acting combatant; an answer, or an act with a cost of its own, needs none."""
    if not state.rules.schedule.names(state) and not state.clock.turn_event:
        return STILL  # a fight without turns
    match fact.event:
        case ActionTaken(trigger=None, action=action) if not action.cost:
            return in_its_round(state, to_turn(state, fact.event.combatant))
        case Moved(forced=None | False, cost=None) | ActionHeld() | TurnEnded():
            return in_its_round(state, to_turn(state, fact.event.combatant))
        case TurnStarted(combatant=who):
            return ClockMove(opening(state, who))
    return STILL
