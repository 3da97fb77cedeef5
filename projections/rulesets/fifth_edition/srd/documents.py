"""The reference documents for the application (projections/ruleset/documents.py): by name, as pages, and for
combatants who join.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from eventstore.wording import visible
from projections.open_types import Fields
from projections.ruleset.documents import Joining, NoEdition, NoName, NoRecord, Placed, Record
from projections.rulesets.fifth_edition import spellbook
from projections.rulesets.fifth_edition.sheet import FifthEntry, Sheet
from projections.rulesets.fifth_edition.srd import campaigns, printing, sheets, tables
from projections.rulesets.fifth_edition.srd.campaigns import Campaign
from projections.rulesets.fifth_edition.srd.records import Monster, Spell
from projections.state import State

One = TypeVar("One", Monster, Spell)
MONSTER, SPELL = "monster", "spell"
HIGHEST = 9
"""The highest level of a spell."""


def monster(name: str, edition: str) -> Monster:
    """Return the monster of this name, in the singular or the plural, else the only one with its words; raise NoRecord, or NoEdition."""
    return _only(name, edition, MONSTER, monsters(edition))


def spell(name: str, edition: str) -> Spell:
    """Return the spell of this name, else the only one with its words; raise NoRecord, or NoEdition."""
    return _only(name, edition, SPELL, spells(edition))


def monsters(edition: str) -> tuple[Monster, ...]:
    """Return all monsters of an edition, by their ids; raise NoEdition."""
    return tables.monsters(_known(edition))


def spells(edition: str) -> tuple[Spell, ...]:
    """Return all spells of an edition, by their ids; raise NoEdition."""
    return tables.spells(_known(edition))


def _known(edition: str) -> str:
    if edition not in tables.EDITIONS:
        raise NoEdition(f"{repr(edition)[:40]} is no edition", f"there are {' and '.join(map(repr, tables.EDITIONS))}")
    return edition


def _only(name: str, edition: str, kind: str, those: tuple[One, ...]) -> One:
    """Return the one record that a name stands for; raise NoRecord for none or several, with likely ones as the
    hint.
    """
    if not isinstance(name, str):
        raise NoName(f"{repr(name)[:40]} is no name of a {kind}", "a name is text, such as 'goblin'")
    found = tables.called(those, name)
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(one.name for one in found[:10])
        more = f" and {len(found) - 10} more" if found[10:] else ""
        raise NoRecord(f"{name[:60]!r} may be one of several {kind}s of {edition}", f"{names}{more}")
    near = ", ".join(one.name for one in tables.nearest(those, name))
    hint = f"did you mean {near}?" if near else "encounter srd --names lists them"
    raise NoRecord(f"{edition} has no {kind} {name[:60]!r}", hint)


class ReferenceDocuments(Struct, frozen=True):
    """The monsters and spells of the System Reference Documents, and of campaigns."""

    editions: tuple[str, ...] = tables.EDITIONS
    kinds: tuple[str, ...] = (MONSTER, SPELL)
    example: str = 'a file holds such as [[monster]] name = "Ash Goblin" ac = 14 hp = 11, each on a line of its own'

    def records(self, edition: str) -> dict[str, tuple[Record, ...]]:
        """Return the monsters and spells of an edition; raise NoEdition."""
        return {MONSTER: monsters(edition), SPELL: spells(edition)}

    def meant(self, those: Mapping[str, tuple[Record, ...]], name: str) -> dict[str, tuple[Record, ...]]:
        """Return the records that a name may stand for, by their kinds: those of exactly this name, else all with its
        words.
        """
        exact = {kind: tables.exactly(each, name) for kind, each in those.items()}
        if any(exact.values()):
            return {kind: (one,) if one else () for kind, one in exact.items()}
        return {kind: tables.called(each, name) for kind, each in those.items()}

    def nearest(self, those: Mapping[str, tuple[Record, ...]], name: str) -> tuple[Record, ...]:
        """Return the records with names most like a name."""
        return tuple(one for each in those.values() for one in tables.nearest(each, name))

    def beginning(self, name: str, edition: str) -> list[Fields]:
        """Return the monsters whose names have words that begin with those of a name, names that begin with it first;
        raise NoEdition.
        """
        words = tables.key(name).split("-")
        found = [
            one
            for one in monsters(edition)
            if all(any(part.startswith(word) for part in one.id.split("-")) for word in words)
        ]
        found.sort(key=lambda one: (not one.id.startswith("-".join(words)), len(one.id), one.id))
        return [
            {"name": one.name, "id": one.id, "hp": one.hp, "ac": one.ac, "cr": one.cr, "kind": one.type}
            for one in found
        ]

    def lines(self, one: Record, where: str) -> Iterator[str]:
        """Yield the lines of a monster or a spell."""
        return printing.lines(one, where)

    def brief(self, one: Record) -> str:
        """Return the words that distinguish a monster or a spell in a list."""
        return printing.brief(one)

    def joining(self, state: State, name: str) -> Joining:
        """Return the monster with a name, from the log's campaign or its edition; raise NoRecord, or NotHere."""
        edition = state.option("edition")
        campaign = campaigns.of(state)
        own = tables.exactly(campaign.monsters, name) if campaign else None
        one = own or monster(name, edition)
        notation, bonus = campaigns.hit_dice(one.hit_dice) if one.hit_dice else ("", 0)
        return Joining(one.id, {"srd": f"{one.edition or edition}:{one.id}"}, notation, bonus, "constitution")

    def agreeing(self, name: str, edition: str, sheet: Fields) -> Fields:
        """Return the field that names the monster with the name and numbers of a sheet; nothing if there is none, or
        the sheet names one.
        """
        named = "" if "srd" in sheet else sheets.agreeing(name, edition, sheet)
        return {"srd": named} if named else {}

    def campaign(self, name: str, records: Mapping[str, Iterable[Placed]]) -> Campaign:
        """Return a campaign whose monsters and spells all fit on a sheet; raise ValueError with the place of a wrong
        one.
        """
        found = campaigns.made(name, records.get(MONSTER, ()), records.get(SPELL, ()))
        for one in found.monsters:
            try:
                _check_numbers(one)
                msgspec.convert(sheets.sheet_of(one, self.editions[0]), Sheet)
            except (msgspec.ValidationError, ValueError) as error:
                raise ValueError(f"{one.id}: {visible(str(error)[:160])}") from None
        for spell in found.spells:
            try:
                _check_spell(spell)
                msgspec.convert(msgspec.to_builtins(spellbook.entry_of(spell)), FifthEntry)
            except (msgspec.ValidationError, ValueError) as error:
                raise ValueError(f"{spell.id}: {visible(str(error)[:160])}") from None
        return found

    def provide(self, campaign: Campaign) -> None:
        """Register it for the logs that were opened on exactly this content."""
        campaigns.provide(campaign)

    def is_known(self, said: str) -> bool:
        """Say whether a campaign of this name and hash is at hand."""
        return campaigns.is_known(said)


