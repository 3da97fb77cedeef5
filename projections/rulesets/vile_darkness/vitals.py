"""Hit points: plain sums of recorded damage; only a ruling puts somebody out of the fight."""

from projections.because import Because, Derived
from projections.mechanics.pools import PoolRules
from projections.rulesets.vile_darkness.hit_dice import are_as_diced
from projections.rulesets.vile_darkness.state import VileState
from projections.state import Combatant

STATUSES = {"up": "in the fight", "out": "out of the fight by a ruling"}
HEALTH, AS_SAID = ("hitdice.hit-points",), ("log.joining",)
"""The rules behind hit points: those of hit dice, or of a sheet that says something else than its hit dice come to."""


def pools(_state: VileState, one: Combatant) -> PoolRules:
    """Return how hit points are reckoned: damage is taken off, healing adds up to the maximum."""
    return PoolRules(cites={"hp": HEALTH if are_as_diced(one.sheet, one.hp_max) else AS_SAID})


def status(_state: VileState, one: Combatant) -> Derived[str]:
    """Return that somebody is in the fight: the text knows no state at 0 hit points, so only a ruling says otherwise."""
    return Derived("up", Because(HEALTH, (one.joined,)))
