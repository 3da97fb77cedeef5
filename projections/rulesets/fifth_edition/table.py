"""The tables of the catalogue, read once: conditions, sizes, covers."""

from functools import cache
from typing import Literal

from msgspec import Struct

from eventstore.paths import path_beside
from projections.mechanics.conditions import ConditionRow
from projections.ruleset.catalogue import table_rows

RULES = path_beside(__file__, "rules.toml")
WAYS = {"advantage": 1, "disadvantage": -1}


class Size(Struct, frozen=True, forbid_unknown_fields=True):
    """A size of creatures."""

    name: str
    squares: int
    """The squares on a side of its space."""


class Cover(Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of cover."""

    name: str
    percent: int
    """The least part of a target that it hides."""
    rule: str
    ac: int = 0
    """The number that it adds to the AC and to Dexterity saves; 0 if nothing behind it can be a target."""
    note: str = ""


class Condition(ConditionRow, frozen=True, kw_only=True):
    """A row in the table of conditions: its effects on the bearer's acts, and on acts against the bearer."""

    edition: Literal["", "2014", "2024"] = ""
    level: int = 0
    """The level of exhaustion from which on the row holds."""
    attacks: Literal["", "advantage", "disadvantage"] = ""
    attacked: Literal["", "advantage", "disadvantage", "advantage within 5 feet, else disadvantage"] = ""
    checks: Literal["", "advantage", "disadvantage"] = ""
    initiative: Literal["", "advantage", "disadvantage"] = ""
    saves: dict[str, Literal["advantage", "disadvantage"]] = {}
    """The abilities, or all."""
    in_sight: bool = False
    """Whether the row affects rolls only while the source of the condition is in sight."""
    elsewhere: bool = False
    """Whether it affects them only against others than the source."""
    unless: str = ""
    """The condition that suspends it."""
    fails: tuple[str, ...] = ()
    """The abilities whose saves fail."""
    fails_checks: tuple[str, ...] = ()
    """The words for checks that fail."""
    critical_within: int = 0
    """The feet within which every hit is critical."""
    resists: str = ""
    """The type of damage that is halved, or all."""
    immune: tuple[str, ...] = ()
    """The conditions that cannot be gained."""
    speed_zero: bool = False
    no_acts: bool = False
    no_concentration: bool = False
    no_harm: bool = False
    """Whether its source cannot be harmed."""
    no_nearer: bool = False
    """Whether its source cannot be approached."""
    blind: bool = False
    unseen: bool = False


CONDITIONS = table_rows(RULES, "condition", Condition)
"""The rows of the conditions in both editions, in the order of their influences on a roll."""
SPACES = {row.name: row.squares for row in table_rows(RULES, "size", Size)}
"""The number of squares on a side of the space, for each size from the smallest."""
COVERS = {row.name: row for row in table_rows(RULES, "cover", Cover)}
"""The kinds of cover by name."""


@cache
def conditions(edition: str) -> dict[str, tuple[Condition, ...]]:
    """Return the rows of the conditions in an edition by name; being the condition cites the first of them."""
    found: dict[str, tuple[Condition, ...]] = {}
    for row in CONDITIONS:
        if row.edition in ("", edition):
            found[row.name] = (*found.get(row.name, ()), row)
    return found


@cache
def rows_with(edition: str, column: str) -> tuple[Condition, ...]:
    """Return the rows of an edition with a value in a column."""
    return tuple(row for each in conditions(edition).values() for row in each if getattr(row, column))


@cache
def conditions_in_one_edition(column: str) -> frozenset[str]:
    """Return the names of the conditions with a value in a column in one edition only."""
    old, new = ({row.name for row in rows_with(edition, column)} for edition in ("2014", "2024"))
    return frozenset(old ^ new)


def clauses_with(*columns: str) -> tuple[str, ...]:
    """Return the clauses of the rows with a value in one of these columns, each once."""
    found = (row.rule for row in CONDITIONS if any(getattr(row, column) for column in columns))
    return tuple(dict.fromkeys(found))
