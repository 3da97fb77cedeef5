"""A campaign's own monsters and spells, by the hash in the option of a log, which records all that it uses of them."""

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from eventstore.wording import visible
from projections.mechanics import dice
from projections.ruleset.documents import LONGEST, NAME, OPTION
from projections.rulesets.fifth_edition.srd import tables
from projections.rulesets.fifth_edition.srd.tables import Monster, Spell
from projections.state import State

One = TypeVar("One", Monster, Spell)
MOST = 2000
"""The most monsters and spells of a campaign."""


class Campaign(Struct, frozen=True):
    """The monsters and spells of a campaign, by their ids."""

    name: str
    monsters: tuple[Monster, ...] = ()
    spells: tuple[Spell, ...] = ()

    @property
    def said(self) -> str:
        """The value of the option: the name, and the hash of the content."""
        content = msgspec.json.encode((self.monsters, self.spells))
        return f"{self.name} sha256:{sha256(content).hexdigest()}"

    def records(self) -> dict[str, tuple[Monster, ...] | tuple[Spell, ...]]:
        """Return its records by their kinds."""
        return {"monster": self.monsters, "spell": self.spells}


class NotHere(ValueError):
    """The campaign of a log is missing or has changed, so the meaning of a name is unknown."""

    def __init__(self, said: str) -> None:
        name = visible(said.partition(" ")[0][:LONGEST])
        super().__init__(
            f"the campaign {name} of this log is not here as it was, and it may have this name",
            "srd=none joins without a stat block, srd=2014:goblin with that of a reference document",
        )


def make_campaign(name: str, monsters: Iterable[tuple[str, object]], spells: Iterable[tuple[str, object]]) -> Campaign:
    """Return a campaign of records decoded from JSON, each with its place; raise ValueError with a wrong one's."""
    if not re.fullmatch(NAME, name) or len(name) > LONGEST or name in tables.EDITIONS:
        raise ValueError(
            f"{visible(name[:60])} is no name of a campaign: lower-case letters, numbers and hyphens, such as red-hills"
        )
    found = Campaign(name, _convert_records(monsters, Monster, name), _convert_records(spells, Spell, name))
    if len(found.monsters) + len(found.spells) > MOST:
        raise ValueError(f"there are more than {MOST:,} monsters and spells")
    return found


def _convert_records(those: Iterable[tuple[str, object]], kind: type[One], edition: str) -> tuple[One, ...]:
    found: dict[str, One] = {}
    for place, said in those:
        try:
            one = msgspec.convert({"id": "", **said} if isinstance(said, dict) else said, kind)
            msgspec.json.encode(one)
        except msgspec.ValidationError as error:
            raise ValueError(f"{place}: {visible(str(error)[:200])}") from None
        except UnicodeEncodeError:
            raise ValueError(f"{place}: half of a surrogate pair is no character") from None
        name = tables.name_key(one.id or one.name)
        if visible(one.name) != one.name or not name or len(one.name) > tables.LONGEST:
            raise ValueError(
                f"{place}: {visible(one.name[:60])!r} is no name of at most {tables.LONGEST} letters and digits"
            )
        if name in found:
            raise ValueError(f"{place}: {name} is there twice")
        found[name] = structs.replace(one, id=name, edition=edition)
    return tuple(found[name] for name in sorted(found))


def parse_hit_dice(said: str) -> tuple[str, int]:
    """Return the dice of hit points and the added number; raise ValueError for a text that is none."""
    found = re.fullmatch(r"(\d{1,3}d\d{1,4})([+-]\d{1,6})?", said)
    if found is None:
        raise ValueError(f"hit_dice {visible(said[:40])} are no hit dice, such as 2d6+4")
    dice.parse(found[1])
    return found[1], int(found[2] or 0)


known: dict[str, Campaign] = {}
"""The campaigns at hand, by their names and hashes."""


def campaign_of(state: State) -> Campaign | None:
    """Return the campaign of a log, None if it has none; raise NotHere if it is not at hand with the same content."""
    said = state.option(OPTION)
    if said and said not in known:
        raise NotHere(said)
    return known.get(said)


def known_monsters(state: State) -> tuple[Monster, ...]:
    """Return the monsters known to a log, those of its campaign first; raise NotHere."""
    own = campaign_of(state)
    return (*(own.monsters if own else ()), *tables.monsters(state.option("edition")))


def campaign_spell(state: State, name: str) -> Spell | None:
    """Return the spell of this name in the campaign of a log; None if it has none, or is not at hand."""
    own = known.get(state.option(OPTION))
    return tables.exact_record(own.spells, name) if own else None


def is_missing(state: State) -> bool:
    """Say whether a log has a campaign that is not at hand."""
    said = state.option(OPTION)
    return bool(said) and said not in known
