"""What can be broken by what is wielded: slots and pairs, a second weapon, a hand for disarming, a weapon on the ground."""

from collections.abc import Iterator, Mapping
from typing import Any

from eventstore.events import ActionTaken, AttackRolled, CombatantJoined, DiceRolled, EffectStarted, SheetChanged
from projections.mechanics.grants import words
from projections.mechanics.rolls import face
from projections.rulesets.definition_master.acts.acts import AOO, ATTACK, FREE, MOVE, STANDARD, act_at, seqs
from projections.rulesets.definition_master.acts.spending import BEYOND, is_beyond
from projections.rulesets.definition_master.attacks.armor import CHOSEN, SWINGS, TRADES
from projections.rulesets.definition_master.attacks.attack import is_in_half
from projections.rulesets.definition_master.attacks.wield import (
    OFFHAND,
    PRIMARY,
    granted_to,
    hands_on,
    in_slots,
    matches,
    sort_of,
    traits,
    untrained_armor,
    weapon_in_hand,
    weapon_named,
)
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.table import kinds, maneuvers, rule_of
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import Breach, check, derives

PERCENT = 100

# ---------------------------------------------------------------- slots and pairs


def _recorded(state: MasterState, event: CombatantJoined | SheetChanged) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Return what a sheet says to be in the slots, and the names of its weapons."""
    one = state.combatants.get(event.combatant)
    weapons = event.sheet.get("weapons")
    if weapons is None:
        return event.sheet.get("wielding") or {}, tuple(each.name for each in one.sheet.weapons) if one else ()
    names = [str(each.get("name", "")) for each in weapons if isinstance(each, dict)]
    return event.sheet.get("wielding") or {}, tuple(names)


@check("wield.slots", on=(CombatantJoined, SheetChanged))
def a_weapon_is_in_the_primary_slot(state: MasterState, fact: Told) -> Breach | None:
    """Report a weapon in the offhand slot."""
    slots, weapons = _recorded(state, fact.event)
    item = slots.get(OFFHAND)
    if not item or sort_of(weapons, item) != "weapon" or granted_to(state, fact, fact.event.combatant, "wield.slots"):
        return None
    return Breach(f"{item} of {fact.event.combatant} takes the primary slot", PRIMARY, OFFHAND)


@check("wield.allowed-pairs", on=(CombatantJoined, SheetChanged))
def there_are_two_slots(state: MasterState, fact: Told) -> Breach | None:
    """Report more than two things that are wielded."""
    slots, _ = _recorded(state, fact.event)
    held = [item for item in slots.values() if item]
    known = all(slot in (PRIMARY, OFFHAND) for slot, item in slots.items() if item)
    if len(held) <= 2 and known:
        return None
    return Breach(f"{fact.event.combatant} has two slots", "two", ", ".join(held))


@check("wield.no-dual-wielding", on=(ActionTaken, AttackRolled))
def nobody_fights_with_two_weapons(state: MasterState, fact: Told) -> Breach | None:
    """Report an attack with a weapon of the offhand slot beside one in the primary slot."""
    event, who = fact.event, fact.event.combatant
    name = event.action.name if isinstance(event, ActionTaken) else event.name
    if isinstance(event, AttackRolled) and fact.act is None and name is not None and act_at(state, fact.cause):
        name = None if (act := act_at(state, fact.cause)) and act.action.name else name
    slots = in_slots(state, who)
    other, main = weapon_named(state, who, slots.get(OFFHAND)), weapon_named(state, who, slots.get(PRIMARY))
    if not name or other is None or main is None or weapon_named(state, who, name) != other or other == main:
        return None
    if granted_to(state, fact, who, "wield.no-dual-wielding", name):
        return None
    return Breach(f"{who} wields {main.name}, too", "one weapon", other.name)


# ---------------------------------------------------------------- disarming


@check("disarm.free-hand", on=ActionTaken)
def a_hand_is_free_for_it(state: MasterState, fact: Told) -> Breach | None:
    """Report a disarm by somebody who has neither a free hand nor a weapon for it."""
    act = fact.act
    if act is None or act.kind != "disarm" or fact.is_granted("disarm.free-hand"):
        return None
    slots, weapon = in_slots(state, act.who), weapon_in_hand(state, act.who)
    used = sum(bool(slots.get(slot)) for slot in (PRIMARY, OFFHAND))
    two = weapon is not None and weapon.hands > 1 and hands_on(state, act.who, weapon).value > 1
    if (weapon and "disarming" in traits(weapon)) or (used < 2 and not two):
        return None
    says = f"{act.who} has no free hand and no disarming weapon"
    return Breach(says, "a free hand", ", ".join(filter(None, slots.values())))


@check("disarm.drops-weapon", on=(ActionTaken, AttackRolled))
def nobody_fights_with_what_lies_there(state: MasterState, fact: Told) -> Breach | None:
    """Report an attack with a weapon that was dropped and not fetched."""
    act = fact.act
    lost = state.combat.hands.dropped.get(act.who, {}) if act else {}
    if act is None or act.kind == "pick-up" or (act.cost not in (ATTACK, AOO) and act.kind != "attack"):
        return None
    for name, seq in lost.items():
        if matches(name, act.action.name or ""):
            return Breach(f"{name} of {act.who} lies on the ground", "unarmed", name, (seq,))
    return None


# ---------------------------------------------------------------- what a maneuver costs


@checks_by(*map(rule_of, kinds("standard")), on=ActionTaken)
def some_maneuvers_are_standard_actions(_state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield that one of them takes the place of an attack or stands beside attacks, or an attack after a feigned strike."""
    act = fact.act
    used = [each for each in fact.so_far if each.slot >= 0]
    if act and act.kind in kinds("standard") and (act.cost == ATTACK or (used and act.own)):
        says, shown = f"{act.kind} is a standard action", seqs(used) if act.cost != ATTACK else ()
        yield Fault((rule_of(act.kind),), says, "a standard action", "an attack action", shown)
    feints = [each for each in fact.so_far if each.kind == "feint" and each.own] if act and act.own else []
    if act and act.slot >= 0 and feints and act.kind != "feint":
        says = f"{act.who} has feigned a strike in this turn"
        yield Fault((rule_of("feint"),), says, "no attack", act.kind, (feints[0].seq,))


