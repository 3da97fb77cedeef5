"""One log of a database, by its rows: its end, and its records, verified by the loop that verifies files."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

import psycopg
from msgspec import Struct

from eventstore.address import LogAddress, Url
from eventstore.chain import START, Anchor, LogPosition
from eventstore.errors import CorruptLog, NotThere, Rewritten
from eventstore.form import LONGEST_LINE
from eventstore.postgres import connections, statements
from eventstore.postgres.connections import Connection, Database
from eventstore.reading import Walk
from eventstore.record import Recorded, decode

KEEP = "encounter backup URL FOLDER keeps all lines as they are; encounter repair keeps the intact ones"
"""The hint for a log in a database that is damaged."""
FIRST_PAGE = 64
"""The number of rows that are fetched first."""
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
        self._count = FIRST_PAGE

    def readline(self, limit: int = -1, /) -> bytes:
        """Return the next line, empty at the end; raise CorruptLog where a row is missing or too long."""
        del limit
        if not self._page:
            self._fetch_page()
        if not self._page:
            return b""
        seq, line = self._page.popleft()
        if seq != self._seq + 1:
            raise self._damage_error(f"record {self._seq + 1} is missing: the next one is record {seq}")
        if len(line) >= LONGEST_LINE:
            raise self._damage_error(f"is longer than {LONGEST_LINE:,} bytes")
        self._seq, self._offset = seq, self._offset + len(line) + 1
        return line + b"\n"

    def _fetch_page(self) -> None:
        rows = self._fetch(self._seq, self._count)
        self._page.extend(rows)
        if rows:
            average = sum(len(line) for _, line in rows) // len(rows) + 1
            self._count = min(_PAGE // average, _MOST)  # at least one: no line is longer than a page

    def _damage_error(self, why: str) -> CorruptLog:
        return CorruptLog(self._path, self._seq + 1, self._offset, why, KEEP)


class End(Struct, frozen=True):
    """The end of a log: its number in the database, seq and hash of the last record, and the bytes after a place.

    `stands` says whether the record of that place is there with its hash.
    """

    log: int
    seq: int
    hash: str
    size: int
    stands: bool


class Looking:
    """The log of a name, seen on any connection, or on one that is in use. Its errors name the log by its address.

    Only a walk from the start counts bytes: in all other places the offset is 0.
    """

    def __init__(self, database: Database, path: Url, name: str, connection: Connection | None = None) -> None:
        self.database, self.path, self.name, self._connection = database, path, name, connection

    def log_end(self, after: LogPosition = START) -> End:
        """Return the end of the log as seen from a place; raise NotThere and the other errors of reading."""
        row = self._query_rows(statements.END, {"name": self.name, "seq": after.seq})
        if not row:
            raise NotThere(self.path, "is not there", "encounter list URL lists the logs of a database")
        log, seq, own, size, there = row[0]
        stands = not after.seq or there == after.hash.encode()
        return End(log, seq, own, after.offset + size, stands)

    def walk_to_end(self, after: LogPosition, end: End) -> Walk:
        """Return a walk to the end from a place whose record is still there; its lines are fetched page by page."""
        lines = FetchedLines(self.path, lambda seq, count: self.fetch_rows(end, seq, count), after)
        return Walk(self.path, lines, end.size, after)

    def fetch_rows(self, end: End, seq: int, count: int) -> Sequence[tuple[int, bytes]]:
        """Return at most `count` rows after a seq, in their order."""
        return self._query_rows(statements.ROWS, {"log": end.log, "seq": seq, "count": count})

    def walked_records(self, walk: Walk, end: End) -> Iterator[Recorded]:
        """Yield the records of a walk; raise CorruptLog if they do not lead to the end of the log."""
        try:
            yield from walk if walk.size > walk.offset else ()
        except CorruptLog as error:
            raise CorruptLog(self.path, error.line, error.offset, error.why, KEEP) from None
        if (walk.seq, walk.hash) != (end.seq, end.hash):
            why = f"the last record is {walk.seq}, but the log was left with {Anchor(end.seq, end.hash)}"
            raise CorruptLog(self.path, walk.seq + 1, walk.offset, why, KEEP)

    def records_since(self, after: int) -> Iterator[Recorded]:
        """Yield the records after that seq, verified from the append on in which they begin."""
        end = self.log_end()
        place = self._place_before(after + 1, end)
        records = self.walked_records(self.walk_to_end(place, self.log_end(place)), end)
        return (record for record in records if record.seq > after)

    def after_anchor(self, anchor: Anchor, known: LogPosition = START) -> tuple[LogPosition, End]:
        """Return the place from which to walk to the records after an anchor, and the end; raise Rewritten if the anchor's record is gone.

        `known` is a place after an append; an anchor there certainly ends one.
        """
        is_known = (anchor.seq, anchor.hash) == (known.seq, known.hash)
        place = known if is_known else LogPosition(0, anchor.seq, anchor.hash)
        end = self.log_end(place)
        if not end.stands:
            raise self.rewritten_error(place, end)
        if is_known or anchor.seq == end.seq:
            return place, end
        place = self._place_before(anchor.seq + 1, end)
        return place, self.log_end(place)

    def _place_before(self, seq: int, end: End) -> LogPosition:
        """Return the place before the append that a record is part of; START if that is unknown."""
        if seq > end.seq:
            return LogPosition(0, end.seq, end.hash)
        try:
            record = self._fetch_record(seq, end)
            start = seq - (record.batch[0] if record.batch else 1)
            return LogPosition(0, start, self._fetch_record(start, end).hash) if start else START
        except (ValueError, IndexError):  # it is damaged: a walk from the start says where and how
            return START

    def _fetch_record(self, seq: int, end: End) -> Recorded:
        return decode(self.fetch_rows(end, seq - 1, 1)[0][1])

    def rewritten_error(self, place: LogPosition, end: End) -> Rewritten:
        """Return the error that the record of a place is no longer there."""
        return Rewritten.at(self.path, Anchor(place.seq, place.hash), "" if end.seq < place.seq else end.hash)

    def _query_rows(self, statement: str, values: dict[str, Any], *, last: bool = False) -> list[Any]:
        """Return the rows of a statement that only reads; it is sent again if a connection of its own breaks."""
        with nullcontext(self._connection) if self._connection else self.database.connection() as connection:
            try:
                return connection.execute(statement, values, binary=True).fetchall()
            except psycopg.Error as error:
                if last or self._connection or not connection.broken:
                    raise connections.read_error(self.path, error, self.database.wait) from None
        return self._query_rows(statement, values, last=True)
