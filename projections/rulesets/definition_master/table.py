"""The tables of the catalogue as the functions use them: the rows of rules.toml, read once."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from projections.rulesets.catalogue import read

RULES = Path(__file__).with_name("rules.toml")
Row = Mapping[str, Any]
"""A row of a table."""


@cache
def rows(table: str) -> tuple[Row, ...]:
    """Return the rows of a table, such as `contest` or `modifier`."""
    book = read(RULES)
    return tuple(book.action if table == "action" else book.tables[table])


@cache
def row(table: str, name: str, column: str = "name") -> Row | None:
    """Return the first row of a table with this name; None if there is none."""
    return next((each for each in rows(table) if each.get(column) == name), None)


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


def faults_of(what: str) -> tuple[str, ...]:
    """Return the clauses by which something may have been recorded wrong: an attack, damage, a contest, a strike."""
    return tuple(read(RULES).tables["faults"][what])
