"""Checks of weapons: slots and pairs, a second weapon, a free hand for disarming, a weapon on the ground."""

from collections.abc import Iterator

from msgspec import convert

from eventstore import events
from eventstore.events import ActionTaken, AttackRolled, CombatantJoined, DiceRolled, SheetChanged
from projections.mechanics.grants import has_grant, is_named, words_of
from projections.mechanics.rolls import face
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import arms
from projections.rulesets.definition_master.acts import act_at
from projections.rulesets.definition_master.attack import is_in_half
from projections.rulesets.definition_master.reading import Reading, is_granted_by_ruling
from projections.rulesets.definition_master.sheet import Sheet
from projections.rulesets.definition_master.state import MasterState
from projections.stream.causes import causes

SHEETS = (CombatantJoined, SheetChanged)


@checks_by("wield.slots", "wield.allowed-pairs", on=SHEETS)
def a_sheet_fills_the_two_slots(state: MasterState, fact: Reading[CombatantJoined | SheetChanged]) -> Iterator[Fault]:
    """Yield a fault for a weapon of the sheet in the second slot, and for a third slot."""
    sheet, who = convert(fact.event.sheet, Sheet), fact.event.combatant
    weapons = sheet.weapons or (state.combatants[who].sheet.weapons if who in state.combatants else ())
    item, held = sheet.wielding.get(arms.OFFHAND, ""), sheet.wielding
    is_weapon = not arms.is_shield(item) and is_named(item, (each.name for each in weapons))
    if is_weapon and not has_grant(state.rulings, "wield.slots", who=(who,), event=(fact.seq, fact.cause)).value:
        yield Fault(("wield.slots",), f"{who}'s {item} takes the primary slot", arms.PRIMARY, arms.OFFHAND)
    if not held.keys() <= {*arms.SLOTS}:
        yield Fault(("wield.allowed-pairs",), f"{who} has only two slots", "two items", ", ".join(held.values()))


@check("wield.no-dual-wielding", on=(ActionTaken, AttackRolled), unless=is_granted_by_ruling)
def nobody_fights_with_two_weapons(state: MasterState, fact: Reading[ActionTaken | AttackRolled]) -> Breach | None:
    act, event, who = fact.act, fact.event, fact.event.combatant
    before = None if act else act_at(state, fact.cause)
    if before and before.action.name:
        return None
    slots, named = arms.items_by_slot(state, who), event.name if isinstance(event, AttackRolled) else None
    name = act.action.name if act else named
    main, other, used = (arms.weapon_named(state, who, each) for each in (*map(slots.get, arms.SLOTS), name))
    if main is None or other is None or used != other or other == main:
        return None
    return Breach(f"{who} already wields the {main.name}", "one weapon", f"the {other.name} as well")


@check("disarm.free-hand", on=ActionTaken, unless=is_granted_by_ruling)
def a_hand_is_free_for_it(state: MasterState, fact: Reading[ActionTaken]) -> Breach | None:
    act = fact.taken
    slots, weapon = arms.items_by_slot(state, act.combatant), arms.weapon_in_hand(state, act.combatant)
    is_full = all(map(slots.get, arms.SLOTS)) or arms.takes_both_hands(state, act.combatant, weapon).value
    if act.kind != "disarm" or not (is_full and "disarming" not in arms.weapon_words(weapon)):
        return None
    says = f"{act.combatant} has no free hand and no disarming weapon"
    return Breach(says, "a free hand", ", ".join(filter(None, slots.values())) or "none")


@check("disarm.drops-weapon", on=(ActionTaken, AttackRolled))
def nobody_fights_with_what_lies_there(state: MasterState, fact: Reading[ActionTaken | AttackRolled]) -> Breach | None:
    act, lost = fact.act, state.combat.hands.dropped.get(fact.event.combatant, {})
    if act is None or act.kind not in arms.SWINGS:
        return None
    used = next((name for name in lost if is_named(name, (act.action.name or "",))), "")
    says = f"{act.combatant}'s {used} lies on the ground"
    return Breach(says, "an unarmed attack", used, (lost[used],)) if used else None


@checks_by(*arms.TRADES, on=ActionTaken)
def only_attacks_are_made_so(_state: MasterState, fact: Reading[ActionTaken]) -> Iterator[Fault]:
    """Yield a fault for a way of attacking that is chosen for another act."""
    act = fact.taken
    for name, rule in zip(arms.CHOSEN, arms.TRADES, strict=True):
        if act.kind not in arms.SWINGS and name in words_of(" ".join(act.action.manner)):
            yield Fault((rule,), f"{name} goes with an attack, not with {act.kind}", "an attack", act.kind)


DOES = (events.DamageDealt, events.Healed, events.EffectStarted, events.ConditionGained)
UNDOES = (events.EffectEnded, events.ConditionLost, events.Moved)
"""The events that happen without a spell, too; a spell caused one only if the record says so."""


@derives("untrained.armor-spell-failure", on=DiceRolled, phase="rolls")
def keep_failure_chance(state: MasterState, fact: Reading[DiceRolled]) -> None:
    """Keep the d% that decides whether a spell cast in untrained armour fails."""
    act = act_at(state, fact.cause)
    if act and act.kind == "cast" and arms.untrained_armor(state, act.combatant) and fact.event.die is not None:
        state.combat.failing.setdefault(act.seq, (face(fact.event.die), fact.seq))


@check("untrained.armor-spell-failure", on=(*DOES, *UNDOES))
def what_failed_does_nothing(state: MasterState, fact: Reading[events.Fact]) -> Breach | None:
    """Report an outcome of a spell that failed, but not a consequence of that outcome."""
    event, act = fact.event, act_at(state, fact.cause)
    if act is None or not (getattr(event, "cause", None) or isinstance(event, DOES)):
        return None
    failing, before = state.combat.failing.get(act.seq), causes(state, fact.cause)
    follows = any(isinstance(each.event, (*DOES, *UNDOES)) for each in before)
    if failing is None or follows or not is_in_half(state, failing[0]) or getattr(event, "amount", None) == 0:
        return None
    named = getattr(event, "effect", None) or getattr(event, "condition", None)
    found = named or events.name_of(type(event)).replace("_", " ")
    return Breach("this spell failed", "no effect", found, (act.seq, failing[1]))
