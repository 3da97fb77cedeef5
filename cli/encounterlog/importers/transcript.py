"""The result of an importer: facts, each with its moment and its lines, and everything that was not understood."""

from typing import Any, NamedTuple

USUAL = "plain"  # the default ruleset: it suits any game
NOTHING_WRITTEN = "nothing was written"


class BadSource(Exception):
    """The error that a source is not a recording of this format, or exceeds a limit; it says where and why."""

    def __init__(self, says: str, hint: str = NOTHING_WRITTEN) -> None:
        super().__init__(says)
        self.hint = hint


class Problem(NamedTuple):
    """A row, or a part of it, that could not be understood."""

    line: int
    what: str


class Fact(NamedTuple):
    """An event, when it was recorded, the lines of the source that it comes from, and whether it is the game master's alone."""

    event: dict[str, Any]
    at: str
    lines: tuple[int, ...]
    secret: bool = False


class Repair(NamedTuple):
    """A value that was set right, since the source shows another than the facts before it gave. `fact` is the place, from 0, of
    the fact that sets it right; `line` is the row that shows the value, `cause` the row that explains it, or 0.
    """

    fact: int
    address: str
    line: int
    cause: int
    says: str


class Transcript(NamedTuple):
    """A recorded combat as facts of a ruleset, with every repair, and the rows that were not understood. `states` is the number
    of states that the source shows; `begins` names anything special about its beginning;
    `left_out` counts people's messages that are talk, `after_end` the rows after the end of the fight, `ignored` the lines
    that a mapping leaves out. An option that `options` does not name has its default.
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
    after_end: int = 0
    ignored: int = 0

    @property
    def unexplained(self) -> tuple[Repair, ...]:
        """The repairs that no row explains."""
        return tuple(one for one in self.repairs if not one.cause)