@checks_by(*map(rule_of, maneuvers()), on=ActionTaken)
def others_take_the_place_of_an_attack(_state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield that a maneuver comes besides all attack actions, or at another price than one of them."""
    act = fact.act
    if act and act.kind in maneuvers() and (is_beyond(fact) or act.cost in (STANDARD, MOVE, FREE)):
        if any(map(fact.is_granted, (rule_of(act.kind), *BEYOND))):
            return
        says, used = f"a {act.kind} takes the place of an attack", seqs(fact.budget.attacked)
        yield Fault((rule_of(act.kind),), says, "an attack action", f"{act.cost} action", used)


@checks_by(*TRADES, on=ActionTaken)
def only_attacks_are_made_so(_state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield that a way of attacking is chosen for something else."""
    act = fact.act
    for name in CHOSEN if act and act.kind not in SWINGS else ():
        if act and any(name in words(each) for each in act.action.manner):
            yield Fault((f"{name}.trade",), f"{act.who} does not attack with {act.kind}", "an attack", act.kind)


# ---------------------------------------------------------------- armor without training


@derives("untrained.armor-spell-failure", on=DiceRolled)
def chance_of_failure(state: MasterState, fact: Told) -> None:
    """Keep the d% that says whether a spell cast in untrained armor fails."""
    act = act_at(state, fact.cause)
    if act and act.kind == "cast" and untrained_armor(state, act.who) and fact.event.die is not None:
        state.combat.failing.setdefault(act.seq, (face(fact.event.die), fact.seq))


@derives("untrained.armor-spell-failure")
def fails(state: MasterState, seq: int) -> bool:
    """Say whether a spell failed by its d%."""
    return seq in state.combat.failing and is_in_half(state, state.combat.failing[seq][0])


@check("untrained.armor-spell-failure", on=EffectStarted)
def what_failed_does_nothing(state: MasterState, fact: Told) -> Breach | None:
    """Report an effect of a spell that failed."""
    act = act_at(state, fact.cause)
    if act is None or not fails(state, act.seq):
        return None
    return Breach("this spell failed", "nothing", fact.event.effect, (act.seq, state.combat.failing[act.seq][1]))
