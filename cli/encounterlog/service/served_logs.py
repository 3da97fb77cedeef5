"""A process's memory of the logs that it serves, so that a request costs the same in a long log as in a short one. For each log
it keeps the verified records and the states that they fold to: one for a game master, and one for all others, from the records
without their secrets. Each request reads the records that came since, verified from the end that is known. Where that end is no
longer in the log, the log was rewritten, and all that is known of it is thrown away.
"""

import threading
from collections import OrderedDict
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from encounterlog.core.folded_log import FoldedLog, may_change_the_past
from encounterlog.service.journal import write
from encounterlog.storage.shelves import Shelf
from eventstore.chain import Anchor, fits
from eventstore.errors import CorruptLog, NotALog, Rewritten, StoreError
from eventstore.events import EncounterOpened
from eventstore.record import Recorded, written
from eventstore.store import Appended, Store
from projections.stream.audience import Audience, audience

MOST = 100_000
"""How many records a process keeps, of all logs together; a log that alone has more is read again for each request."""
Records = tuple[Recorded, ...]


class ServedLog:
    """The memory of one log. Threads share it; `lock` is held while it is looked at, and while its folded state is used.

    `turn` is held by the request that appends: those of one process come one after the other, as each decides on what the
    one before has written.
    """

    def __init__(self, name: str, store: Store) -> None:
        self.name, self.store = name, store
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self._whole, self._public = FoldedLog(lambda after: whole_records(self.store, after)), FoldedLog()
        self.has_secrets, self._audience = False, Audience()
        self._keys: dict[str, int] = {}

    @property
    def size(self) -> int:
        """How many records are kept."""
        return len(self._whole.records)

    def shown(self, *, secrets: bool) -> FoldedLog:
        """Return the log as a game master sees it, or as all others do; where nothing is secret that is the same."""
        return self._whole if secrets or not self.has_secrets else self._public

    @property
    def head(self) -> Anchor:
        """Where the log ended when it was looked at."""
        last = self._whole.records[-1]
        return Anchor(last.seq, last.hash)

    @property
    def encounter(self) -> str:
        """The id that its opening gave the log."""
        opening = self._whole.records[0].event
        return opening.encounter if isinstance(opening, EncounterOpened) else ""

    def look(self) -> None:
        """Read the new records since the last look; raise as the store does."""
        if news := self._whole.read_on(self._forget):
            self._show(news)
        if not self._whole.records:
            raise NotALog(self.name, "it holds no record")

    def wrote(self, records: Records) -> None:
        """Take in the latest append, if it follows the end that is known; else the next look finds it."""
        last, goes_on = self.head, bool(records)
        for record in records:
            goes_on = goes_on and record.seq == last.seq + 1 and fits(written(record), record, last.hash)
            last = Anchor(record.seq, record.hash)
        if goes_on:
            self._whole.take(records)
            self._show(records)

    def first_under(self, key: str) -> int | None:
        """Return the first record that was appended under a key; None if there is none."""
        return self._keys.get(key)

    def _show(self, news: Sequence[Recorded]) -> None:
        """Take the records that players see; earlier ones stay, unless the news may reveal, hide or correct something."""
        self.has_secrets = self.has_secrets or any(record.secret for record in news)
        self._keys.update((record.key, record.seq) for record in news if record.key is not None)
        if not self.has_secrets:
            return
        whole = self._whole.records
        if len(self._public.records) + len(news) == len(whole) and not may_change_the_past(news):
            self._audience = self._audience.of(news)
            self._public.take(tuple(self._audience.withhold.applied(news)))
            return
        self._audience = audience(whole)
        self._public.become(tuple(self._audience.withhold.applied(whole)))

    def _forget(self, why: Rewritten | None) -> None:
        """Forget the known part of the log, which is then read from its start."""
        if why:
            write(rewritten=self.name, why=f"record {why.anchor}: {why.why}")
        self._public.begin()
        self.has_secrets, self._audience, self._keys = False, Audience(), {}


def whole_records(store: Store, after: Anchor | None = None) -> Generator[Recorded, None, None]:
    """Yield the records of a log but for a torn tail; raise what else is wrong with it."""
    try:
        yield from store.read(after or 0)
    except CorruptLog as error:
        if not error.torn:
            raise


class Released:
    """The store of a log that is locked: the lock is let go of while something is written."""

    def __init__(self, known: ServedLog) -> None:
        self._known = known

    def __getattr__(self, name: str) -> Any:
        return getattr(self._known.store, name)

    def append(self, *drafts: Any, **how: Any) -> Appended:
        """Append as the store does."""
        self._known.lock.release()
        try:
            done = self._known.store.append(*drafts, **how)
        finally:
            self._known.lock.acquire()
        self._known.wrote(done.records)
        return done


class ServedLogs:
    """A process's memory of all logs of a shelf, at most so many records; the logs that were asked for last are kept."""

    def __init__(self, shelf: Shelf, most: int = MOST) -> None:
        self._shelf, self._most = shelf, most
        self._logs: OrderedDict[str, ServedLog] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, name: str) -> ServedLog:
        """Return the known part of a log, without looking at it; raise NotThere or Malformed."""
        try:
            store = self._shelf.store(name)
        except StoreError:
            with self._lock:
                self._logs.pop(name, None)
            raise
        with self._lock:
            known = self._logs.pop(name, None) or ServedLog(name, store)
            self._make_room(known)
            self._logs[name] = known
        known.store = store  # a shelf that has many logs opens one again
        return known

    def size_of(self, name: str) -> int:
        """How many records are kept of a log; 0 for one that is not known."""
        known = self._logs.get(name)
        return known.size if known else 0

    @property
    def size(self) -> int:
        """How many records are kept, of all logs."""
        return sum(each.size for each in self._logs.values())

    def _make_room(self, wanted: ServedLog) -> None:
        """Forget the logs that were not asked for the longest time, until those left are small enough."""
        left = self._most - wanted.size
        for name, each in reversed([*self._logs.items()]):
            left -= each.size
            if left < 0:
                del self._logs[name]


@contextmanager
def looked_at(known: ServedLog) -> Iterator[ServedLog]:
    """Hold a log as it is now, for a moment; raise as the store does."""
    with known.lock:
        known.look()
        yield known
