"""The roster: who is in the fight, on which side, with which sheet."""

import msgspec

from eventstore.events import CombatantJoined, CombatantLeft, ResourceChanged, SheetChanged
from projections.folds.vitals import stands, within
from projections.rulesets.ruleset import derives
from projections.state import Combatant, Occurrence, State


@derives(on=CombatantJoined)
def joins(state: State, fact: Occurrence[CombatantJoined]) -> None:
    """Take a combatant in with what its sheet brings along: hit points, maximum, temporary points, resources."""
    event = fact.event
    sheet = msgspec.convert(event.sheet, state.rules.sheet)
    brought = msgspec.structs.asdict(sheet)
    hp = brought.get("hp")
    one = Combatant(
        id=event.combatant,
        name=event.name or event.combatant,
        side=event.side or event.combatant,
        sheet=sheet,
        joined=fact.seq,
        hp=hp,
        hp_max=hp if brought.get("hp_max") is None else brought["hp_max"],
        temp=brought.get("temp", 0),
        nld=brought.get("nld", 0),
        hp_events=[fact.seq],
        nld_events=[fact.seq],
        resources=dict(brought.get("resources") or {}),
    )
    stands(state, one)
    state.combatants[one.id] = one
    state.sides.setdefault(one.side, fact.seq)


@derives(on=SheetChanged)
def sheet_changes(state: State, fact: Occurrence[SheetChanged]) -> None:
    """Replace whole keys of a sheet; a hit point key sets the pool as well."""
    one = state.combatants[fact.event.combatant]
    old = msgspec.structs.asdict(one.sheet)
    one.sheet = msgspec.convert(old | fact.event.sheet, state.rules.sheet)
    for pool in ("hp", "hp_max", "temp", "nld"):
        if pool in fact.event.sheet:
            setattr(one, pool, fact.event.sheet[pool])
            (one.nld_events if pool == "nld" else one.hp_events).append(fact.seq)
    if "resources" in fact.event.sheet:
        one.resources = dict(fact.event.sheet["resources"])
    stands(state, one)


@derives(on=CombatantLeft)
def leaves(state: State, fact: Occurrence[CombatantLeft]) -> None:
    """Take a combatant out of the fight, for good unless it joins again."""
    one = state.combatants[fact.event.combatant]
    one.left = fact.seq


@derives(on=ResourceChanged)
def resource_changes(state: State, fact: Occurrence[ResourceChanged]) -> None:
    """Spend or regain a counted resource; where nobody said how much there was, what is stated to be left counts."""
    one, name = state.combatants[fact.event.combatant], resource_name(state, fact.event)
    one.resources[name] = remaining(state, fact.event)


def resource_name(state: State, event: ResourceChanged) -> str:
    """Return the name under which a resource is counted: the one that is there, case folded."""
    folded = event.resource.casefold()
    return next((n for n in state.combatants[event.combatant].resources if n.casefold() == folded), event.resource)


def remaining(state: State, event: ResourceChanged) -> int:
    """Return what is left of a resource after this."""
    had = state.combatants[event.combatant].resources.get(resource_name(state, event))
    if had is None and event.left is not None:
        return event.left
    return within((had or 0) + event.amount)
