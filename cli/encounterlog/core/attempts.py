"""The outcome of an append."""

from collections.abc import Iterator

from msgspec import Struct

from encounterlog.core.folded_log import TableAuditor
from encounterlog.core.logs import Log
from encounterlog.text.added import lines_of
from eventstore.errors import CorruptLog
from eventstore.record import Draft
from eventstore.store import Appended
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table


class Done(Struct, frozen=True):
    """The outcome of an append: its facts in sentences, the records, and the log before."""

    says: list[str]
    written: Appended
    drafts: tuple[Draft, ...]
    before: Log


def mended(log: Log, written: Appended) -> list[str]:
    """Return the note on a torn tail that an append to a log cut off, if it did."""
    torn = isinstance(log.problem, CorruptLog) and log.problem.torn and not written.again
    return ["a torn tail, left by an interrupted append, was cut off and is kept beside the log"] if torn else []


class Written(Struct, frozen=True):
    """A line as it was read and written: its meaning, the table before it, and the append (None: there were no facts).

    `auditor` has looked at every fact of the table; None for a log that is too large to be audited at each line.
    """

    parsed: Parsed
    table: Table
    done: Done | None = None
    auditor: TableAuditor | None = None
    echo: tuple[str, ...] = ()
    """The facts in sentences, where a service wrote the line."""

    def lines(self) -> Iterator[str]:
        """Yield each fact that was written as a sentence, marking those by which the clock moved."""
        return (
            iter(self.echo)
            if self.echo
            else lines_of(self.parsed, self.table, self.done.written.first if self.done else 0)
        )
