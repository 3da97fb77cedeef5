"""Drawing weapons: what may come later in the same turn decides, so the round is looked at once it is over."""

from eventstore.events import ActionTaken
from projections.rulesets.definition_master.actions import Acts
from projections.rulesets.definition_master.pricing import FREE
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_turns import Act
from projections.rulesets.ruleset import Breach, check


def _draws_free(act: Acts) -> Act | None:
    told = act.act
    return told if told and told.kind == "draw" and told.cost == FREE and told.own else None


def _has_moved(act: Acts, told: Act) -> bool:
    """Say whether whoever draws moves, steps or charges in the same turn."""
    mine = (each for each in act.state.round.acts if each.who == told.who and each.own == told.own)
    return any(each.kind in ("move", "step", "charge") for each in mine)


@check("move-action.draw-weapon", on=ActionTaken)
def drawing_while_standing_costs_a_move_action(_state: MasterState, act: Acts) -> Breach | None:
    """Report a weapon drawn for nothing in a turn without a move."""
    return _standing(act)


@check("free.draw-while-moving", on=ActionTaken)
def drawing_is_free_only_while_moving(_state: MasterState, act: Acts) -> Breach | None:
    """Report what is not drawn in the course of a move."""
    return _standing(act)


def _standing(act: Acts) -> Breach | None:
    told = _draws_free(act)
    if told is None or _has_moved(act, told):
        return None
    return Breach(f"{told.who} draws and does not move", "a move action", "free", once=("draw", told.who, told.seq))
