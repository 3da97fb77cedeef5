"""What shows only later of health: massive hits that nobody saved against."""

from typing import Any

from eventstore.events import DamageDealt
from projections.rulesets.definition_master.health.massive import unsaved
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import Breach, check


@check("massive.half-maximum", on=DamageDealt)
def massive_damage_is_saved_against(state: MasterState, fact: Reading[Any]) -> Breach | None:
    """Report late a massive hit that nobody saved against before the next thing was done."""
    hit = state.round.hits.get(fact.seq)
    return unsaved(state, hit) if hit and hit.next else None
