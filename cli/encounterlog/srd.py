"""Monsters and spells of the free reference documents, by name: `el.srd.monster("goblin")`, `el.srd.spell("bless", "2024")`.

They are tables of facts (names, numbers, types), read when they are first asked for; ATTRIBUTION.md says where they come from.
"""

from encounterlog.errors import Refused
from projections.rulesets.fifth_edition.srd import tables
from projections.rulesets.fifth_edition.srd.records import Monster, Spell
from projections.rulesets.fifth_edition.srd.tables import One

EDITION = "2014"
"""The edition that is meant where none is named, as in logs."""


def monster(name: str, edition: str = EDITION) -> Monster:
    """Return the monster of this name, in the singular or the plural, else the only one with its words; raise Refused for none or several."""
    return _only(name, edition, "monster", monsters(edition))


def spell(name: str, edition: str = EDITION) -> Spell:
    """Return the spell of this name, else the only one with its words; raise Refused for none or several."""
    return _only(name, edition, "spell", spells(edition))


def monsters(edition: str = EDITION) -> tuple[Monster, ...]:
    """Return all monsters of an edition, by their ids; raise Refused for an edition that there is not."""
    return tables.monsters(_known(edition))


def spells(edition: str = EDITION) -> tuple[Spell, ...]:
    """Return all spells of an edition, by their ids; raise Refused for an edition that there is not."""
    return tables.spells(_known(edition))


def among(monsters: tuple[Monster, ...], spells: tuple[Spell, ...], name: str) -> tuple[Monster | Spell, ...]:
    """Return those of these monsters and spells that a name may stand for: those of exactly this name, else all that have its words."""
    both = (tables.exactly(monsters, name), tables.exactly(spells, name))
    if exact := tuple(one for one in both if one):
        return exact
    return (*tables.called(monsters, name), *tables.called(spells, name))


def _known(edition: str) -> str:
    if edition not in tables.EDITIONS:
        raise Refused(
            "usage", f"{repr(edition)[:40]} is no edition", f"there are {' and '.join(map(repr, tables.EDITIONS))}"
        )
    return edition


def _only(name: str, edition: str, kind: str, those: tuple[One, ...]) -> One:
    """Return the one record that a name stands for; raise Refused for none or several, with those that may be meant as the hint."""
    if not isinstance(name, str):
        raise Refused("usage", f"{repr(name)[:40]} is no name of a {kind}", "a name is text, such as 'goblin'")
    found = tables.called(those, name)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(one.name for one in found[:10])
        more = f" and {len(found) - 10} more" if found[10:] else ""
        raise Refused("refused", f"{name[:60]!r} may be one of several {kind}s of {edition}", f"{names}{more}")
    near = tables.nearest(those, name)
    hint = f"did you mean {', '.join(one.name for one in near)}?" if near else "encounter srd --names lists them"
    raise Refused("refused", f"{edition} has no {kind} {name[:60]!r}", hint)
