"""Hit points: plain subtraction, and out of action at so many or fewer."""

from projections.because import Derived
from projections.mechanics.pools import HP, PoolRules, level
from projections.rulesets.osric.state import OsricState
from projections.rulesets.ruleset import derives
from projections.state import Combatant

STATUSES = {"up": "in the fight", "out": "out of action"}


@derives("health.hit-points")
def pools(_state: OsricState, _one: Combatant) -> PoolRules:
    """Return how hit points are reckoned: damage is taken off whole, healing adds up to the maximum."""
    return PoolRules(cites={HP: pools.rules})


@derives("health.out-of-action")
def status(state: OsricState, one: Combatant) -> Derived[str]:
    """Return whether a combatant is up or out of action, by the option's number of hit points."""
    chosen = state.chosen("out-of-action-at")
    limit = chosen["out-of-action-at"]
    out = level(one.pools[HP], -(1 << 62) if limit == "ruling" else int(limit), status.rules, chosen)
    return Derived("out" if out.value else "up", out.because)
