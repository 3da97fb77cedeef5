"""The one loop that writes to a log: what is to be appended is decided on the log as it is, and again if others come first."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from encounterlog.core.logs import LogView
from encounterlog.errors import note_written
from encounterlog.storage.clock import now
from eventstore.errors import CorruptLog
from eventstore.record import Draft, Recorded
from eventstore.store import Appended, Mode

Decide = Callable[[LogView], Sequence[Draft]]
"""A function that decides on the facts to append to a log as it is; it raises what they would be refused with."""


class Done(Struct, frozen=True):
    """The outcome of an append: the records, the drafts, the log before them, and what else is to be said of it."""

    written: Appended
    drafts: tuple[Draft, ...]
    before: LogView
    says: tuple[str, ...] = ()


class Turn:
    """An append that waits its turn: its drafts, and the log that they were decided on."""

    def __init__(self, log: LogView, decide: Decide) -> None:
        """Decide on the log as it is; raise as that does."""
        self._decide, self.before = decide, log
        self.drafts = tuple(decide(log))

    def again(self, between: tuple[Recorded, ...]) -> tuple[Draft, ...]:
        """Decide again, after the records that others appended; raise as the decision does."""
        self.before = self.before.followed_by(between)
        self.drafts = tuple(self._decide(self.before))
        return self.drafts


def append(
    log: LogView, decide: Decide, *, by: str, after: int | None = None, key: str | None = None, mode: Mode = "durable"
) -> Done:
    """Append what is decided on as one batch, and return the outcome; raise as the store does.

    Where another writer comes first it is decided again, while none can, unless the log must end with the record `after`.
    """
    turn = Turn(log, decide)
    expected, again = (turn.before.end, turn.again) if after is None else (after, None)
    written = log.append(turn.drafts, by=by, at=now(), after=expected, key=key, mode=mode, again=again)
    note_written()
    before = turn.before
    if written.first > before.end + 1:  # others came first, or the store noted a torn tail
        before = before.reread(written.first - 1)
    return Done(written, turn.drafts, before, mended(log, written))


def mended(log: LogView, written: Appended) -> tuple[str, ...]:
    """Return the note on a torn tail that an append to a log cut off, if it did."""
    torn = isinstance(log.problem, CorruptLog) and log.problem.torn and not written.again
    return ("a torn tail, left by an interrupted append, was cut off and is kept beside the log",) if torn else ()
