"""The card of a combatant in numbers: defences, attacks and spells, as far as a sheet has them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from projections.fight import Combatant, Fight
from projections.open_types import Fields
from projections.sheet import Entry

E = TypeVar("E", bound=Entry)


def make_card(_state: Fight, one: Combatant) -> Fields:
    """Return the defences, attacks and spells of a sheet, in any game whose sheets have fields for them."""
    numbers = {"attack": False, "damage": []}
    return defences(one.sheet) | {
        "attacks": [*weapon_rows(one.sheet)],
        "spells": [
            {"name": each.name, "level": getattr(each, "level", None), "hit": None, "spell": True} | numbers
            for each in spell_entries(getattr(one.sheet, "entries", None))
        ],
    }


def defences(sheet: object) -> Fields:
    """Return the numbers that others must reach: the armour class, and the bonuses of saves, as far as they are known."""
    saves: Mapping[str, int] = getattr(sheet, "saves", None) or {}
    return {"ac": getattr(sheet, "ac", None), "saves": modifiers(sheet) | {_short(key): saves[key] for key in saves}}


def modifiers(sheet: object) -> dict[str, int]:
    """Return the modifiers of the ability scores of a sheet, by their first three letters."""
    scores: Mapping[str, int] = getattr(sheet, "abilities", None) or {}
    return {_short(key): (score - 10) // 2 for key, score in scores.items()}


def _short(ability: str) -> str:
    return ability[:3].lower()


def weapon_rows(sheet: object) -> Iterator[Fields]:
    """Yield the weapons of a sheet, with the bonus to hit and the damage as far as the sheet has them."""
    found, proficiency = modifiers(sheet), getattr(sheet, "proficiency", None)
    for each in getattr(sheet, "weapons", None) or ():
        ability = _short(getattr(each, "ability", None) or "str")
        bonus, more = getattr(each, "bonus", 0) or 0, found.get(ability)
        dice = getattr(each, "dice", None)
        hit = None if more is None or proficiency is None else more + proficiency + bonus
        flat = (more or 0) + bonus
        sum_ = f"{dice}{f'{flat:+}' if flat else ''}" if dice and "d" in dice else ""
        damage = [{"dice": sum_, "type": getattr(each, "damage_type", None) or ""}] if sum_ else []
        yield {"name": each.name if hasattr(each, "name") else str(each), "attack": True, "hit": hit, "damage": damage}
    if (weapon := getattr(sheet, "weapon", None)) and not getattr(sheet, "weapons", None):
        yield {"name": weapon, "attack": True, "hit": None, "damage": []}


def spell_entries(entries: Iterable[E] | None) -> Iterator[E]:
    """Yield the entries of a sheet that are spells."""
    return (each for each in entries or () if (each.kind or "").casefold() == "spell")
