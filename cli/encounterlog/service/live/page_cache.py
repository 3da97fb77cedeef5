"""Pages of logs as they are now: a page goes on as its log grows, so an append costs the same however long the log is."""

from collections import OrderedDict
from collections.abc import Iterator
from threading import Lock
from weakref import WeakValueDictionary

from msgspec import Struct

from encounterlog.core.logs import LogView
from encounterlog.exporters.html.data import Page, Replayed, replay_of
from encounterlog.exporters.html.foes import Foes
from encounterlog.exporters.session import Session
from encounterlog.exporters.walking import changes_the_past
from encounterlog.service.served_logs import MOST
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.record import Recorded

KEPT = 32
"""The number of pages that are kept, so that a table of phones costs one page for each append."""


class Whole(Struct, frozen=True):
    """A log as an exporter reads it."""

    path: LogAddress
    head: Anchor
    kept: tuple[Recorded, ...]

    @property
    def records(self) -> int:
        """How many records it has."""
        return len(self.kept)

    def __iter__(self) -> Iterator[Recorded]:
        """Yield the records."""
        return iter(self.kept)


def session_of(seen: LogView) -> Session:
    """Return the session for exporters, over the records that the asker may see."""
    return Session(Whole(seen.path, seen.head, seen.records), for_players=not seen.secrets)


class GrowingPage:
    """The page of a log in the making, with the records that are in it."""

    def __init__(self, seen: LogView, foes: Foes) -> None:
        """Replay the log; raise Refused if its ruleset is not installed."""
        self.records = seen.records
        self._replayed = Replayed(session_of(seen), live=True, foes=foes)

    def go_on(self, seen: LogView) -> bool:
        """Take in the new records; return whether that is possible, which it is not if they change earlier ones."""
        news = seen.records[len(self.records) :]
        if seen.records[: len(self.records)] != self.records or any(map(changes_the_past, news)):
            return False
        if news:
            self._replayed.go_on(session_of(seen), news)
            self.records = seen.records
        return True

    def is_ahead_of(self, seen: LogView) -> bool:
        """Return whether this has gone on since anybody looked at the log."""
        return len(seen.records) < len(self.records) and self.records[: len(seen.records)] == seen.records

    def page(self) -> Page:
        """Return the page as it is now."""
        return self._replayed.page()


Audience = tuple[str, bool, Foes]
"""The name of a log, whether secrets are shown, and what is shown of foes."""
Key = tuple[str, bool, Foes]
"""The same with the end of a log instead of its name."""


class Turn:
    """The turn to work out the page of one audience: one at a time for all askers."""

    def __init__(self) -> None:
        self.lock = Lock()


class PageCache:
    """The data of the pages that were asked for last: at most so many pages, made of at most so many records.

    A hash is that of all that came before, so no page that is kept can be out of date.
    """

    def __init__(self, most: int = KEPT, records: int = MOST) -> None:
        self._most, self._records, self._lock = most, records, Lock()
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._growing: OrderedDict[Audience, GrowingPage] = OrderedDict()
        self._drawing: WeakValueDictionary[Audience, Turn] = WeakValueDictionary()

    def of(self, seen: LogView, foes: Foes) -> Page:
        """Return the data of a log as one audience sees it; raise Refused if its ruleset is not installed."""
        audience = (str(seen.path), seen.secrets, foes)
        with self._lock:
            turn = self._drawing.setdefault(audience, Turn())
        with turn.lock:  # another request for the same waits, and finds it
            page = self.known(str(seen.head), seen, foes)
            return page or self._kept(str(seen.head), self._drawn(audience, seen), seen, foes)

    def known(self, head: str, seen: LogView, foes: Foes) -> Page | None:
        """Return the data of the same log as it ended with a head, if they are kept."""
        key = (head, seen.secrets, foes)
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
            return self._pages.get(key)

    def _drawn(self, audience: Audience, seen: LogView) -> Page:
        """Return the page of a log, from its known part; if that fails halfway, the known part is forgotten."""
        with self._lock:
            growing = self._growing.pop(audience, None)
        if growing and growing.is_ahead_of(seen):
            self._keep(audience, growing)
            return replay_of(session_of(seen), live=True, foes=audience[2])
        if not (growing and growing.go_on(seen)):
            growing = GrowingPage(seen, audience[2])
        page = growing.page()
        self._keep(audience, growing)
        return page

    def _keep(self, audience: Audience, growing: GrowingPage) -> None:
        with self._lock:
            self._growing[audience] = growing
            while sum(len(each.records) for each in self._growing.values()) > self._records:
                self._growing.popitem(last=False)

    def _kept(self, head: str, page: Page, seen: LogView, foes: Foes) -> Page:
        with self._lock:
            self._pages[head, seen.secrets, foes] = page
            while len(self._pages) > self._most:
                self._pages.popitem(last=False)
        return page
