"""The tables of the catalogue as the functions use them: the rows of rules.toml, read once."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from msgspec import Struct, convert

from eventstore.paths import beside
from projections.mechanics.grants import words
from projections.rulesets.catalogue import read
from projections.rulesets.ruleset import describing

RULES = beside(__file__, "rules.toml")
described = describing(RULES)
Row = Mapping[str, Any]
"""A row of a table."""


@cache
def rows(table: str) -> tuple[Row, ...]:
    """Return the rows of a table, such as `contest` or `modifier`."""
    book = read(RULES)
    return tuple(book.action if table == "action" else book.tables[table])


@cache
def row(table: str, name: str) -> Row:
    """Return the first row of a table with this name; an empty one if there is none."""
    return next((each for each in rows(table) if each.get("name") == name), {})


@cache
def action_rows(kind: str) -> tuple[Row, ...]:
    """Return the rows of a kind of action (case folded), in the order of the table."""
    return tuple(each for each in rows("action") if each.get("kind") == kind)


@cache
def maneuvers() -> tuple[str, ...]:
    """Return the kinds that take the place of an attack: what costs an attack action and is no attack or spell."""
    found = (each.get("kind", "") for each in rows("action") if each["cost"] == "attack")
    return tuple(kind for kind in found if kind not in ("attack", "cast"))


def rule_of(kind: str) -> str:
    """Return the clause behind a kind of action that the table lists."""
    return str(action_rows(kind)[0]["rule"])


@cache
def table(name: str) -> Mapping[str, Any]:
    """Return a table of the catalogue that has names for its rows."""
    found: Mapping[str, Any] = read(RULES).tables[name]
    return found


@cache
def kinds(what: str) -> tuple[str, ...]:
    """Return the kinds of acts that have something in common."""
    return tuple(table("kinds")[what])


def mentions(what: str, *texts: str | None) -> bool:
    """Say whether one of these texts has a word by which this is told."""
    return not {*words(" ".join(filter(None, texts)))}.isdisjoint(table("mentions")[what])


def faults_of(what: str) -> tuple[str, ...]:
    """Return the clauses by which something may have been recorded wrong: an attack, damage, a contest, a strike."""
    return tuple(table("faults")[what])


class Bonus(Struct, frozen=True):
    """A modifier with a fixed amount: what it changes, and until when."""

    name: str
    to: str
    amount: int
    until: str
    rule: str


class ArmorPart(Struct, frozen=True):
    """A part of an armour class, and whether it counts against a touch attack."""

    name: str
    touch: bool
    rule: str


class Size(Struct, frozen=True):
    """A size: its rank, the modifier of opposed rolls, and the squares that it takes up, where the text gives them."""

    name: str
    rank: int
    opposed: int
    squares: int | None = None


class Ring(Struct, frozen=True):
    """The rings of squares that a size threatens with a weapon, with the corners of the outer one or without."""

    size: str
    weapon: str
    rings: int
    corners: bool
    rule: str


class ContestRow(Struct, frozen=True):
    """A contest: what the two roll, whether a touch attack comes first, what the defender may use instead, the clause on who `wins`."""

    action: str
    touch: bool
    struck: int
    aggressor: str
    defender: str
    rule: str
    instead: str = ""
    wins: str = ""


Kind = TypeVar("Kind", bound=Struct)


def keyed(table: str, kind: type[Kind], key: Callable[[Kind], Any]) -> Callable[[], dict[Any, Kind]]:
    """Return what reads the rows of a table, once, by their keys."""
    return cache(lambda: {key(row): row for row in (convert(each, kind) for each in rows(table))})


armor_parts = keyed("ac_part", ArmorPart, lambda row: row.name)
"""The parts of an armour class by name."""
sizes = keyed("size", Size, lambda row: row.name)
"""The sizes by name, the smallest first."""
rings = keyed("reach", Ring, lambda row: (row.size, row.weapon))
"""What is threatened, by size and kind of weapon."""
contests = keyed("contest", ContestRow, lambda row: row.action)
"""The contests by the action that they decide."""


@cache
def bonuses() -> tuple[Bonus, ...]:
    """Return the modifiers with a fixed amount."""
    return convert(rows("modifier"), tuple[Bonus, ...])


@cache
def bonuses_of(name: str, to: str) -> tuple[Bonus, ...]:
    """Return the modifiers of this name to this."""
    return tuple(row for row in bonuses() if (row.name, row.to) == (name, to))
