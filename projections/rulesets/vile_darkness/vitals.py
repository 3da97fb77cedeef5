"""Hit points: plain sums of recorded damage; only a ruling puts somebody out of the fight."""

from projections.because import Because, Derived
from projections.mechanics.pools import PoolRules
from projections.rulesets.vile_darkness.state import VileState
from projections.state import Combatant

STATUSES = {"up": "in the fight", "out": "out of the fight by a ruling"}
HEALTH = ("hitdice.hit-points",)


def pools(_state: VileState, _one: Combatant) -> PoolRules:
    """Return how hit points are reckoned: damage is taken off, healing adds up to the maximum."""
    return PoolRules(cites={"hp": HEALTH})


def status(_state: VileState, one: Combatant) -> Derived[str]:
    """Return that somebody is in the fight: the text knows no state at 0 hit points, so only a ruling says otherwise."""
    return Derived("up", Because(HEALTH, (one.joined,)))
