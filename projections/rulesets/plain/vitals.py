"""Pools: damage takes temporary points first, healing stops at the maximum, 0 hit points is down."""

from eventstore.events import DamageDealt, Fact, Healed
from projections.rulesets.plain.effects import stacked
from projections.rulesets.plain.state import PlainState
from projections.rulesets.ruleset import derives
from projections.state import NO_LOSS, Because, Combatant, Loss

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less"}


@derives("pool.damage-subtracts", "pool.healing-adds", "pool.temporary", "pool.nonlethal-beside")
def loss(state: PlainState, one: Combatant, event: Fact) -> Loss:
    """Return what damage takes from, or healing gives to, each pool."""
    if not isinstance(event, DamageDealt | Healed) or event.amount < 0:
        return NO_LOSS
    if isinstance(event, DamageDealt):
        return Loss(nld=-event.amount) if event.nonlethal else _blow(one, event.amount)
    if event.nonlethal:
        return Loss(nld=max(0, min(event.amount, one.nld)))
    return _temporary(state, one, event.amount) if event.temporary else _healing(one, event.amount)


def _blow(one: Combatant, amount: int) -> Loss:
    temp = min(one.temp, amount)
    rest = amount - temp
    floor = one.sheet.hp_floor
    if floor is not None and one.hp is not None:
        rest = min(rest, max(0, one.hp - floor))
    return Loss(hp=rest, temp=temp)


def _healing(one: Combatant, amount: int) -> Loss:
    if one.hp is None:
        return NO_LOSS
    top = one.hp_max if one.hp_max is not None else one.hp + amount
    return Loss(hp=-max(0, min(amount, top - one.hp)))


def _temporary(state: PlainState, one: Combatant, amount: int) -> Loss:
    match state.option("temporary-points"):
        case "larger":
            return Loss(temp=min(0, one.temp - amount))
        case "add":
            return Loss(temp=-amount)
        case _:
            return Loss(temp=one.temp - amount)


@derives("pool.temporary", "pool.nonlethal-beside")
def reasons(state: PlainState, one: Combatant, field: str) -> Because:
    """Say by which rules a pool is what it is, or several effects are there, and in which reading."""
    match field:
        case "effects":
            return stacked(state, one)
        case "temp":
            return Because(reasons.rules[:1], (), state.chosen("temporary-points"))
        case "nld":
            return Because(reasons.rules[1:])
        case _:
            return Because()


@derives("status.down-at-zero")
def status(_state: PlainState, one: Combatant) -> tuple[str, Because]:
    """Return whether a combatant is up or down, because of what last changed the hit points."""
    down = one.hp is not None and one.hp <= 0
    return ("down" if down else "up"), Because(status.rules, tuple(one.hp_events[-1:]))
