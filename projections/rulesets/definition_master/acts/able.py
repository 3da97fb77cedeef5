"""Who can act: nobody who is unconscious, dying, stabilized, swallowed too long, or dead."""

from typing import Any

from eventstore.events import ActionDeclared, ActionHeld, ActionTaken, AttackRolled, Moved, Placed
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import Breach, Check, check
from projections.stream.causes import causes

ACTS = (ActionTaken, ActionDeclared, ActionHeld, AttackRolled, Moved, Placed)


def acts(state: MasterState, fact: Reading[Any]) -> bool:
    """Say whether a fact is an act of its own: a roll belongs to its act, and who is moved does not move."""
    event = fact.event
    if isinstance(event, AttackRolled):
        own = (each.event for each in causes(state, fact.cause) if isinstance(each.event, ActionTaken | AttackRolled))
        return not any(each.combatant == event.combatant for each in own)
    if isinstance(event, Moved):
        behind = next(iter(causes(state, fact.cause)), None)
        mover = getattr(behind.event, "combatant", event.combatant) if behind else event.combatant
        return not event.forced and not event.source and mover == event.combatant
    if isinstance(event, Placed):
        stood = state.combat.squares.get(event.combatant)
        return event.square is not None and stood is not None and tuple(event.square) != tuple(stood)
    return bool(event.combatant)


def unable(rule: str, *statuses: str) -> Check[[MasterState, Reading[Any]]]:
    """Return a check, by one rule, that nobody with one of these statuses acts."""

    def does_nothing(state: MasterState, fact: Reading[Any]) -> Breach | None:
        one = state.combatants.get(fact.event.combatant or "")
        if one is None or one.status not in statuses or not acts(state, fact):
            return None
        found: Any = one.standing.because.flat()
        if rule not in found.rules and one.status == "dead":
            return None
        return Breach(f"{one.id} is {one.status} and does nothing", "nothing", "an act", found.events)

    does_nothing.__name__ = f"unable by {rule}"
    return check(rule, on=ACTS)(does_nothing)


BRUISED = unable("nld.unconscious-at-hp", "nld-unconscious")
FALLEN = unable("incapacitation.unconscious-in-square", "dying")
STABILIZED = unable("stabilized.unconscious-at-zero", "stabilized")
SWALLOWED = unable("swallow.unconscious", "unconscious")
DEAD = unable("death.three-in-a-row", "dead")
DEAD_INSIDE = unable("swallow.death", "dead")
