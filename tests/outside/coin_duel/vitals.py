"""The purse: a blow takes coins, never more than there are; whoever has none is broke."""

from coin_duel.state import CoinState
from projections.because import Derived
from projections.fight import Combatant
from projections.mechanics.pools import HP, PoolRules, is_at_or_below
from projections.ruleset.ruleset import derives

STATUSES = {"up": "in the duel", "broke": "without a coin"}


@derives("purse.coins")
def pools(_state: CoinState, _one: Combatant) -> PoolRules:
    """Return how coins are reckoned: never below none, and as many as one is given."""
    return PoolRules(floor=0, capped=False, cites={HP: pools.rules})


@derives("purse.broke")
def status(_state: CoinState, one: Combatant) -> Derived[str]:
    """Return whether somebody has a coin left."""
    broke = is_at_or_below(one.pools[HP], 0, status.rules)
    return Derived("broke" if broke.value else "up", broke.because)
