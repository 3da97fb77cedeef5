"""Values of sheets: modifiers, weapons, entries, sizes; None for those that a sheet leaves out."""

from typing import Literal

from eventstore.shapes import Action
from projections.because import ask_parts
from projections.fight import Combatant
from projections.rulesets.fifth_edition import spellbook
from projections.rulesets.fifth_edition.sheet import FifthEntry, Weapon
from projections.rulesets.fifth_edition.srd import campaigns
from projections.rulesets.fifth_edition.table import SPACES
from projections.sheet import entry_named
from projections.state import State

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SHORT = {name[:3]: name for name in ABILITIES}
SIZES = tuple(SPACES)


def ability_name(word: str | None) -> str:
    """Return the name of an ability in full; "" for any other word."""
    folded = (word or "").casefold()
    return SHORT.get(folded, folded if folded in ABILITIES else "")


def ability_score(one: Combatant, name: str) -> int | None:
    """Return an ability score of the sheet."""
    return next((value for word, value in one.sheet.abilities.items() if ability_name(word) == name != ""), None)


def modifier(one: Combatant, name: str) -> int | None:
    """Return the modifier of an ability."""
    found = ability_score(one, name)
    return None if found is None else (found - 10) // 2


def save_bonus(one: Combatant, name: str) -> int | None:
    """Return the bonus of a save by the sheet: the listed one, else the modifier of its ability."""
    listed = (value for word, value in one.sheet.saves.items() if ability_name(word) == name)
    return next(listed, modifier(one, name))


def size_rank(one: Combatant) -> int | None:
    """Return the size of a combatant as a number; None if it is unknown."""
    word = (one.sheet.size or "").casefold()
    return SIZES.index(word) if word in SIZES else None


def sizes_larger(one: Combatant, other: Combatant) -> int | None:
    """Return the number of sizes by which a combatant is larger than another; None if a size is unknown."""
    own, theirs = size_rank(one), size_rank(other)
    return None if own is None or theirs is None else own - theirs


def weapon_of(one: Combatant, name: str | None) -> Weapon | None:
    """Return the weapon of a sheet with this name."""
    return entry_named(one.sheet.weapons, name)


def entry_of(one: Combatant, *names: str | None) -> FifthEntry | None:
    """Return the entry of a sheet with one of these names."""
    return entry_named(one.sheet.entries, *names)


def spell_entry(state: State, one: Combatant, action: Action) -> FifthEntry | None:
    """Return the entry that an act uses; the reference document fills in what the entry of a spell leaves out."""
    own = entry_of(one, action.name)
    if not action.name or action.plain_kind != "cast":
        return own
    return spellbook.completed_entry(own, action.name, ask_parts(state.option, "edition"))


def spell_entry_by_name(state: State, who: str, name: str) -> FifthEntry | None:
    """Return the entry of a spell by caster and name; None without one, or while the log's campaign is missing."""
    one = state.combatants.get(who)
    if one is None or not name or campaigns.is_missing(state):
        return None
    own = campaigns.campaign_spell(state, name)
    return spellbook.make_entry(own) if own else spell_entry(state, one, Action(kind="cast", name=name))


def severity(one: Combatant, action: Action, field: str) -> str:
    """Return the severity of a finding on a field of an act's spell or weapon: a notice where the sheet leaves it out."""
    own = entry_of(one, action.name)
    return "notice" if own is None or getattr(own, field) is None else "breach"


def spell_components(state: State, one: Combatant, action: Action) -> frozenset[str]:
    """Return the components of a spell: those that its casting names, else those of its entry."""
    entry = spell_entry(state, one, action)
    said = action.components if action.components is not None else entry.components if entry else None
    return frozenset(each.casefold() for each in said or ())


def has_property(weapon: Weapon | None, word: str) -> bool | None:
    """Say whether a weapon has a property; None if its properties are unknown."""
    if weapon is None or weapon.properties is None:
        return None
    return word in (each.casefold() for each in weapon.properties)


def is_melee(weapon: Weapon) -> bool:
    """Say whether a weapon is one for melee: it has no range, or can be thrown."""
    return not weapon.range or _can_be_thrown(weapon)


def _can_be_thrown(weapon: Weapon) -> bool:
    return bool(has_property(weapon, "thrown")) or weapon.name.casefold() in THROWN


THROWN = ("dagger", "handaxe", "javelin", "light hammer", "spear", "trident")


def weapon_ranges(weapon: Weapon | None) -> tuple[int, int] | None:
    """Return the normal and the long range of a weapon; None if it states none."""
    stated = weapon.range if weapon else None
    if not stated:
        return None
    found = (stated,) if isinstance(stated, int) else tuple(stated)
    return found[0], found[-1]


def speeds_by_mode(one: Combatant) -> dict[str, int]:
    """Return the speeds of a sheet by mode."""
    return {word.casefold(): feet for word, feet in one.sheet.speeds.items() if type(feet) is int}


def uses_modifier(weapon: Weapon, manner: frozenset[str], word: str) -> bool | None:
    """Say whether a weapon uses the modifier of an ability; None if that is unknown."""
    if weapon.ability:
        return ability_name(weapon.ability) == ability_name(word)
    if weapon.properties is None or has_property(weapon, "finesse"):
        return None
    shot = ("ranged" in manner or weapon.range) and not _can_be_thrown(weapon)
    return ability_name(word) == ("dexterity" if shot else "strength")


def casting_number(one: Combatant, field: Literal["dc", "attack"]) -> tuple[int | None, bool]:
    """Return the DC of a combatant's spells, or the bonus of its spell attacks, and whether the sheet states it."""
    casting = one.sheet.spellcasting
    if casting is None:
        return None, False
    if (stated := getattr(casting, field)) is not None:
        return stated, True
    base = 8 if field == "dc" else 0
    by, proficiency = modifier(one, ability_name(casting.ability)), one.sheet.proficiency
    return (None if by is None or proficiency is None else base + by + proficiency), False
