"""The errors of the application: why something cannot be done, as a kind, a sentence and a hint.

The edges translate a kind: a command exits with its number, a service answers with a status.
"""

from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from eventstore.errors import (
    Busy,
    CorruptLog,
    KeyReused,
    Malformed,
    NotALog,
    NotMigrated,
    NotWritten,
    OutcomeUnknown,
    Rewritten,
    StoreError,
    TooLarge,
    WrongVersion,
)
from eventstore.form import nearest

Kind = Literal["differs", "usage", "unreadable", "refused", "overtaken", "not-written", "uncertain"]
"""The reasons why something cannot be done.

differs: a log is another one than was named; usage: the request makes no sense; unreadable: a log cannot be read;
refused: the input cannot be recorded; overtaken: another writer came first; not-written: nothing was written;
uncertain: it may have been written.
"""
NUMBERS: dict[Kind, int] = {
    "differs": 1,
    "usage": 2,
    "unreadable": 3,
    "refused": 4,
    "overtaken": 5,
    "not-written": 6,
    "uncertain": 7,
}
"""The number of each kind: the exit code of a command, and `exit` in a problem that a service answers with."""
OF_STORE: dict[type[StoreError], Kind] = {
    Malformed: "refused",
    CorruptLog: "unreadable",
    NotALog: "unreadable",
    NotMigrated: "usage",
    Rewritten: "differs",
    WrongVersion: "overtaken",
    KeyReused: "refused",
    TooLarge: "refused",
    Busy: "not-written",
    NotWritten: "not-written",
    OutcomeUnknown: "uncertain",
}
"""The kind of each error of the store."""
ASKED_FOR = ("WHERE", "address", "anchor", "by", "withhold")
"""The fields that name the subject of a question, and no fact to record."""
BY_MODEL = "(suggested by the model)"
"""The words after a model's suggestion."""


class Reading(NamedTuple):
    """An offered line, and the record that it would make: its facts as sentences, and as they are appended."""

    line: str
    says: tuple[str, ...]
    facts: tuple[dict[str, Any], ...]

    def marked(self) -> "Reading":
        """Return it marked as a model's suggestion, in its last sentence."""
        *others, last = self.says or ("",)
        return self._replace(says=(*others, f"{last} {BY_MODEL}"))


class Refused(Exception):
    """Something that cannot be done: its kind, a sentence, a hint, further lines.

    For a typed line, `column` is where it fails, and `offers` are lines that would do; `readings` has these with the facts that
    they would record, if the line itself can mean several things.
    """

    def __init__(
        self,
        kind: Kind,
        says: str,
        hint: str = "",
        details: Iterable[str] = (),
        column: int = 0,
        offers: tuple[str, ...] = (),
        readings: tuple[Reading, ...] = (),
    ) -> None:
        self.kind, self.says, self.hint, self.details, self.column = kind, says, hint, tuple(details), column
        self.offers, self.readings = offers, readings
        super().__init__(says)
        if hint:
            self.add_note(f"hint: {hint}")

    @property
    def code(self) -> int:
        """The number of the kind: the exit code of a command that ends with it."""
        return NUMBERS[self.kind]


Failure = Refused
"""The name of the error in the Python API."""


def misspelt(what: str, word: str, known: Iterable[str], otherwise: str) -> Refused:
    """Return the error for an unknown word, with the nearest known ones as a hint."""
    return Refused("usage", f"no {what} '{word[:80]}'", nearest(word, known) or otherwise)


def kind_of(error: StoreError) -> Kind:
    """Return the kind of an error that the store raised."""
    if isinstance(error, Malformed) and error.field in ASKED_FOR:
        return "usage"
    return next(OF_STORE[each] for each in type(error).__mro__ if each in OF_STORE)


def kind_numbered(number: object, otherwise: Kind) -> Kind:
    """Return the kind that a service's number means; `otherwise` for an unknown number."""
    return next((kind for kind, one in NUMBERS.items() if one == number), otherwise)


def without_name(error: StoreError) -> str:
    """Return the fault of a log, for a list that names the log anyway."""
    if isinstance(error, CorruptLog):
        return f"line {error.line}: {error.why}"
    return error.why if isinstance(error, NotALog) else str(error)
