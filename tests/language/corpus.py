"""The corpus of the language: lines, each with what was told before it, and its meaning or that it is asked about. What a file has before its lines is that of each of them; its list `asked` has lines that are asked about."""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct

from projections.language.notation.table import Table
from projections.open_types import Facts
from tests.few import few
from tests.language.scenes import table

FOLDER = Path(__file__).parent / "corpus"
TEXTS = Path(__file__).parent / "texts"
"""The lines in the words of the texts of the games."""
EVENINGS = Path(__file__).parent / "evenings"


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the corpus: the ruleset, the lines before it, and its facts, without those by which the clock moves; without facts it is asked about."""

    ruleset: str
    before: tuple[str, ...]
    line: str
    meaning: Facts = []
    asked: bool = False
    phrase: str = ""
    """The words of a game's text that it has."""
    help: str = ""
    """A word under which help shows that phrase."""
    then: tuple[str, ...] = ()
    """What is told in its place, in an evening, where it is asked about."""


@cache
def at(ruleset: str, before: tuple[str, ...]) -> Table:
    """Return the table at which lines are read after these lines; nothing is told there."""
    if not before:
        return table(ruleset, ())
    made = Table(at(ruleset, before[:-1]).records)
    made.hear(before[-1])
    return made


@cache
def lines() -> tuple[Line, ...]:
    """Return the corpus."""
    paths = sorted((*FOLDER.glob("*.toml"), *TEXTS.glob("*.toml")))
    files = [tomllib.loads(path.read_text()) for path in paths]
    shared = [{key: value for key, value in file.items() if key not in ("line", "asked")} for file in files]
    asked = [[{"line": each, "asked": True} for each in file.get("asked", ())] for file in files]
    read = (
        common | each
        for file, common, more in zip(files, shared, asked, strict=True)
        for each in (*file.get("line", ()), *more)
    )
    return tuple(msgspec.convert(each, Line) for each in read)


PART = 50
"""How many lines a test asks."""


def in_parts(of: Sequence[Line], quick: int | None = None) -> pytest.MarkDecorator:
    """Return the mark of a test that is run for so many lines at a time, named for the first of them; all parts but so many are slow."""
    parts = [of[at : at + PART] for at in range(0, len(of), PART)]
    named = [pytest.param(part, id=f"{part[0].ruleset}: {part[0].line}") for part in parts]
    return few(quick or len(named), "part", named)


@cache
def evenings() -> dict[str, tuple[Line, ...]]:
    """Return the evenings by their names: the lines of each, with all that was told before them."""
    found = {}
    for path in sorted(EVENINGS.glob("*.toml")):
        read, before, lines = tomllib.loads(path.read_text()), tuple[str, ...](), list[Line]()
        for each in read["line"]:
            lines.append(msgspec.convert({"ruleset": read["ruleset"], "before": before} | each, Line))
            before = (*before, *(lines[-1].then if lines[-1].asked else (lines[-1].line,)))
        found[path.stem] = tuple(lines)
    return found
