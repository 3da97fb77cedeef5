"""Hit points: damage comes off, healing goes back on, and 0 or less is down."""

from eventstore.events import DamageDealt, Fact, Healed
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.ruleset import derives
from projections.state import NO_LOSS, Because, Combatant, Loss

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less", "out": "out by ruling"}


@derives("health.damage")
def loss(state: NamelessState, one: Combatant, event: Fact) -> Loss:
    """Return what damage takes from the hit points, or healing gives back, by the options on floor and maximum."""
    if one.hp is None or not isinstance(event, DamageDealt | Healed) or event.amount <= 0:
        return NO_LOSS
    if isinstance(event, DamageDealt):
        room = max(0, one.hp) if state.option("hp-floor") == "zero" else event.amount
        return Loss(hp=min(event.amount, room))
    if one.hp_max is None or state.option("healing-cap") == "none":
        return Loss(hp=-event.amount)
    return Loss(hp=-max(0, min(event.amount, one.hp_max - one.hp)))


@derives("health.damage")
def status(state: NamelessState, one: Combatant) -> tuple[str, Because]:
    """Return whether a combatant is up or down."""
    down = one.hp is not None and one.hp <= 0
    because = Because(status.rules, tuple(one.hp_events[-1:]), state.chosen("hp-floor") if down else {})
    return ("down" if down else "up"), because


def is_out(state: NamelessState, who: str) -> bool:
    """Say whether a place may be passed over: its combatant has left, is down, or is ruled out."""
    one = state.combatants.get(who)
    return one is None or bool(one.left) or one.status != "up"
