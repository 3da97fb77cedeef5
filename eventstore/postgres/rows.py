"""The rows of a log as the lines of a file, so that the loop that verifies files verifies them too."""

from collections import deque
from collections.abc import Callable, Sequence

from eventstore.address import LogAddress
from eventstore.chain import LogPosition
from eventstore.errors import CorruptLog
from eventstore.form import LONGEST_LINE

KEEP = "encounter backup URL FOLDER keeps all lines as they are; encounter repair keeps the intact ones"
"""The hint for a log in a database that is damaged."""
_PAGE = 1 << 20
"""The number of bytes that are fetched at once."""
_MOST = 2000
"""The most rows that are fetched at once."""

Fetch = Callable[[int, int], Sequence[tuple[int, bytes]]]
"""The function that returns rows after a seq, in order, at most so many."""


class FetchedLines:
    """The lines of the records after a place, fetched page by page: no transaction stays open meanwhile."""

    def __init__(self, path: LogAddress, fetch: Fetch, after: LogPosition) -> None:
        self._path, self._fetch = path, fetch
        self._seq, self._offset = after.seq, after.offset
        self._page: deque[tuple[int, bytes]] = deque()
        self._count = 64

    def readline(self, limit: int = -1, /) -> bytes:
        """Return the next line, empty at the end; raise CorruptLog where a row is missing or too long."""
        del limit
        if not self._page:
            self._turn()
        if not self._page:
            return b""
        seq, line = self._page.popleft()
        if seq != self._seq + 1:
            raise self._damaged(f"record {self._seq + 1} is missing: the next one is record {seq}")
        if len(line) >= LONGEST_LINE:
            raise self._damaged(f"is longer than {LONGEST_LINE:,} bytes")
        self._seq, self._offset = seq, self._offset + len(line) + 1
        return line + b"\n"

    def read(self, size: int = -1, /) -> bytes:
        """Return nothing: there are no bytes but the lines."""
        del size
        return b""

    def _turn(self) -> None:
        rows = self._fetch(self._seq, self._count)
        self._page.extend(rows)
        if rows:
            average = sum(len(line) for _, line in rows) // len(rows) + 1
            self._count = min(_PAGE // average, _MOST)  # at least one: no line is longer than a page

    def _damaged(self, why: str) -> CorruptLog:
        return CorruptLog(self._path, self._seq + 1, self._offset, why, KEEP)
