"""Hit points: sums of recorded damage; only a ruling puts a combatant out of the fight."""

from projections.because import Because, Derived
from projections.mechanics.pools import PoolRules
from projections.rulesets.vile_darkness.hit_dice import are_as_diced
from projections.rulesets.vile_darkness.state import VileState
from projections.state import Combatant

STATUSES = {"up": "in the fight", "out": "out of the fight by a ruling"}
HEALTH, AS_SAID = ("hitdice.hit-points",), ("log.joining",)
"""The rules of hit points: those of hit dice, or of a sheet that differs from its hit dice."""


def pools(_state: VileState, one: Combatant) -> PoolRules:
    """Return the rules of hit points: damage is subtracted, healing adds up to the maximum."""
    return PoolRules(cites={"hp": HEALTH if are_as_diced(one.sheet, one.hp_max) else AS_SAID})


def status(_state: VileState, one: Combatant) -> Derived[str]:
    """Return the status `up`: the text has no state at 0 hit points, so only a ruling sets another one."""
    return Derived("up", Because(HEALTH, (one.joined,)))
