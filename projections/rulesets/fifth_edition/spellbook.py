"""Spells of the free reference documents as entries of sheets: level, cost or casting time, concentration, whether they bring back the dead."""

import re
from functools import cache

from projections.open_types import Fields
from projections.rulesets.fifth_edition.srd.records import Spell
from projections.rulesets.fifth_edition.srd.tables import EDITIONS, spells

REVIVES = "revives"
"""The attribute of what brings back the dead."""
REVIVING = frozenset({"raise-dead", "reincarnate", "resurrection", "revivify", "true-resurrection"})
"""The spells that bring back the dead."""


def key(name: str) -> str:
    """Return the letters of a name, by which names are compared: tools leave out apostrophes, dashes and blanks."""
    return re.sub(r"[^a-z]", "", name.casefold())


@cache
def _by_key(edition: str) -> dict[str, Spell]:
    return {key(one.name): one for one in spells(edition)}


def spell_named(name: str, edition: str) -> Spell | None:
    """Return a spell of an edition, else of the other; None if neither document lists it."""
    named = key(name)
    return next((_by_key(each)[named] for each in (edition, *EDITIONS) if named in _by_key(each)), None)


def known(name: str, edition: str) -> Fields | None:
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
