"""A log that stays in memory, folded to its end: a writer of line after line reads and folds only new records."""

from collections.abc import Iterator, Sequence

from encounterlog.core.folded_log import FoldedLog
from encounterlog.core.logs import Log
from eventstore.address import LogAddress
from eventstore.errors import CorruptLog
from eventstore.record import Recorded
from eventstore.store import Store


class CachedLog(Log):
    """A log as it was at one moment; reading it again keeps the known part and adds the new records.

    Its folded state changes when further records are taken in: from then on only the grown log has it.
    """

    def __init__(
        self,
        path: LogAddress,
        *,
        network_drive: bool = False,
        store: Store | None = None,
        kept: FoldedLog | None = None,
    ) -> None:
        """Take the known part of the log: nothing by default. The rest is read, and folded, on the first request for it."""
        super().__init__(path, network_drive=network_drive, store=store)
        self._kept = kept or FoldedLog(lambda after: self.store.read(after or 0), partly=True)
        self._found: tuple[Recorded, ...] | None = None

    @property
    def records(self) -> tuple[Recorded, ...]:
        """The records of the log, those of a torn tail left out; each is read once."""
        if self._found is None:
            self._kept.read_on()
            self.look()
        return self._found or ()

    def look(self) -> None:
        """Take the kept records for those of this log."""
        kept = self._kept
        self._found, self.problem, self._chained = kept.records, kept.problem, kept.is_chained
        self.last = self._found[-1] if self._found else None

    @property
    def folded(self) -> FoldedLog | None:
        """The log folded to its end; None once further records were taken in. Raises the fault of the log."""
        records = self.records
        if self.problem and not (isinstance(self.problem, CorruptLog) and self.problem.torn):
            raise self.problem
        return self._kept if self._kept.records is records and self._kept.is_settled else None

    def reread(self, as_of: int | None = None) -> Log:
        """Return the log as it is now, or as it was when it ended with a record."""
        return self._next() if as_of is None else super().reread(as_of)

    def grown(self, appended: Sequence[Recorded]) -> Log:
        """Return the log with records that were appended to it; as it is now, if others came in between."""
        again = self._next()
        if self._kept.records is self.records and appended[0].seq == len(self.records) + 1:
            self._kept.take(appended)
            self._kept.problem = None  # a torn tail was cut off
            again.look()
        return again

    def _next(self) -> "CachedLog":
        return CachedLog(self.path, network_drive=self._network_drive, store=self.store, kept=self._kept)

    def __iter__(self) -> Iterator[Recorded]:
        yield from self.records
        if self.problem:
            raise self.problem
