"""Tries of an append, of which another writer may come first, and what came of it."""

import time
from collections.abc import Iterator

from msgspec import Struct

from encounterlog.errors import Refused
from encounterlog.reading.logs import Log
from eventstore.errors import CorruptLog
from eventstore.record import Draft
from eventstore.store import Appended

TRIES = 20
"""How often an append without --after is tried again because another writer came first."""
PAUSE = 0.005
"""How many seconds are waited at most after the first try; after each further one as many more."""


class Done(Struct, frozen=True):
    """The outcome of an append: what was done in sentences, the records written, and the log before."""

    says: list[str]
    written: Appended
    drafts: tuple[Draft, ...]
    before: Log


def tries() -> Iterator[int]:
    """Yield the numbers of the tries, with pauses of random length between them, so that writers do not meet again."""
    for number in range(TRIES):
        yield number
        from random import uniform  # only where another writer came first

        time.sleep(uniform(0, PAUSE * (number + 1)))  # noqa: S311 – nothing is kept secret by it


def mended(log: Log, written: Appended) -> list[str]:
    """Return what is said of a torn tail that an append to a log cut off, if it did."""
    torn = isinstance(log.problem, CorruptLog) and log.problem.torn and not written.again
    return ["a torn tail, left by an interrupted append, was cut off and is kept beside the log"] if torn else []


def overtaken(log: Log) -> Refused:
    """Return the failure of an append that other writers were before with every try."""
    return Refused("overtaken", f"{log.path}: another writer came first, {TRIES} times in a row", "try again")
