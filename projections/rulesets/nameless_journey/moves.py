"""How the clock moves with an act that is typed: to the turn of its doer, if it is paid there, and that comes next."""

from eventstore.events import ActionTaken, Fact, Moved, TurnEnded
from projections.folds.moves import STILL, in_any_turn, to_turn
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.budget import ON_TURN, REACTION, cost_of
from projections.rulesets.nameless_journey.movement import is_exempt
from projections.rulesets.nameless_journey.state import NamelessState
from projections.scheduling.schedule import ClockMove


def moves(state: NamelessState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to the turn of a combatant who spends a resource of its own turn; a Reaction needs no move."""
    match fact.event:
        case ActionTaken(combatant=who) as event:
            cost = cost_of(state.combatants[who], event)
            return to_turn(state, who) if cost in ON_TURN else STILL if cost == REACTION else in_any_turn(state, who)
        case Moved(combatant=who) as event:
            return STILL if is_exempt(state, event, fact.cause) else to_turn(state, who)
        case TurnEnded(combatant=who):
            return to_turn(state, who)
    return STILL
