"""Where a combatant lies who is felled in the middle of a path: on the last square that it entered."""

from eventstore.events import DamageDealt, SaveRolled
from projections.because import Because
from projections.rulesets.definition_master.acts.acts import AOO, HELD, act_at
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.squares.ground import put, threat
from projections.rulesets.definition_master.squares.provoking import opening_of, strikes_before
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import derives
from projections.stream.causes import causes


@derives("incapacitation.unconscious-in-square", on=(DamageDealt, SaveRolled))
def falls_on_its_way(state: MasterState, fact: Reading) -> None:
    """Put a combatant whom a strike at its move has felled on the square that it was leaving, as recorded or as the striker threatens it.

    A held strike without a square met it on the first square in reach, unless the move ends there. If it is unknown whether the strike
    felled it, its square is unknown, too.
    """
    event = fact.event
    act, who = act_at(state, fact.cause), event.target if isinstance(event, DamageDealt) else event.combatant
    if act is None and who in state.combat.squares and _may_be_of_a_strike(state, fact, who):
        del state.combat.squares[who]
    if act is None or act.cost not in (AOO, HELD) or state.combatants[who].status == "up":
        return
    opening = opening_of(state, act)
    if opening is None or (opening.who, opening.seq) != (who, state.combat.stood.get(who)):
        return
    left = [each for each in opening.left if threat(state, act.combatant).over((each,)).value]
    if act.cost == HELD:
        left = [] if threat(state, act.combatant).over((state.combat.squares[who],)).value else left
    else:
        left = left[len(strikes_before(state, act.combatant, opening)) - 1 :]
    struck = [act.action.square] if act.action.square else left
    if struck and struck[0] in opening.left:
        put(state, who, struck[0], fact.seq)
        reasons = state.combatants[who].standing, threat(state, act.combatant).over(opening.left)
        state.combat.felled[fact.seq] = Because((), (opening.seq, act.seq), of=reasons)


def _may_be_of_a_strike(state: MasterState, fact: Reading, who: str) -> bool:
    """Say whether a combatant was felled by a fact without a known cause, after strikes at its last move."""
    *_, first = fact.fact, *causes(state, fact.cause)
    way = state.combat.openings.get(state.combat.stood[who])
    may_have_fallen = state.combatants[who].status != "up" or state.health.of(who).undecided == fact.seq
    unknown = isinstance(first.event, DamageDealt | SaveRolled) and may_have_fallen
    return unknown and way is not None and any(strikes_before(state, each, way) for each in state.combatants)
