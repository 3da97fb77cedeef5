"""The move of the clock with an act that is typed: to the turn of its doer, if the act is paid there and the turn comes next."""

from eventstore.events import Fact, TurnEnded
from projections.folds.moves import STILL, in_any_turn, to_turn
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.acts.acts import ON_TURN, recorded_act
from projections.rulesets.definition_master.state import MasterState
from projections.scheduling.schedule import ClockMove

SPEECH = ("speak", "talk")


def moves(state: MasterState, fact: Occurrence[Fact]) -> ClockMove:
    """Begin the turn of the combatant who spends something of its own turn; an immediate action is in any, and speech may be."""
    event = fact.event
    if isinstance(event, TurnEnded):
        return to_turn(state, event.combatant)
    act = recorded_act(state, fact)
    if act is None or act.cost not in ON_TURN:
        return STILL
    return in_any_turn(state, act.combatant) if act.kind in SPEECH else to_turn(state, act.combatant)
