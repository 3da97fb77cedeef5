"""A log that stays in memory, folded to its end: a writer that appends line after line reads and folds only what came since."""

from collections.abc import Iterator, Sequence
from typing import Self

from msgspec import Struct

from encounterlog.reading.folded import Folded
from encounterlog.reading.logs import Log
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, Rewritten, StoreError
from eventstore.events import Correction, DiceCommitted
from eventstore.record import Recorded
from eventstore.store import Store


class Past(Struct):
    """What is known of a log: its records, what they come to, and whether a chain of dice was begun; and what was appended since.

    Without `news` that has to be read. What the records come to may have taken in the news already.
    """

    records: Sequence[Recorded] = ()
    folded: Folded | None = None
    chained: bool = False
    news: Sequence[Recorded] | None = None


class Growing(Log):
    """A log as it was at one moment, which passes on what is known of it to the log that it has become since.

    Its folded state is changed when further records are taken in: from then on only the log that grew has it.
    """

    def __init__(
        self, path: LogAddress, *, network_drive: bool = False, store: Store | None = None, past: Past | None = None
    ) -> None:
        """Take what is known of the log: nothing by default. The rest is read, and folded, on the first request for it."""
        super().__init__(path, network_drive=network_drive, store=store)
        self._past = past or Past()
        self._found: list[Recorded] | None = None

    @property
    def records(self) -> list[Recorded]:
        """The records of the log, those of a torn tail left out; each is read once."""
        if self._found is None:
            news = self._came() if self._past.records else self._read(0)
            self._found = [*self._past.records, *news]
            self._chained = self._past.chained or any(type(record.event) is DiceCommitted for record in news)
            self.last = self._found[-1] if self._found else None
        return self._found

    @property
    def folded(self) -> Folded | None:
        """The log folded to its end; None once further records were taken in. Raises what is wrong with the log."""
        records, past = self.records, self._past
        if self.problem and not (isinstance(self.problem, CorruptLog) and self.problem.torn):
            raise self.problem
        past.folded = past.folded or Folded(records)
        return past.folded if len(past.folded.table.records) == len(records) else None

    def reread(self, as_of: int | None = None) -> Log:
        """Return the log as it is now, or as it was when it ended with a record."""
        return self._next(None) if as_of is None else super().reread(as_of)

    def grown(self, appended: Sequence[Recorded]) -> Log:
        """Return the log with records that were appended to it; as it is now, if others came in between."""
        return self._next(appended if appended[0].seq == len(self.records) + 1 else None)

    def _next(self, news: Sequence[Recorded] | None) -> Self:
        records = self.records
        past = Past(records, self._past.folded, self._chained, news) if self.problem is None else None
        return type(self)(self.path, network_drive=self._network_drive, store=self.store, past=past)

    def _came(self) -> Sequence[Recorded]:
        """Return what was appended to what is known, and fold on; where that is gone, forget it, and return all."""
        past = self._past
        end = Anchor(past.records[-1].seq, past.records[-1].hash)
        try:
            news = self._read(end) if past.news is None else past.news
        except Rewritten:
            self._past = Past()
            return self._read(0)
        folded = past.folded
        if folded and len(folded.table.records) == len(past.records):
            folded.take(news)
        corrects = any(isinstance(record.event, Correction) for record in news)
        if corrects or (folded and len(folded.table.records) != len(past.records) + len(news)):
            past.folded = None
        return news

    def _read(self, after: int | Anchor) -> list[Recorded]:
        """Return the records after one, as far as they are good, and keep what is wrong behind them; raise Rewritten."""
        found: list[Recorded] = []
        try:
            for record in self.store.read(after):
                found.append(record)  # noqa: PERF402 – a call would lose the part
        except Rewritten:
            raise
        except StoreError as error:
            self.problem = error
        return found

    def __iter__(self) -> Iterator[Recorded]:
        yield from self.records
        if self.problem:
            raise self.problem
