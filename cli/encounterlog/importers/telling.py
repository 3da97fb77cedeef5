"""What an importer tells: facts, each with its moment and its lines, and what it could not make out."""

from typing import Any, NamedTuple


class BadSource(Exception):
    """The source as a whole is no recording of this format; the sentence says why."""


class Problem(NamedTuple):
    """One row, or one thing in it, that could not be understood."""

    line: int
    what: str


class Fact(NamedTuple):
    """One event of the vocabulary, when it was recorded, and the lines of the source that it comes from."""

    event: dict[str, Any]
    at: str
    lines: tuple[int, ...]


class Telling(NamedTuple):
    """A recorded combat as facts of a ruleset, with what could not be understood.

    `states` says how many of its states the source shows, `unexplained` how many changes no row explains; `rulings` are
    the places, from 0, of the facts that put such a change into force; `left_out` counts the messages of people, who
    talk and play their parts. An option that `options` does not name has its default.
    """

    title: str
    ruleset: str
    facts: list[Fact]
    problems: list[Problem]
    states: int
    unexplained: int = 0
    rulings: tuple[int, ...] = ()
    left_out: int = 0
    options: dict[str, str] = {}
