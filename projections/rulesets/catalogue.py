"""A ruleset's catalogue: its clauses and options as data, from the rules.toml in its folder.

Reading that file is the one thing that a projection takes from disk; it is part of the program, like its code. It is
read where rules are cited or options chosen, never for a mere replay.
"""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct


class Option(Struct, frozen=True):
    """Is an open point of the text: its values (the first is the default) and what each means."""

    name: str
    values: tuple[str, ...]
    says: str
    rules: tuple[str, ...] = ()
    case: dict[str, str] = {}


class Clause(Struct, frozen=True):
    """Is a clause in our words; kind is derive, audit, both or gm; `unclear` names the reading adopted."""

    id: str
    section: str
    says: str
    kind: str
    case: str
    breach: str = ""
    unclear: str = ""


class Catalogue(Struct, frozen=True):
    """Is a ruleset's text as data."""

    catalogue: str
    ruleset: str
    rule: tuple[Clause, ...]
    option: tuple[Option, ...] = ()
    action: tuple[dict[str, Any], ...] = ()

    def find_option(self, name: str) -> Option | None:
        """Return the option of this name, or None."""
        return next((option for option in self.option if option.name == name), None)

    def clause(self, rule: str) -> Clause | None:
        """Return the clause of this id, or None."""
        return next((clause for clause in self.rule if clause.id == rule), None)


@cache
def read(path: Path) -> Catalogue:
    """Read a rules.toml."""
    import tomllib  # only where rules are cited

    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Catalogue)
