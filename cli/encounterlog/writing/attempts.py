"""What came of an append, or of one that other writers were before with every try."""

from msgspec import Struct

from encounterlog.errors import Refused
from encounterlog.reading.logs import Log
from encounterlog.retrying import MOST
from eventstore.errors import CorruptLog
from eventstore.record import Draft
from eventstore.store import Appended


class Done(Struct, frozen=True):
    """The outcome of an append: what was done in sentences, the records written, and the log before."""

    says: list[str]
    written: Appended
    drafts: tuple[Draft, ...]
    before: Log


def mended(log: Log, written: Appended) -> list[str]:
    """Return what is said of a torn tail that an append to a log cut off, if it did."""
    torn = isinstance(log.problem, CorruptLog) and log.problem.torn and not written.again
    return ["a torn tail, left by an interrupted append, was cut off and is kept beside the log"] if torn else []


def overtaken(log: Log) -> Refused:
    """Return the failure of an append that other writers were before with every try."""
    return Refused("overtaken", f"{log.path}: another writer came first, {MOST} times in a row", "try again")
