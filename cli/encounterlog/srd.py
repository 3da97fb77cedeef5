"""Monsters and spells of the free reference documents, by name: `el.srd.monster("goblin")`, `el.srd.spell("bless", "2024")`.

They are tables of facts (names, numbers, types), read when they are first asked for; ATTRIBUTION.md says where they come from.
"""

from encounterlog.log.opening import raise_as_refused
from projections.rulesets.fifth_edition.srd import documents
from projections.rulesets.fifth_edition.srd.tables import Monster, Spell

EDITION = documents.DOCUMENTS.editions[0]  # the edition that is meant where none is named, as in logs


def monster(name: str, edition: str = EDITION) -> Monster:
    """Return the monster of this name, in the singular or the plural, else the only one with its words; raise Refused for none or several."""
    with raise_as_refused():
        return documents.find_monster(name, edition)


def spell(name: str, edition: str = EDITION) -> Spell:
    """Return the spell of this name, else the only one with its words; raise Refused for none or several."""
    with raise_as_refused():
        return documents.find_spell(name, edition)


def monsters(edition: str = EDITION) -> tuple[Monster, ...]:
    """Return all monsters of an edition, by their ids; raise Refused for an edition that there is not."""
    with raise_as_refused():
        return documents.monsters(edition)


def spells(edition: str = EDITION) -> tuple[Spell, ...]:
    """Return all spells of an edition, by their ids; raise Refused for an edition that there is not."""
    with raise_as_refused():
        return documents.spells(edition)
