"""Drawing weapons: what may come later in the same turn decides, so the round is looked at once it is over."""

from collections.abc import Iterator

from eventstore.events import ActionTaken
from projections.rulesets.definition_master.acts.pricing import FREE
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.faults import Fault, checks_by


@checks_by("move-action.draw-weapon", "free.draw-while-moving", on=ActionTaken)
def drawing_is_free_only_while_moving(state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield a weapon that is drawn for nothing in a turn without a move, a step or a charge."""
    act = fact.act
    if act is None or act.kind != "draw" or act.cost != FREE or not act.own:
        return
    mine = (each for each in state.round.acts if each.who == act.who and each.own == act.own)
    if not any(each.kind in ("move", "step", "charge") for each in mine):
        rules = "move-action.draw-weapon", "free.draw-while-moving"
        yield Fault(rules, f"{act.who} draws and does not move", "a move action", "free")
