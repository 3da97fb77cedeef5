"""Where somebody lies who is felled in the middle of a path: on the last square that it entered."""

from eventstore.events import DamageDealt, Moved, SaveRolled
from projections.mechanics.squares import left_squares
from projections.rulesets.definition_master.acts.acts import AOO, act_at
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.squares.ground import put, threatens
from projections.rulesets.definition_master.squares.provoking import answered, opening_of
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import derives


@derives("incapacitation.unconscious-in-square", on=(DamageDealt, SaveRolled))
def falls_on_its_way(state: MasterState, fact: Told) -> None:
    """Put whoever a strike at its move has felled on the square that it was leaving: as told, else as the striker threatens it."""
    event = fact.event
    act, who = act_at(state, fact.cause), event.target if isinstance(event, DamageDealt) else event.combatant
    if act is None or act.cost != AOO or state.combatants[who].status == "up":
        return
    opening = opening_of(state, act)
    move = state.moments.get(opening.seq) if opening and opening.who == who else None
    if opening is None or move is None or not isinstance(move.event, Moved) or state.combat.stood.get(who) != move.seq:
        return
    left = [each for each in left_squares(move.event.path) if threatens(state, act.who, each).value]
    struck = [act.action.square] if act.action.square else left[answered(state, act.who, opening) - 1 :]
    if struck and struck[0] in left_squares(move.event.path):
        put(state, who, struck[0], fact.seq)
