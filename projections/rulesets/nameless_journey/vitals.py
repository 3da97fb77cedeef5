"""Hit points: damage comes off, healing goes back on, and 0 or less is down."""

from projections.because import Because, Derived
from projections.mechanics.pools import HP, PoolRules, hit_points, level
from projections.rulesets.nameless_journey.state import NamelessState
from projections.rulesets.ruleset import derives
from projections.state import Combatant

STATUSES = {"up": "in the fight", "down": "at 0 hit points or less", "out": "out by ruling"}


@derives("health.damage")
def pools(state: NamelessState, _one: Combatant) -> PoolRules:
    """Return the rules of the pools, by the options on floor and maximum."""
    return hit_points(pools.rules, state.option("hp-floor"), state.option("healing-cap"))


@derives("health.damage")
def status(_state: NamelessState, one: Combatant) -> Derived[str]:
    """Return whether a combatant is up or down."""
    down = level(one.pools[HP], 0, status.rules)
    return Derived("down" if down.value else "up", down.because)


def is_out(state: NamelessState, who: str) -> bool:
    """Say whether a place may be passed over: its combatant has left, is down, or is ruled out."""
    one = state.combatants[who]
    return bool(one.left) or one.status != "up"


def why_out(state: NamelessState, who: str) -> Because:
    """Return why somebody is out: it has left, or its status."""
    one = state.combatants[who]
    return Because((), (one.left,)) if one.left else Because((), (), {}, (one.standing,))
