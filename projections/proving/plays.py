"""The content of a script: plays, with their facts, expectations and the words that must be known; and errors in them."""

from typing import TYPE_CHECKING

from msgspec import Struct

from eventstore.events import Fact

if TYPE_CHECKING:
    from projections.language.notation.table import Table


class EncError(Exception):
    """An error in a script, with its line and column (both from 1) and a hint."""

    def __init__(self, source: str, line: int, column: int, why: str, hint: str = "") -> None:
        self.source, self.line, self.column, self.why, self.hint = source, line, column, why, hint
        super().__init__(f"{source}, line {line}, column {column}: {why}")


class Expectation(Struct, frozen=True):
    """An `expect` line: its verb, its words, its line, and how many facts precede it."""

    verb: str
    words: tuple[str, ...]
    line: int
    after: int


class Mark(Struct, frozen=True):
    """A word that must be known (a ruleset, an option, a value `of` one, or a rule), and its place."""

    what: str
    word: str
    line: int
    column: int
    of: str = ""


class ScriptRow(Struct, frozen=True):
    """A fact with the number of its row and its line in the script, and whether it is secret."""

    row: int
    line: int
    event: Fact
    secret: bool = False


class Play(Struct, frozen=True):
    """One encounter of a script: what it proves, its header, facts and expectations.

    `says` is the comment right before it.
    """

    kind: str
    name: tuple[str, ...]
    source: str
    line: int
    ruleset: str
    options: dict[str, str]
    joined: tuple[ScriptRow, ...]
    facts: tuple[ScriptRow, ...]
    expectations: tuple[Expectation, ...]
    marks: tuple[Mark, ...] = ()
    says: str = ""

    @property
    def title(self) -> str:
        """The title of a play: its kind and the rule, option or title that it is about."""
        return " ".join((self.kind, *self.name))


class Draft:
    """A play while its lines are read, or what plays begin with."""

    def __init__(self, kind: str, name: tuple[str, ...], line: int, begins: "Draft | None") -> None:
        self.kind, self.name, self.line = kind, name, line
        self.marks: list[Mark] = list(begins.marks) if begins else []
        self.ruleset: str = begins.ruleset if begins else ""
        self.options: dict[str, str] = dict(begins.options) if begins else {}
        self.joined: list[ScriptRow] = list(begins.joined) if begins else []
        self.facts: list[ScriptRow] = list(begins.facts) if begins else []
        self.given = len(self.facts)
        self.expectations: list[Expectation] = []
        self.says = ""
        self.said: set[str] = set()
        self.table: Table | None = None
