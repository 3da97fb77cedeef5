"""Typed sheets: fields by the names that stat blocks use, and weapons and spells by their names alone."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeVar

import msgspec

from projections.open_types import Fields
from projections.rulesets.fifth_edition.figures import ABILITIES, SHORT
from projections.rulesets.fifth_edition.srd import sheets
from projections.state import State

Kind = TypeVar("Kind", list[object], Fields)

SKILLS = (
    "acrobatics", "animal handling", "arcana", "athletics", "deception", "history", "insight", "intimidation", "investigation",
    "medicine", "nature", "perception", "performance", "persuasion", "religion", "sleight of hand", "stealth", "survival",
)  # fmt: skip

PLACES: dict[str, str] = {
    "armor class": "ac",
    "armour class": "ac",
    "hit points": "hp",
    "hit point maximum": "hp_max",
    "max hp": "hp_max",
    "temporary hit points": "temp",
    "proficiency bonus": "proficiency",
    "speed": "speeds.walk",
    **{mode: f"speeds.{mode}" for mode in ("walk", "fly", "swim", "climb", "burrow")},
    "spell save dc": "spellcasting.dc",
    "spell attack": "spellcasting.attack",
    "spellcasting ability": "spellcasting.ability",
    "damage resistances": "resistances",
    "damage vulnerabilities": "vulnerabilities",
    "damage immunities": "immunities",
    "condition immunities": "immunities",
    "spells": "entries",
    **{ability: f"abilities.{ability}" for ability in ABILITIES},
    **{short: f"abilities.{ability}" for short, ability in SHORT.items()},
    **{f"{each} save": f"saves.{SHORT.get(each, each)}" for each in (*ABILITIES, *SHORT)},
    **{skill: f"skills.{skill}" for skill in SKILLS},
}
"""The fields of the sheet by the names in the reference documents and their stat blocks; after a dot, the part of a
field."""


def listed(state: State, said: Fields, sheet: msgspec.Struct | None) -> Fields:
    """Return the fields of a typed sheet; parts of a field and words of a list are added to those that the sheet has
    already.

    Weapons and spells given by name are those of the reference documents. Raises ValueError if a field is typed twice.
    """
    edition, found = state.option("edition"), Fields()
    places = [PLACES.get(name.casefold().replace("_", " "), name) for name in said]
    for place, value in zip(places, said.values(), strict=True):
        if place == "srd":
            found = sheets.reference(state, str(value)) | found
            continue
        field, _, part = place.partition(".")
        if field in WORDS and isinstance(value, str):
            own = found.get(field, _present(sheet, field, list))
            more = _entries(state, field, _words(value), edition)
            found[field] = [*own, *(each for each in more if each not in own)]
        elif field in WORDS and isinstance(value, list):
            found[field] = _entries(state, field, value, edition)
        elif places.count(place) > 1 or (part and field in places):
            raise ValueError(f"{part or field} is said twice")
        elif place == "slots":
            found["resources"] = _present(sheet, "resources", dict) | _slots(value)
        elif part:
            found[field] = found.get(field, _present(sheet, field, dict)) | {part: value}
        else:
            found[field] = value
    return found


def _entries(state: State, field: str, those: Iterable[object], edition: str) -> list[object]:
    named = _spell if field == "entries" and state.option("campaign") else None
    return [
        (named(state, each) if named else WORDS[field](each, edition)) if isinstance(each, str) else each
        for each in those
    ]


def _slots(value: object) -> Fields:
    """Return spell slots by their names, from the numbers of slots of each level from the first on."""
    numbers = [*_words(value)] if isinstance(value, str) else value if isinstance(value, list) else [value]
    if not all(str(each).isdigit() for each in numbers):
        raise ValueError("slots are the numbers of each level from the first on, such as 4,3,2")
    return {f"level {level} spell slot": int(each) for level, each in enumerate(numbers, 1)}


def _present(sheet: msgspec.Struct | None, field: str, kind: type[Kind]) -> Kind:
    own = msgspec.to_builtins(getattr(sheet, field, None))
    return kind(own or ())


def _words(text: str) -> Iterator[str]:
    return (each for each in (part.strip() for part in text.split(",")) if each)


def weapon(name: str, edition: str) -> Fields:
    """Return the fields of a weapon in the reference document of an edition; only the name of an unknown one."""
    tables = _weapons()
    folded = name.casefold()
    return {"name": folded} | tables["both"].get(folded, {}) | tables.get(edition, {}).get(folded, {})


@cache
def _weapons() -> dict[str, dict[str, Fields]]:
    import tomllib  # only where a sheet names weapons
    from importlib.resources import files

    return tomllib.loads(files(__package__).joinpath("weapons.toml").read_text("utf-8"))


def _spell_of_a_document(name: str, edition: str) -> Fields:
    from projections.rulesets.fifth_edition import spellbook  # only where a sheet names spells

    return spellbook.known(name, edition) or {"name": name}


def _spell(state: State, name: str) -> Fields:
    """Return the fields of a spell, from the log's campaign, else from the document; only the name while the campaign
    is missing.
    """
    from projections.rulesets.fifth_edition import spellbook  # only where a sheet names spells
    from projections.rulesets.fifth_edition.srd import campaigns

    if own := campaigns.spell(state, name):
        return dict(msgspec.to_builtins(spellbook.entry_of(own)))
    return {"name": name} if campaigns.is_away(state) else _spell_of_a_document(name, state.option("edition"))


WORDS: dict[str, Callable[[str, str], object]] = {
    "resistances": lambda word, _edition: word,
    "vulnerabilities": lambda word, _edition: word,
    "immunities": lambda word, _edition: word,
    "untrained": lambda word, _edition: word,
    "weapons": weapon,
    "entries": _spell_of_a_document,
}
"""The fields that are lists, each with a function that returns the meaning of a word in an edition."""
