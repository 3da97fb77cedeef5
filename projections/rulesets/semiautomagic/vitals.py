"""Hit points: damage comes off, healing goes back on, and at 0 or less a combatant is down, which makes it out."""

from eventstore.events import DamageDealt, Fact, Healed
from projections.rulesets.ruleset import derives
from projections.rulesets.semiautomagic.state import SemiautomagicState
from projections.state import NO_LOSS, Because, Combatant, Loss

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less", "out": "out by the GM's word"}


@derives("health.damage")
def loss(state: SemiautomagicState, one: Combatant, event: Fact) -> Loss:
    """Return what damage takes or healing gives: stopped at 0 and at the maximum as the options say."""
    if not isinstance(event, DamageDealt | Healed) or event.amount < 0 or one.hp is None:
        return NO_LOSS
    if isinstance(event, DamageDealt):
        floored = state.option("hp-floor") == "zero"
        return Loss(hp=min(event.amount, max(0, one.hp)) if floored else event.amount)
    capped = state.option("healing-cap") != "none" and one.hp_max is not None
    return Loss(hp=-max(0, min(event.amount, (one.hp_max or 0) - one.hp) if capped else event.amount))


@derives("health.damage")
def status(_state: SemiautomagicState, one: Combatant) -> tuple[str, Because]:
    """Return whether a combatant is up or down, because of everything that touched its hit points."""
    down = one.hp is not None and one.hp <= 0
    return ("down" if down else "up"), Because(status.rules, tuple(one.hp_events))


def is_out(one: Combatant | None) -> bool:
    """Say whether somebody has left, is at 0 hit points or less, or is out by a ruling: its place may be passed over."""
    return one is None or bool(one.left) or one.status != "up"
