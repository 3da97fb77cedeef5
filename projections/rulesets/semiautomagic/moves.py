"""How the clock moves with an act that is typed: to the turn of its doer, if that comes next."""

from eventstore.events import ActionTaken, Fact, Moved, TurnDelayed, TurnEnded
from projections.folds.moves import STILL, in_any_turn, to_turn
from projections.occurrence import Occurrence
from projections.rulesets.semiautomagic.sheet import cost, takes_seconds
from projections.rulesets.semiautomagic.state import SemiautomagicState
from projections.scheduling.schedule import ClockMove


def moves(state: SemiautomagicState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to the turn of the acting combatant; by option, an act that takes no time needs none."""
    match fact.event:
        case ActionTaken(combatant=who, action=action):
            timed = takes_seconds(cost(state, who, action)) or state.option("zero-second-off-turn") != "allowed"
            return to_turn(state, who) if timed else in_any_turn(state, who)
        case Moved(forced=None | False, combatant=who) | TurnDelayed(combatant=who) | TurnEnded(combatant=who):
            return to_turn(state, who)
    return STILL
