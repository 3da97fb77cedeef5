"""Hit points: damage comes off, healing goes back on, and 0 or less is down."""

from projections.because import Derived
from projections.mechanics.pools import HP, PoolRules, hit_points, level
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.state import SemiautomagicState
from projections.state import Combatant

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less", "out": "out by the GM's word"}


@derives("health.damage")
def pools(state: SemiautomagicState, _one: Combatant) -> PoolRules:
    """Return the rules of the pools, by the options on floor and maximum."""
    return hit_points(pools.rules, state.option("hp-floor"), state.option("healing-cap"))


@derives("health.damage")
def status(_state: SemiautomagicState, one: Combatant) -> Derived[str]:
    """Return whether a combatant is up or down."""
    down = level(one.pools[HP], 0, status.rules)
    return Derived("down" if down.value else "up", down.because)


def is_out(one: Combatant) -> bool:
    """Say whether somebody's place may be passed over: it has left, is at 0 hit points or less, or is ruled out."""
    return bool(one.left) or one.status != "up"
