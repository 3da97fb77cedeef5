"""Spells of the free reference documents as entries of sheets, and facts of a casting known by its name."""

import re
from functools import cache, lru_cache

from msgspec import structs

from eventstore.shapes import Save, Span
from projections.open_types import Fields
from projections.rulesets.fifth_edition.sheet import FifthEntry
from projections.rulesets.fifth_edition.srd.tables import EDITIONS, Spell, spells

REVIVES = "revives"
"""The attribute of spells and effects that bring back the dead."""
REVIVING = frozenset({"raise-dead", "reincarnate", "resurrection", "revivify", "true-resurrection"})
"""The spells that bring back the dead."""


def key(name: str) -> str:
    """Return the letters of a name for comparisons, since tools leave out apostrophes, dashes and blanks."""
    return re.sub(r"[^a-z]", "", name.casefold())


@cache
def _by_key(edition: str) -> dict[str, Spell]:
    return {key(one.name): one for one in spells(edition)}


def spell_named(name: str, edition: str) -> Spell | None:
    """Return a spell of an edition, else of the other; None if neither document lists it."""
    named = key(name)
    return next((_by_key(each)[named] for each in (edition, *EDITIONS) if named in _by_key(each)), None)


def entry_fields(name: str, edition: str) -> Fields | None:
    """Return the entry of a sheet for a spell in an edition, else in the other; None if neither document lists it."""
    one = spell_named(name, edition)
    if one is None:
        return None
    entry: Fields = {"name": one.name.casefold(), "level": one.level}
    if one.cost:
        entry["cost"] = one.cost
    elif one.time and one.time.amount:
        entry["time"] = {"amount": one.time.amount, "unit": one.time.unit}
    entry |= {"concentration": True} if one.concentration else {}
    return entry | ({"attributes": [REVIVES]} if one.id in REVIVING else {})


COMPONENTS = {"V": "verbal", "S": "somatic", "M": "material"}
"""The components of spells by their letters."""


def make_entry(one: Spell) -> FifthEntry:
    """Return the full entry of a spell for a sheet."""
    time = Span(amount=one.time.amount, unit=one.time.unit) if one.time and one.time.amount else None
    types = {each.type for each in one.damage}  # several, or a choice, are none for all its damage
    return FifthEntry(
        name=one.name.casefold(),
        level=one.level,
        cost=one.cost or None,
        time=None if one.cost else time,
        range=one.range if isinstance(one.range, int) or one.range == "touch" else None,
        concentration=one.concentration,
        allows_save=Save(save=one.save.ability, half=one.save.success == "half") if one.save else None,
        components=tuple(COMPONENTS.get(each, each) for each in one.components),
        damage_type=(types.pop() or None) if len(types) == 1 else None,
        attributes=(REVIVES,) if one.id in REVIVING else (),
    )


@lru_cache(maxsize=1024)
def completed_entry(own: FifthEntry | None, name: str, edition: str) -> FifthEntry | None:
    """Return a sheet's entry for a spell, completed by the name of the spell; None for an unknown name."""
    one = spell_named(name, edition)
    if own is None or one is None:
        return own or (make_entry(one) if one else None)
    fields = ("level", "range", "components", "allows_save", "damage_type")
    silent = {field for field in fields if getattr(own, field) is None}
    silent |= {"cost", "time"} if own.cost is None and own.time is None else set()
    silent |= {"concentration"} if own.level is None and not own.concentration else set()
    known = make_entry(one)
    return structs.replace(own, **{field: getattr(known, field) for field in silent})


def spell_reference(name: str, edition: str) -> str:
    """Return the edition and id of the spell with a name, as in 2014:fireball; "" if neither document lists it."""
    named = key(name)
    return next((f"{each}:{_by_key(each)[named].id}" for each in (edition, *EDITIONS) if named in _by_key(each)), "")
