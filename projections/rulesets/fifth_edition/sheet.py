"""The sheet of the fifth edition and its calendar: a round is six seconds."""

from typing import Literal

from msgspec import Struct

from eventstore.shapes import Shape, Text, Whole, Word
from projections.sheet import Entry
from projections.time import Calendar


class Weapon(Shape, frozen=True, kw_only=True):
    """A weapon; `range` is in feet, or normal and long, `recharge` the lowest face of a d6 that makes it ready again."""

    name: Word
    dice: Word | None = None
    damage_type: Word | None = None
    ability: Word | None = None
    bonus: Whole = 0
    properties: tuple[Word, ...] | None = None
    range: tuple[Whole, ...] | Whole | None = None
    reach: Whole | None = None
    critical: Whole | None = None
    recharge: Whole | None = None


AT_WILL = "at will"
"""The attribute of a spell that takes no slot."""


class FifthEntry(Entry, frozen=True, kw_only=True):
    """A spell, feature, trait or item; `damage_type` is that of all its damage, `recharge` is as in a weapon."""

    level: Whole | None = None
    dice: Word | None = None
    damage_type: Word | None = None
    duration: Word | None = None
    recharge: Whole | None = None


class Spellcasting(Shape, frozen=True, kw_only=True):
    """The spellcasting ability, or the DC and the attack bonus themselves."""

    ability: Word | None = None
    dc: Whole | None = None
    attack: Whole | None = None


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A sheet; every field may be left out, and checks that need a missing field say nothing."""

    srd: Word | None = None
    """The monster of a reference document that has the fields which the sheet leaves out: 2024:goblin-warrior."""
    creature: Literal["character", "monster"] | None = None
    hp: Whole | None = None
    hp_max: Whole | None = None
    temp: Whole = 0
    hp_floor: Whole | None = None
    ac: Whole | None = None
    initiative: Whole | None = None
    abilities: dict[Word, Whole] = {}
    proficiency: Whole | None = None
    saves: dict[Word, Whole] = {}
    skills: dict[Word, Whole] = {}
    speeds: dict[Word, Whole | bool] = {}
    size: Word | None = None
    reach: Whole | None = None
    attacks: Whole | None = None
    critical: Whole | None = None
    resistances: tuple[Word, ...] | None = None
    vulnerabilities: tuple[Word, ...] | None = None
    immunities: tuple[Word, ...] | None = None
    spellcasting: Spellcasting | None = None
    resources: dict[Word, Whole] = {}
    weapons: tuple[Weapon, ...] = ()
    entries: tuple[FifthEntry, ...] | None = None
    untrained: tuple[Word, ...] = ()
    wielding: dict[Word, Word] = {}
    weapon: Word | None = None
    notes: Text | None = None


ROUND = 6
"""The number of seconds in a round."""

CALENDAR = Calendar(
    seconds={"second": 1, "round": ROUND, "minute": 60, "turn": 60, "hour": 3600, "day": 86400}, tick="round"
)
