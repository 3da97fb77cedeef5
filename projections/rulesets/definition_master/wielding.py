"""Weapons in hand: slots and pairs, weapons that are drawn, dropped and picked up, and training."""

from eventstore.events import ActionTaken, SheetChanged
from projections.because import NOTHING_CITED, Because, Derived
from projections.mechanics.grants import names, words
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.definition_master.sheet import Weapon
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.table import mentions
from projections.sheet import entry_named

PRIMARY, OFFHAND = "primary", "offhand"
SLOTS = (PRIMARY, OFFHAND)


def traits(weapon: Weapon | None) -> set[str]:
    """Return the words of a weapon's name and attributes."""
    return {word for each in (weapon.name, *weapon.attributes) for word in words(each)} if weapon else set()


def weapon_named(state: MasterState, who: str, name: str | None) -> Weapon | None:
    """Return the weapon of this name on a combatant's sheet; an exact name goes first."""
    own: tuple[Weapon, ...] = state.combatants[who].sheet.weapons
    alike = (each for each in own if names(name or "", (each.name,)))
    return entry_named(own, name) or next(alike, None)


def is_shield(name: str) -> bool:
    """Say whether an item, or a part of an armour class, is a shield."""
    return mentions("shield", name)


@derives("wield.slots", on=SheetChanged, phase="reading")
def sheet_fills_slots(state: MasterState, fact: Occurrence[SheetChanged]) -> None:
    """Take the items in the slots from a sheet that lists them."""
    if "wielding" in fact.event.sheet:
        state.combat.hands.slots.pop(fact.event.combatant, None)
        state.combat.hands.changed[fact.event.combatant] = fact.seq


def in_slots(state: MasterState, who: str) -> dict[str, str]:
    """Return the items of a combatant by slot: the last change of them, else its sheet's."""
    own: dict[str, str] = state.combatants[who].sheet.wielding
    return state.combat.hands.slots.get(who, own)


def slots_changed_by(state: MasterState, who: str) -> tuple[int, ...]:
    """Return the record that last changed the items of a combatant; nothing if they are those of its sheet."""
    return (state.combat.hands.changed[who],) if who in state.combat.hands.changed else ()


def weapon_in_hand(state: MasterState, who: str) -> Weapon | None:
    """Return the weapon that a combatant wields; if no slots are known, the first of its sheet."""
    if slots := in_slots(state, who):
        return next((found for slot in SLOTS if (found := weapon_named(state, who, slots.get(slot)))), None)
    return next(iter(state.combatants[who].sheet.weapons), None)


def weapon_of(state: MasterState, who: str, name: str | None) -> Weapon | None:
    """Return the weapon of an attack: the one that it names, else the one in hand."""
    return weapon_named(state, who, name) if name else weapon_in_hand(state, who)


def shoots(state: MasterState, who: str, name: str | None) -> bool:
    """Say whether an attack of this name is a shot or a throw: by the range of its weapon, or by its name."""
    weapon = weapon_of(state, who, name)
    return (weapon is not None and weapon.range is not None) or mentions("shot", name)


@derives("damage.two-handed", "wield.allowed-pairs")
def takes_both_hands(state: MasterState, who: str, weapon: Weapon | None) -> Derived[bool]:
    """Return whether a combatant wields a weapon in two hands; beside a shield or focus that is an option."""
    two, pairs = "damage.two-handed", "wield.allowed-pairs"
    if weapon is None or weapon.hands < 2:
        return Derived(False, NOTHING_CITED)
    if mentions("offhand", *in_slots(state, who).values()):
        both = state.option("two-handed-pair") == "two-hands"
        return Derived(both, Because((two, pairs), slots_changed_by(state, who)))
    return Derived(True, Because((two,), slots_changed_by(state, who)))


# ---------------------------------------------------------------- drawing, dropping, picking up


@derives("wield.slots", on=ActionTaken)
def weapon_is_taken(state: MasterState, fact: Occurrence[ActionTaken]) -> None:
    """Keep that a combatant has drawn a weapon, or picked up one that it had dropped."""
    action, who = fact.event.action, fact.event.combatant
    if action.plain_kind not in ("draw", "pick-up"):
        return
    lost = state.combat.hands.dropped.get(who, {})
    weapon = weapon_named(state, who, action.name or action.object or next(iter(lost), None))
    fell = lost.pop(weapon.name, 0) if weapon else 0
    if weapon and (fell or in_slots(state, who).get(PRIMARY) != weapon.name):
        put_in_slot(state, who, PRIMARY, weapon.name, fact.seq)
        state.combat.hands.picked[who] = fell


def put_in_slot(state: MasterState, who: str, slot: str, name: str, seq: int) -> None:
    """Put an item in a slot, in place of another; "" leaves it empty."""
    state.combat.hands.slots[who] = {**in_slots(state, who), slot: name}
    state.combat.hands.changed[who] = seq
    state.combat.hands.picked.pop(who, None)


def drop_weapon(state: MasterState, who: str, seq: int) -> None:
    """Let a combatant's weapon fall to the ground."""
    if weapon := weapon_in_hand(state, who):
        state.combat.hands.dropped.setdefault(who, {})[weapon.name] = seq
        slots = in_slots(state, who)
        put_in_slot(
            state, who, next((each for each in SLOTS if names(weapon.name, (slots.get(each, ""),))), PRIMARY), "", seq
        )


# ---------------------------------------------------------------- training


def untrained_with(state: MasterState, who: str, weapon: Weapon | None = None) -> Derived[str] | None:
    """Return the weapon in a combatant's hand, or this one, if it is not trained with it."""
    one, weapon = state.combatants[who], weapon or weapon_in_hand(state, who)
    if weapon is None or not names(weapon.name, one.sheet.untrained):
        return None
    return Derived(weapon.name, Because((), (*one.records("untrained"), *slots_changed_by(state, who))))


@derives("untrained.armor-check-penalty")
def untrained_armor(state: MasterState, who: str) -> Derived[str] | None:
    """Return the armour that a combatant wears without training: the first of its untrained things that is no weapon."""
    one = state.combatants[who]
    worn = next((each for each in one.sheet.untrained if weapon_named(state, who, each) is None), None)
    return Derived(worn, Because(untrained_armor.rules, one.records("untrained"))) if worn else None
