"""What an importer makes of a recording: facts, each with its moment and its lines, and all that it could not place."""

from typing import Any, NamedTuple


class BadSource(Exception):
    """A source that is no recording of this format, or goes beyond a limit; the sentence says where and why."""

    def __init__(self, says: str, hint: str = "nothing was written") -> None:
        super().__init__(says)
        self.hint = hint


class Problem(NamedTuple):
    """A row, or a thing in it, that could not be understood."""

    line: int
    what: str


class Fact(NamedTuple):
    """An event of the vocabulary, when it was recorded, and the lines of the source that it comes from."""

    event: dict[str, Any]
    at: str
    lines: tuple[int, ...]


class Repair(NamedTuple):
    """A value that was set right after what the source shows, because the facts before it came to something else.

    `fact` is the place, from 0, of the fact that sets it right, `line` the row that shows the value, `cause` the line of
    the row that explains it, or 0 where none does.
    """

    fact: int
    address: str
    line: int
    cause: int
    says: str


class Transcript(NamedTuple):
    """A recorded combat as facts of a ruleset, with every repair, and what could not be understood.

    `states` says how many of its states the source shows; `begins` what is to be known of its beginning; `left_out`
    counts the messages of people, who talk and play their parts. An option that `options` does not name has its default.
    """

    title: str
    ruleset: str
    facts: list[Fact]
    problems: list[Problem]
    states: int
    repairs: tuple[Repair, ...] = ()
    left_out: int = 0
    options: dict[str, str] = {}
    begins: str = ""

    @property
    def unexplained(self) -> tuple[Repair, ...]:
        """The repairs that no row explains."""
        return tuple(one for one in self.repairs if not one.cause)
