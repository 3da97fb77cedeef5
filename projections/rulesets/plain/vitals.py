"""Pools: damage takes temporary points first, healing stops at the maximum, 0 hit points is down."""

from projections.because import Derived
from projections.fight import Combatant
from projections.mechanics.pools import HP, NLD, TEMP, PoolRules, pool_status
from projections.ruleset.ruleset import derives
from projections.rulesets.plain.state import PlainState

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less"}


@derives("pool.damage-subtracts", "pool.healing-adds", "pool.temporary", "pool.nonlethal-beside")
def pool_rules(state: PlainState, one: Combatant) -> PoolRules:
    """Return the rules of the pools: temporary points by option, non-lethal damage in a separate pool."""
    return PoolRules(
        floor=one.sheet.hp_floor,
        temporary=state.option("temporary-points"),
        nonlethal=True,
        cites={
            HP: ("pool.damage-subtracts", "pool.healing-adds"),
            TEMP: ("pool.temporary",),
            NLD: ("pool.nonlethal-beside",),
        },
        temp_option="temporary-points",
    )


@derives("status.down-at-zero")
def status(_state: PlainState, one: Combatant) -> Derived[str]:
    """Return whether a combatant is up or down."""
    return pool_status(one.pools[HP], 0, "down", status.rules)
