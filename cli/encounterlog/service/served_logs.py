"""A process's memory of the logs that it serves, so that a request costs the same in a long log as in a short one: of each log the verified
records, and the states that they fold to, one for a game master, and one for all others, from the records without their secrets. A request
reads what came since, verified from the end that is known. Where that end is no longer in the log, all that is known of it is thrown away.
"""

import threading
from collections import OrderedDict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import chain

from encounterlog.log.folded_log import FoldedLog
from encounterlog.log.logs import LogView
from encounterlog.places.shelves import Shelf
from encounterlog.service.problems import write_line
from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import CorruptLog, NotALog, Rewritten, StoreError
from eventstore.record import Recorded
from eventstore.store import Store

MOST = 100_000
"""How many records a process keeps, of all logs together; a log that alone has more is read again for each request."""
ALL_SECRETS = frozenset({"gm"})
"""The roles that see everything; an operator creates encounters and hands out tokens, and reads none."""


class ServedLog:
    """The memory of one log. Threads share it; `lock` is held while it is looked at, and while its folded state is used.

    `turn` is held by the request that appends, as each decides on what the one before has written.
    """

    def __init__(self, name: str, store: Store) -> None:
        self.name, self.store = name, store
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self.folded = FoldedLog(self._read_since, lock=self.lock, rewritten=self._report_rewritten)

    def _read_since(self, after: Anchor | None) -> Iterator[Recorded]:
        found = whole_records(self.store, after)
        first = None if after else next(found, None)
        if not after and first is None:
            raise NotALog(self.name, "it holds no record")
        return chain([first], found) if first else found

    def _report_rewritten(self, why: Rewritten) -> None:
        write_line(rewritten=self.name, why=f"record {why.anchor}: {why.why}")

    @property
    def encounter(self) -> str:
        """The id that its opening gave the log."""
        return self.view(secrets=True).opening.encounter

    def view(self, *, secrets: bool, as_of: int | None = None, alone: bool = False) -> LogView:
        """Return the log as an audience saw it at the last look; the lock is held, and if it is `alone` as long as it is used."""
        path = getattr(self.store, "path", self.name)
        place, store, kept = path if isinstance(path, Url) else str(path), self.store, self.folded
        return LogView(self.name, as_of=as_of, secrets=secrets, store=store, kept=kept, alone=alone, place=place)


def whole_records(store: Store, after: Anchor | None = None) -> Generator[Recorded, None, None]:
    """Yield the records of a log but for a torn tail; raise what else is wrong with it."""
    try:
        yield from store.read(after or 0)
    except CorruptLog as error:
        if not error.torn:
            raise


class ServedLogs:
    """A process's memory of all logs of a shelf, at most so many records; the logs that were asked for last are kept."""

    def __init__(self, shelf: Shelf, most: int = MOST) -> None:
        self._shelf, self._most = shelf, most
        self._logs: OrderedDict[str, ServedLog] = OrderedDict()
        self._lock = threading.Lock()

    def log_of(self, name: str) -> ServedLog:
        """Return the known part of a log, without looking at it; raise NotThere or Malformed."""
        try:
            store = self._shelf.store(name)
        except StoreError:
            with self._lock:
                self._logs.pop(name, None)
            raise
        with self._lock:
            known = self._logs.pop(name, None) or ServedLog(name, store)
            left = self._most - len(known.folded.records)
            for other, each in reversed([*self._logs.items()]):  # those not asked for the longest time are forgotten
                left -= len(each.folded.records)
                if left < 0:
                    del self._logs[other]
            self._logs[name] = known
        known.store = store  # a shelf that has many logs opens one again
        return known

    def size_of(self, name: str) -> int:
        """How many records are kept of a log; 0 for one that is not known."""
        return len(self._logs[name].folded.records) if name in self._logs else 0


@contextmanager
def hold_log(known: ServedLog) -> Iterator[ServedLog]:
    """Hold a log as it is now, for a moment; raise as the store does."""
    with known.lock:
        known.folded.read_new()
        yield known
