"""What a process knows of the logs that it serves, so that a request costs the same however long its log is.

Of a log it keeps the verified records, and what they come to: for a game master, and for all others from the records
without their secrets. Each request reads what came since, verified from the end that is known. Where that end is no
longer in the log, the log was rewritten, and all that is known of it is thrown away.
"""

import threading
from collections import OrderedDict
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from encounterlog.edge.shelves import Shelf
from encounterlog.reading.folded import Folded
from encounterlog.service.journal import write
from eventstore.chain import Anchor, fits
from eventstore.errors import CorruptLog, NotALog, Rewritten, StoreError
from eventstore.events import Amended, EncounterOpened, Inserted, RulingMade, Struck
from eventstore.record import Recorded, written
from eventstore.store import Appended, Store
from projections.stream.audience import Audience, audience
from projections.stream.concealment import joining

MOST = 100_000
"""How many records a process keeps, of all logs together; a log that alone has more is read again for each request."""
PAST = (Struck, Amended, Inserted, RulingMade)
"""What may change what players see of the records before it; with a secret, a joining may, too."""
Records = tuple[Recorded, ...]


class Shown:
    """A log as one audience sees it: its records, and what they come to on the first request for it."""

    def __init__(self) -> None:
        self.records: Records = ()
        self._folded: Folded | None = None

    def folded(self) -> Folded:
        """Return what the records come to; raise as a replay does."""
        self._folded = self._folded or Folded(self.records)
        return self._folded

    def grow(self, records: Records) -> None:
        """Take over the records of the longer log; what they come to is folded on if they only go on, and correct nothing."""
        before, folded = self.records, self._folded
        self.records, self._folded = records, None
        with suppress(Exception):  # the asker of what they give gets the error
            if folded and records[: len(before)] == before and folded.take(records[len(before) :]):
                self._folded = folded


class ServedLog:
    """What is known of one log. Threads share it; `lock` is held while it is looked at, and while its folded state is used.

    `turn` is held by the request that appends: those of one process come one after the other, as each decides on what the
    one before has written.
    """

    def __init__(self, name: str, store: Store) -> None:
        self.name, self.store = name, store
        self.lock, self.turn = threading.Lock(), threading.Lock()
        self._whole, self._public = Shown(), Shown()
        self.has_secrets, self._audience = False, Audience()
        self._keys: dict[str, int] = {}

    @property
    def size(self) -> int:
        """How many records are kept."""
        return len(self._whole.records)

    def shown(self, *, secrets: bool) -> Shown:
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
        """Read what came since the last look; raise as the store does."""
        try:
            news = self._news(self.head if self._whole.records else None)
        except Rewritten as error:
            write(rewritten=self.name, why=f"record {error.anchor}: {error.why}")
            self._forget()
            news = self._news(None)
        if news:
            self._take(news)
        if not self._whole.records:
            raise NotALog(self.name, "it holds no record")

    def wrote(self, records: Records) -> None:
        """Take in what was appended just now, if it follows the end that is known; else the next look finds it."""
        last, goes_on = self.head, bool(records)
        for record in records:
            goes_on = goes_on and record.seq == last.seq + 1 and fits(written(record), record, last.hash)
            last = Anchor(record.seq, record.hash)
        if goes_on:
            self._take(records)

    def first_under(self, key: str) -> int | None:
        """Return the first record that was appended under a key; None if there is none."""
        return self._keys.get(key)

    def _news(self, after: Anchor | None) -> Records:
        return tuple(whole_records(self.store, after))

    def _take(self, news: Records) -> None:
        before, whole = self._whole.records, (*self._whole.records, *news)
        self.has_secrets = self.has_secrets or any(record.secret for record in news)
        self._keys.update((record.key, record.seq) for record in news if record.key is not None)
        if self.has_secrets:
            self._grow_public(self._public.records if before else (), whole, news)
        self._whole.grow(whole)

    def _grow_public(self, before: Records, whole: Records, news: Records) -> None:
        """Take the records that players see; what they saw `before` stays, unless the news may reveal, hide or correct something."""
        if len(before) + len(news) == len(whole) and not may_change_the_past(news):
            self._audience = self._audience.of(news)
            self._public.grow((*before, *self._audience.withhold.applied(news)))
            return
        self._audience = audience(whole)
        self._public.grow(tuple(self._audience.withhold.applied(whole)))

    def _forget(self) -> None:
        self._whole, self._public = Shown(), Shown()
        self.has_secrets, self._audience, self._keys = False, Audience(), {}


def may_change_the_past(news: Sequence[Recorded]) -> bool:
    """Return whether records may change what players see of those before them, in a log that has secrets."""
    return any(
        record.event is None or isinstance(record.event, PAST) or joining(record.event) is not None for record in news
    )


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


class Knowledge:
    """What a process knows of all logs of a shelf, at most so many records; what was asked for last is kept."""

    def __init__(self, shelf: Shelf, most: int = MOST) -> None:
        self._shelf, self._most = shelf, most
        self._logs: OrderedDict[str, ServedLog] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, name: str) -> ServedLog:
        """Return what is known of a log, without looking at it; raise NotThere or Malformed."""
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
