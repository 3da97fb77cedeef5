"""The end of unconsciousness above 0 hit points."""

from __future__ import annotations

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    EffectEnded,
    EffectStarted,
    Fact,
    SaveRolled,
    TimePassed,
)
from projections.folds.vitals import update_status
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.time import Boundary


@derives(
    "unconscious.falls",
    on=(
        ActionTaken, ActionHeld, CombatantLeft, ConditionGained, ConditionLost, DamageDealt, EffectEnded, EffectStarted,
        SaveRolled, TimePassed,
    ),
    at=("turn began", "turn resumed", "turn ended", "place passed", "round closed", "round opened"),
)  # fmt: skip
def sleepers_wake(state: FifthState, _fact: Occurrence[Fact] | Boundary) -> None:
    """Derive the status of an unconscious combatant again, as its unconsciousness may have run out or ended."""
    for one in state.combatants.values():
        if one.status == "unconscious":
            update_status(state, one)
