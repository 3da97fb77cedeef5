"""The purse: a blow takes coins, never more than there are; whoever has none is broke."""

from coin_duel.state import CoinState
from eventstore.events import DamageDealt, Fact, Healed
from projections.rulesets.ruleset import derives
from projections.state import NO_LOSS, Because, Combatant, Loss

STATUSES = {"up": "in the duel", "broke": "without a coin"}


@derives("purse.coins")
def loss(_state: CoinState, one: Combatant, event: Fact) -> Loss:
    """Return the coins that a blow takes, or those that are given back."""
    if not isinstance(event, DamageDealt | Healed) or event.amount < 0 or one.hp is None:
        return NO_LOSS
    return Loss(hp=-event.amount if isinstance(event, Healed) else min(event.amount, one.hp))


@derives("purse.broke")
def status(_state: CoinState, one: Combatant) -> tuple[str, Because]:
    """Return whether somebody has a coin left, because of what last changed the purse."""
    return ("broke" if not one.hp else "up"), Because(status.rules, tuple(one.hp_events[-1:]))
