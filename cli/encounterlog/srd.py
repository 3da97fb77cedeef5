"""Monsters and spells of the free reference documents, by name: `el.srd.monster("goblin")`, `el.srd.spell("bless", "2024")`.

They are tables of facts (names, numbers, types), read when they are first asked for; ATTRIBUTION.md says where they come from.
"""

from encounterlog.errors import Refused
from projections.rulesets.fifth_edition.srd import tables
from projections.rulesets.fifth_edition.srd.records import Monster, Spell

EDITION = "2014"
"""The edition that is meant where none is named, as in logs."""


def monster(name: str, edition: str = EDITION) -> Monster:
    """Return the one monster of this name, in the singular or the plural; raise Refused with those that it may be."""
    one = tables.exactly(monsters(edition), name)
    found = (one,) if one else tables.called(monsters(edition), name)
    if len(found) == 1:
        return found[0]
    raise _unclear(name, edition, "monster", found, tables.nearest(monsters(edition), name))


def spell(name: str, edition: str = EDITION) -> Spell:
    """Return the one spell of this name; raise Refused with those that it may be."""
    one = tables.exactly(spells(edition), name)
    found = (one,) if one else tables.called(spells(edition), name)
    if len(found) == 1:
        return found[0]
    raise _unclear(name, edition, "spell", found, tables.nearest(spells(edition), name))


def monsters(edition: str = EDITION) -> tuple[Monster, ...]:
    """Return all monsters of an edition, by their ids; raise Refused for an edition that there is not."""
    return tables.monsters(_known(edition))


def spells(edition: str = EDITION) -> tuple[Spell, ...]:
    """Return all spells of an edition, by their ids; raise Refused for an edition that there is not."""
    return tables.spells(_known(edition))


def called(name: str, edition: str = EDITION) -> tuple[Monster | Spell, ...]:
    """Return the monsters and spells that a name may stand for: those of exactly this name, else all that have its words."""
    return among(monsters(edition), spells(edition), name)


def among(monsters: tuple[Monster, ...], spells: tuple[Spell, ...], name: str) -> tuple[Monster | Spell, ...]:
    """Return those of these monsters and spells that a name may stand for: those of exactly this name, else all that have its words."""
    both = (tables.exactly(monsters, name), tables.exactly(spells, name))
    if exact := tuple(one for one in both if one):
        return exact
    return (*tables.called(monsters, name), *tables.called(spells, name))


def _known(edition: str) -> str:
    if edition not in tables.EDITIONS:
        raise Refused("usage", f"{edition[:40]!r} is no edition", f"there are {' and '.join(tables.EDITIONS)}")
    return edition


def _unclear(
    name: str, edition: str, kind: str, found: tuple[Monster | Spell, ...], near: tuple[Monster | Spell, ...]
) -> Refused:
    """Return the refusal of a name that stands for none or several, with those that may be meant as the hint."""
    if found:
        names = ", ".join(one.name for one in found[:10])
        more = f" and {len(found) - 10} more" if found[10:] else ""
        return Refused("refused", f"{name[:60]!r} may be one of several {kind}s of {edition}", f"{names}{more}")
    hint = f"did you mean {', '.join(one.name for one in near)}?" if near else "encounter srd --names lists them"
    return Refused("refused", f"{edition} has no {kind} {name[:60]!r}", hint)