def _check_spell(one: Spell) -> None:
    """Raise ValueError for a level that no spell has, and for invalid dice."""
    if not 0 <= one.level <= HIGHEST:
        raise ValueError(f"level {one.level} is not one of 0 to {HIGHEST}")
    parts = [said for each in one.damage for said in (each.dice, each.step)]
    _check_dice(*parts, *one.by_level.values(), *one.by_slot.values(), one.healing, one.healing_step)


def _check_dice(*those: str) -> None:
    """Raise ValueError for invalid dice of damage or healing; "" stands for unknown ones."""
    for said in filter(None, those):
        if not re.fullmatch(rf"{_TERM}([+-]{_TERM})*", said) or len(said) > LONGEST_DICE:
            raise ValueError(f"{visible(said[:40])} are no dice, such as 2d6+4 or 1d8+mod")


_TERM = r"(\d{1,3}d\d{1,4}|\d{1,6}|mod)"
LONGEST_DICE = 60
"""The most characters of dice."""


def _check_numbers(one: Monster) -> None:
    """Raise ValueError for impossible hit points, armour class or hit dice, and for the word that stands for no
    monster.
    """
    if one.id == sheets.NONE:
        raise ValueError(f"srd={sheets.NONE} stands for no monster")
    if one.hp is not None and one.hp < 1:
        raise ValueError(f"hp {one.hp} is below 1")
    if one.ac is not None and one.ac < 0:
        raise ValueError(f"ac {one.ac} is below 0")
    if one.hit_dice:
        campaigns.hit_dice(one.hit_dice)
    _check_dice(*(said for action in one.actions for each in action.damage for said in (each.dice, each.step)))


DOCUMENTS = ReferenceDocuments()
