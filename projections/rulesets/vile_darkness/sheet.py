"""The sheet of Vile Darkness and its calendar: a round is a minute, ten segments of six seconds."""

from typing import Annotated

from msgspec import Meta, field

from eventstore.shapes import LARGEST, Shape, Whole, Word
from projections.sheet import CommonSheet, Entry
from projections.time import Calendar

SEGMENTS = 10
"""Segments in a round, of six seconds each."""


class Weapon(Shape, frozen=True, kw_only=True):
    """A line of the attack block: attacks of a routine, dice, speed (segments), space and range (feet), magic bonus.

    A weapon without a speed is a natural one; one with a range shoots. `space` may differ by manner.
    """

    name: Word
    attacks: Whole = 1
    dice: Word | None = None
    speed: Whole | None = None
    space: Whole | dict[Word, Whole] = 0
    range: Whole | None = None
    magic: Whole = 0


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A character sheet: hit points, armour class, attack table, class, hit dice, speeds (feet a round), weapons, entries."""

    hp: Whole
    hp_max: Whole | None = None
    ac: Whole = 10
    ac_parts: dict[Word, Whole] = {}
    aac0: Whole = 20
    aac0_starred: bool = False
    attack_table: str = ""
    class_: str = field(default="", name="class")
    level: Whole = 0
    hit_dice: Whole = 1
    hit_dice_bonus: Whole = 0
    hp_dice: tuple[Whole, ...] = ()
    speeds: dict[Word, Whole] = {}
    native_modes: tuple[Word, ...] = ()
    routines: Annotated[int, Meta(ge=-LARGEST, le=100)] = 1
    goes: Word | None = None
    dexterity_reaction: Whole = 0
    immune: tuple[Word, ...] = ()
    resources: dict[Word, Whole] = {}
    entries: tuple[Entry, ...] = ()
    weapons: tuple[Weapon, ...] = ()


def sheet_manners(sheet: Sheet) -> list[str]:
    """Return the manners that a sheet names: the modes of its weapons and of movement."""
    modes = [mode for each in sheet.weapons if isinstance(each.space, dict) for mode in each.space]
    return [*modes, *sheet.speeds, *sheet.native_modes]


UNITS = {"second": 1, "segment": 6, "round": 60, "minute": 60, "turn": 600, "hour": 3600, "day": 86400}
CALENDAR = Calendar(seconds=UNITS, tick="segment")
