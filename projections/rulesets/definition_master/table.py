"""The tables of the catalogue: the rows of rules.toml, read once."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar

from msgspec import Struct, convert

from eventstore.paths import path_beside
from projections.mechanics.grants import words_of
from projections.open_types import Json
from projections.ruleset.catalogue import read_catalogue
from projections.ruleset.ruleset import address_maker

RULES = path_beside(__file__, "rules.toml")
described = address_maker(RULES)
Row = Mapping[str, Json]
"""A row of a table."""


@cache
def rows(table: str) -> tuple[Row, ...]:
    """Return the rows of a table, such as `contest` or `modifier`."""
    book = read_catalogue(RULES)
    return tuple(book.action if table == "action" else book.tables[table])


@cache
def row(table: str, name: str) -> Row:
    """Return the first row of a table with this name; an empty one if there is none."""
    return next((each for each in rows(table) if each.get("name") == name), {})


@cache
def rows_of_action(kind: str) -> tuple[Row, ...]:
    """Return the rows of a kind of action (case folded), in the order of the table."""
    return tuple(each for each in rows("action") if each.get("kind") == kind)


@cache
def maneuver_kinds() -> tuple[str, ...]:
    """Return the kinds that take the place of an attack: all that cost an attack action but attacks and spells."""
    found = (each.get("kind", "") for each in rows("action") if each["cost"] == "attack")
    return tuple(kind for kind in found if kind not in ("attack", "cast"))


def clause_of_kind(kind: str) -> str:
    """Return the clause behind a kind of action in the table."""
    return str(rows_of_action(kind)[0]["rule"])


@cache
def table(name: str) -> Mapping[str, Json]:
    """Return a table of the catalogue that names its rows."""
    found: Mapping[str, Json] = read_catalogue(RULES).tables[name]
    return found


@cache
def kinds(what: str) -> tuple[str, ...]:
    """Return the kinds of acts in a list, such as `spells`."""
    return tuple(table("kinds")[what])


def mentions(what: str, *texts: str | None) -> bool:
    """Say whether one of these texts contains a word of this list."""
    return not {*words_of(" ".join(filter(None, texts)))}.isdisjoint(table("vocabulary")[what])


def fault_clauses(what: str) -> tuple[str, ...]:
    """Return the clauses that a wrong record can break, such as the record of an attack."""
    return tuple(table("faults")[what])


class Bonus(Struct, frozen=True, forbid_unknown_fields=True):
    """A modifier with a fixed amount."""

    name: str
    to: str
    """The roll or value that it changes."""
    amount: int
    until: str
    """The word for its end."""
    rule: str
    note: str = ""


class Size(Struct, frozen=True):
    """A size of creatures."""

    name: str
    rank: int
    opposed: int
    """The modifier of opposed rolls."""
    squares: int | None = None
    """The squares that it takes up on a side, if the text gives them."""


class Ring(Struct, frozen=True, forbid_unknown_fields=True):
    """The rings of squares that a size threatens with a kind of weapon."""

    size: str
    weapon: str
    rings: int
    corners: bool
    """Whether the corners of the outer ring are threatened."""
    rule: str


class ContestRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A contest."""

    action: str
    touch: bool
    """Whether a touch attack comes first."""
    struck: int
    """The penalty of the aggressor after a strike; 0 if there is none."""
    aggressor: str
    """The skill that the aggressor rolls."""
    defender: str
    """The skill that the defender rolls."""
    rule: str
    instead: str = ""
    """The skill that the defender may roll instead."""
    wins: str = ""
    """The clause on the winner, if it is not `rule`."""


Kind = TypeVar("Kind", bound=Struct)


def row_reader(table: str, kind: type[Kind], key: Callable[[Kind], object]) -> Callable[[], dict[object, Kind]]:
    """Return a function that reads the rows of a table, once, by their keys."""
    return cache(lambda: {key(row): row for row in (convert(each, kind) for each in rows(table))})


sizes = row_reader("size", Size, lambda row: row.name)
"""The sizes by name, the smallest first."""
rings = row_reader("reach", Ring, lambda row: (row.size, row.weapon))
"""The threatened squares by size and kind of weapon."""
contests = row_reader("contest", ContestRow, lambda row: row.action)
"""The contests by the action that they decide."""


@cache
def bonuses() -> tuple[Bonus, ...]:
    """Return the modifiers with a fixed amount."""
    return convert(rows("modifier"), tuple[Bonus, ...])


@cache
def bonuses_of(name: str, to: str) -> tuple[Bonus, ...]:
    """Return the modifiers with this name to this roll or value."""
    return tuple(row for row in bonuses() if (row.name, row.to) == (name, to))
