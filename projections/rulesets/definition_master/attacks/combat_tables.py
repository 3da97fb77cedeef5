"""The tables of the catalogue for combat: modifiers, parts of an armour class, sizes, reach, shields, contests."""

from functools import cache

from msgspec import Struct, convert

from projections.rulesets.definition_master.table import rows


class Bonus(Struct, frozen=True):
    """A modifier with a fixed amount: what it changes, and until when."""

    name: str
    to: str
    amount: int
    type: str
    until: str
    rule: str


class ArmorPart(Struct, frozen=True):
    """A part of an armour class, and whether it counts against a touch attack."""

    name: str
    touch: bool
    rule: str


class Size(Struct, frozen=True):
    """A size: its rank, the modifier of opposed rolls, the squares it takes up and its reach in feet, where given."""

    name: str
    rank: int
    rule: str
    opposed: int = 0
    squares: int | None = None
    reach: int | None = None


class Ring(Struct, frozen=True):
    """The rings of squares that a size threatens with a weapon, with the corners of the outer one or without."""

    size: str
    weapon: str
    rings: int
    corners: bool
    squares: int
    rule: str


class Contest(Struct, frozen=True):
    """A contest: what the two roll, whether a touch attack and a strike come first, what the defender may use instead."""

    action: str
    touch: bool
    strike: bool
    struck: int
    aggressor: str
    defender: str
    size: bool
    rule: str
    instead: str = ""


@cache
def bonuses() -> tuple[Bonus, ...]:
    """Return the modifiers with a fixed amount."""
    return convert(rows("modifier"), tuple[Bonus, ...])


@cache
def armor_parts() -> dict[str, ArmorPart]:
    """Return the parts of an armour class by name."""
    return {row.name: row for row in convert(rows("ac_part"), tuple[ArmorPart, ...])}


@cache
def sizes() -> dict[str, Size]:
    """Return the sizes by name, the smallest first."""
    return {row.name: row for row in convert(rows("size"), tuple[Size, ...])}


@cache
def rings() -> dict[tuple[str, str], Ring]:
    """Return what is threatened, by size and kind of weapon."""
    return {(row.size, row.weapon): row for row in convert(rows("reach"), tuple[Ring, ...])}


@cache
def shields() -> dict[str, str]:
    """Return the die of a bash by kind of shield."""
    return {row["name"]: row["die"] for row in rows("shield")}


@cache
def contests() -> dict[str, Contest]:
    """Return the contests by the action that they decide."""
    return {row.action: row for row in convert(rows("contest"), tuple[Contest, ...])}
