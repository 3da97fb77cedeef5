"""The errors of the application: why something cannot be done, as a kind, a sentence and a hint.

The edges translate it by one table: a command exits with the code of its kind, a service answers with a status.
"""

from collections.abc import Callable, Iterable
from threading import Event
from typing import Any, Literal, NamedTuple

from eventstore.errors import (
    Busy,
    CorruptLog,
    KeyReused,
    Malformed,
    NotALog,
    NotMigrated,
    NotReadable,
    NotThere,
    NotWritten,
    OutcomeUnknown,
    Rewritten,
    StoreError,
    TooLarge,
    WrongVersion,
)
from eventstore.wording import nearest

Kind = Literal["differs", "usage", "unreadable", "refused", "overtaken", "not-written", "uncertain"]
"""The reasons why something cannot be done.

differs: a log is another one than was named; usage: the request makes no sense; unreadable: a log cannot be read;
refused: the input cannot be recorded; overtaken: another writer came first; not-written: nothing was written;
uncertain: it may have been written.
"""


class Exit(NamedTuple):
    """A way in which a command ends: its exit code, and what that means."""

    code: int
    says: str


EXITS: dict[str, Exit] = {
    "fine": Exit(0, "success; for `import`: the log was written, even if values differ (the differences are printed)"),
    "differs": Exit(1, "breaches that no ruling waives, or a difference (from an anchor or a signature); for `repair --dry-run`: there is something to do"),
    "usage": Exit(2, "wrong usage"),
    "unreadable": Exit(3, "the log cannot be read completely: damaged, missing, or not a log; for `export`: a torn tail was left out"),
    "refused": Exit(4, "the input was refused; nothing was written (typed at a terminal: nothing of the refused lines)"),
    "overtaken": Exit(5, "another writer came first"),
    "not-written": Exit(6, "not written: a log, a file or the output"),
    "uncertain": Exit(7, "it is unknown whether it was written: look at the log, or repeat the append with its key"),
    "unprinted": Exit(8, "written, but the output failed: do not repeat it, but look at the log"),
    "interrupted": Exit(130, "interrupted"),
}  # fmt: skip
"""Each way in which a command ends, the kinds of errors among them; a problem of a service has the code as `exit`."""


class Row(NamedTuple):
    """A kind of problem that a service answers with: the kind of error that it is, HTTP status, title, the error of the store.

    `away` has the words for a database that fails, whose address and reason are for the journal alone. A `general` one stands for
    every error of its kind that no other row has. `client` is the error that a client raises for a problem with no more than a reason.
    """

    kind: Kind
    status: int
    title: str
    error: type[StoreError] | None = None
    away: str = ""
    general: bool = False
    client: Callable[..., StoreError] | None = None

    @property
    def exit(self) -> int:
        """The exit code of a command in the same case."""
        return EXITS[self.kind].code


