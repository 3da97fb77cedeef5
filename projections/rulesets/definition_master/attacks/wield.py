"""What is wielded: slots and pairs, hands, weapons that are drawn, dropped and picked up, and training."""

from collections.abc import Iterator
from typing import Any

from eventstore.events import ActionTaken, SheetChanged
from projections.because import Because, Derived
from projections.mechanics.grants import granted, words
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.sheet import Weapon
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.table import shields, tells
from projections.rulesets.ruleset import derives

PRIMARY, OFFHAND = "primary", "offhand"
SLOTS = (PRIMARY, OFFHAND)
SHIELD, FOCUS = "shield", "focus"


def matches(name: str, other: str) -> bool:
    """Say whether two names mean one thing: the words of one are among those of the other."""
    one, two = set(words(name)), set(words(other))
    return bool(one and two) and (one <= two or two <= one)


def traits(weapon: Weapon | None) -> set[str]:
    """Return the words of a weapon's name and attributes."""
    return {word for each in (weapon.name, *weapon.attributes) for word in words(each)} if weapon else set()


def weapon_named(state: MasterState, who: str, name: str | None) -> Weapon | None:
    """Return the weapon of this name on somebody's sheet; an exact name goes first."""
    if not name:
        return None
    own: tuple[Weapon, ...] = state.combatants[who].sheet.weapons
    exact = [each for each in own if each.name.casefold() == name.casefold()]
    return next(iter((*exact, *(each for each in own if matches(each.name, name)))), None)


def sort_of(weapons: Iterator[str] | tuple[str, ...], name: str) -> str:
    """Return what an item is: a weapon of these names, a shield, a focus, or "" for anything else."""
    said = set(words(name))
    if said & ({SHIELD} | {word for kind in shields() for word in words(kind) if word == "buckler"}):
        return SHIELD
    if any(matches(each, name) for each in weapons):
        return "weapon"
    return FOCUS if FOCUS in said else ""


@derives("wield.slots", on=SheetChanged)
def slots_are_said_anew(state: MasterState, fact: Occurrence[SheetChanged]) -> None:
    """Keep that a sheet says what is in the slots."""
    if "wielding" in fact.event.sheet:
        state.combat.hands.slots.pop(fact.event.combatant, None)
        state.combat.hands.changed[fact.event.combatant] = fact.seq


def granted_to(state: MasterState, fact: Any, who: str, rule: str, *said: str) -> bool:
    """Say whether a ruling grants somebody an exception from a rule, or what these words name."""
    return granted(state.rulings, rule, who=(who,), event=(fact.seq, fact.cause), said=said).value


def in_slots(state: MasterState, who: str) -> dict[str, str]:
    """Return what somebody has in its slots: as it was last changed, else as its sheet says."""
    own: dict[str, str] = state.combatants[who].sheet.wielding
    return state.combat.hands.slots.get(who, own)


def since(state: MasterState, who: str) -> tuple[int, ...]:
    """Return the record that says what somebody has in its slots, if that is not its sheet."""
    return (state.combat.hands.changed[who],) if who in state.combat.hands.changed else ()


def weapon_in_hand(state: MasterState, who: str) -> Weapon | None:
    """Return the weapon that somebody wields; where nothing is said of its slots, the first of its sheet."""
    slots, own = in_slots(state, who), state.combatants[who].sheet.weapons
    if slots or who in state.combat.hands.slots:
        return next((found for slot in SLOTS if (found := weapon_named(state, who, slots.get(slot)))), None)
    return own[0] if own else None


def weapon_of(state: MasterState, who: str, name: str | None) -> Weapon | None:
    """Return the weapon of an attack: the one that it names, else the one in hand."""
    return weapon_named(state, who, name) if name else weapon_in_hand(state, who)


def is_bare(name: str | None) -> bool:
    """Say whether an attack of this name is made without a weapon."""
    return tells("bare", name)


def shoots(state: MasterState, who: str, name: str | None) -> bool:
    """Say whether an attack of this name is a shot or a throw: by the range of its weapon, or by its name."""
    weapon = weapon_of(state, who, name)
    return (weapon is not None and weapon.range is not None) or tells("shot", name)


@derives("damage.two-handed", "wield.allowed-pairs")
def hands_on(state: MasterState, who: str, weapon: Weapon | None) -> Derived[int]:
    """Return with how many hands somebody wields a weapon; beside a shield or focus that is an option."""
    two, pairs = hands_on.rules
    if weapon is None or weapon.hands < 2:
        return Derived(1, Because())
    beside = [sort_of((), item) for item in in_slots(state, who).values()]
    if SHIELD in beside or FOCUS in beside:
        one = state.option("two-handed-pair") == "one-hand"
        return Derived(1 if one else 2, Because((two, pairs), since(state, who), state.chosen("two-handed-pair")))
    return Derived(2, Because((two,), since(state, who)))


# ---------------------------------------------------------------- what is drawn, dropped, picked up


@derives("wield.slots", on=ActionTaken)
def takes_in_hand(state: MasterState, fact: Occurrence[ActionTaken]) -> None:
    """Keep that somebody has drawn a weapon, or picked up one that it had dropped."""
    action, who = fact.event.action, fact.event.combatant
    name = action.name or action.object
    if action.kind not in ("draw", "pick-up"):
        return
    lost = state.combat.hands.dropped.get(who, {})
    name = name or next(iter(lost), None)
    if weapon := weapon_named(state, who, name):
        if lost.pop(weapon.name, None) is None and in_slots(state, who).get(PRIMARY) == weapon.name:
            return
        has(state, who, PRIMARY, weapon.name, fact.seq)


def has(state: MasterState, who: str, slot: str, name: str, seq: int) -> None:
    """Put something in a slot, in place of what is there; "" leaves it empty."""
    state.combat.hands.slots[who] = {**in_slots(state, who), slot: name}
    state.combat.hands.changed[who] = seq


def drops(state: MasterState, who: str, seq: int) -> None:
    """Let somebody's weapon fall to the ground."""
    weapon = weapon_in_hand(state, who)
    if weapon is None:
        return
    state.combat.hands.dropped.setdefault(who, {})[weapon.name] = seq
    slots = in_slots(state, who)
    slot = next((each for each in SLOTS if matches(slots.get(each, ""), weapon.name)), PRIMARY)
    has(state, who, slot, "", seq)


# ---------------------------------------------------------------- training


@derives("untrained.weapon-no-threat", "untrained.weapon-penalty")
def untrained_with(state: MasterState, who: str, weapon: Weapon | None = None) -> Derived[str] | None:
    """Return the weapon in somebody's hand, or this one, if it is not trained with it."""
    untrained = state.combatants[who].sheet.untrained
    weapon = (weapon or weapon_in_hand(state, who)) if untrained else None
    if weapon is None or not any(matches(weapon.name, each) for each in untrained):
        return None
    events = (*state.combatants[who].records("untrained"), *since(state, who))
    return Derived(weapon.name, Because(untrained_with.rules, events))


@derives("untrained.armor-check-penalty")
def untrained_armor(state: MasterState, who: str) -> Derived[str] | None:
    """Return the armor that somebody wears without training: what of its untrained things is no weapon of its."""
    one = state.combatants[who]
    arms = [weapon.name for weapon in one.sheet.weapons]
    worn = next((each for each in one.sheet.untrained if not any(matches(each, arm) for arm in arms)), None)
    return Derived(worn, Because(untrained_armor.rules, one.records("untrained"))) if worn else None
