"""Hit points: plain subtraction, and out of action at so many or fewer."""

from eventstore.events import DamageDealt, Fact, Healed
from projections.rulesets.osric.state import OsricState
from projections.rulesets.ruleset import derives
from projections.state import NO_LOSS, Because, Combatant, Loss

STATUSES = {"up": "in the fight", "out": "out of action"}


@derives("health.hit-points")
def loss(_state: OsricState, one: Combatant, event: Fact) -> Loss:
    """Return what a blow or healing does: damage is taken off whole, healing adds up to the maximum."""
    if isinstance(event, DamageDealt) and event.amount > 0:
        return Loss(hp=event.amount)
    if isinstance(event, Healed) and event.amount > 0 and one.hp is not None:
        top = one.hp_max if one.hp_max is not None else one.hp + event.amount
        return Loss(hp=-max(0, min(event.amount, top - one.hp)))
    return NO_LOSS


@derives("health.out-of-action")
def status(state: OsricState, one: Combatant) -> tuple[str, Because]:
    """Return whether a combatant is up or out of action, by the option's number of hit points."""
    limit = state.option("out-of-action-at")
    out = limit != "ruling" and one.hp is not None and one.hp <= int(limit)
    because = Because(status.rules, tuple(one.hp_events[-1:]), {"out-of-action-at": limit})
    return ("out" if out else "up"), because