ERRORS: dict[str, Row] = {
    "bad-request": Row("usage", 400, "The request is malformed", general=True),
    "bad-tag": Row("usage", 400, "A header with an entity tag is malformed"),
    "no-token": Row("usage", 401, "No token was given, or one that opens nothing"),
    "forbidden": Row("usage", 403, "The token does not allow this"),
    "not-found": Row("unreadable", 404, "There is no such thing", NotThere, client=NotThere),
    "no-such-method": Row("usage", 405, "This cannot be done with that"),
    "too-slow": Row("not-written", 408, "The request did not arrive in time"),
    "damaged": Row("unreadable", 409, "The log is damaged", CorruptLog, client=NotReadable),
    "not-a-log": Row("unreadable", 409, "This is not an encounter log", NotALog, client=NotReadable),
    "unreadable": Row("unreadable", 409, "The log cannot be read by this program", general=True, client=NotReadable),
    "rewritten": Row("differs", 409, "The log was rewritten, or is another one", Rewritten, general=True),
    "wrong-version": Row("overtaken", 412, "Another writer came first", WrongVersion, general=True),
    "already-there": Row("usage", 412, "There is such an encounter already"),
    "decided": Row("overtaken", 409, "The proposal was decided otherwise"),
    "proposal-changed": Row("overtaken", 409, "The proposal would now record something else"),
    "too-large": Row("refused", 413, "A limit would be exceeded", TooLarge),
    "wrong-media-type": Row("usage", 415, "The body has a media type that is not taken here"),
    "refused": Row("refused", 422, "The input was refused, and nothing was written", Malformed, general=True),
    "key-reused": Row("refused", 422, "The idempotency key stands for something else", KeyReused),
    "too-many-requests": Row("not-written", 429, "Too many requests"),
    "too-many-proposals": Row("not-written", 429, "Too many proposals wait for the game master"),
    "bug": Row("uncertain", 500, "A bug in encounterlog"),
    "busy": Row("not-written", 503, "Another writer holds the lock", Busy, "the database is busy"),
    "not-written": Row("not-written", 503, "Nothing was written", NotWritten, "nothing was written: the database did not take it", general=True, client=NotWritten),
    "outcome-unknown": Row("uncertain", 503, "It cannot be known whether it was written", OutcomeUnknown, "the database did not say whether it was written", general=True, client=OutcomeUnknown),
    "not-readable": Row("unreadable", 503, "The log cannot be read at the moment", NotReadable, "the database cannot be read at the moment", client=NotReadable),
    "not-migrated": Row("usage", 503, "The database lacks the tables of this program", NotMigrated, "the database is not ready for this program"),
    "too-many-streams": Row("not-written", 503, "Too many streams"),
    "stopping": Row("not-written", 503, "The service is about to stop", client=NotWritten),
}  # fmt: skip
"""Every error, by the end of the type that its problem has: the one table from which exit codes, statuses and titles come."""
ASKED_FOR = ("WHERE", "address", "anchor", "by", "withhold")
"""The fields that name the subject of a question, and no fact to record."""
BY_MODEL = "(suggested by the model)"  # the words after a model's suggestion


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
        return EXITS[self.kind].code


Failure = Refused  # the name of the error in the Python API


def misspelt_word(what: str, word: str, known: Iterable[str], otherwise: str) -> Refused:
    """Return the error for an unknown word, with the nearest known ones as a hint."""
    return Refused("usage", f"no {what} is called '{word[:80]}'", nearest(word, known, 0.55) or otherwise)


def missing_extra(kind: Kind, says: str, extra: str) -> Refused:
    """Return the error that an extra is not installed, with the way to install it."""
    return Refused(kind, says, how_to_install(extra))


def how_to_install(extra: str) -> str:
    """Return how an extra is installed: from the clone, as no package index has Encounterlog."""
    return f"in the clone of Encounterlog: pip install '.[{extra}]'; from elsewhere: pip install '/path/of/the/clone[{extra}]'"


def problem_named(error: StoreError) -> str:
    """Return the row of an error that the store raised; one about what was asked, and not about a fact, is a bad request."""
    if isinstance(error, Malformed) and error.field in ASKED_FOR:
        return "bad-request"
    return next(name for each in type(error).__mro__ for name, row in ERRORS.items() if row.error is each)


def kind_of(error: StoreError) -> Kind:
    """Return the kind of an error that the store raised."""
    return ERRORS[problem_named(error)].kind


def kind_of_number(number: object, otherwise: Kind) -> Kind:
    """Return the kind that a service's number means; `otherwise` for an unknown number."""
    return next((row.kind for row in ERRORS.values() if row.exit == number), otherwise)


def nameless_fault(error: StoreError) -> str:
    """Return the fault of a log, for a list that names the log anyway."""
    if isinstance(error, CorruptLog):
        return f"line {error.line}: {error.why}"
    return error.why if isinstance(error, NotALog) else str(error)


# Whether this process has written anything but its output: the exit code of any later failure says so.
_written = Event()
note_written, has_written = _written.set, _written.is_set
