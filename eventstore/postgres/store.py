"""The store in PostgreSQL: one encounter, a row a record. store.py specifies the promises."""

import os
import threading
from collections.abc import Iterator

from eventstore.address import Url
from eventstore.chain import START, Anchor
from eventstore.committing import Append
from eventstore.damage import verify_walk
from eventstore.errors import Busy, NotThere
from eventstore.postgres.appending import Writer
from eventstore.postgres.connections import Database
from eventstore.postgres.following import Follower
from eventstore.postgres.looking import End, Looking
from eventstore.queue import Queue, lets_go_in_children
from eventstore.reading import Walk
from eventstore.record import Recorded
from eventstore.shapes import LARGEST
from eventstore.store import Appended, Request, Store, Verified
from eventstore.writing import Entropy

_PAGE = 200
"""The number of unverified lines that are fetched at once."""


class PostgresStore(Store):
    """A store that keeps one encounter in a database. Threads may share a handle; simultaneous appends are written together.

    Before its first append a handle verifies the whole log, unless it has read it; later it verifies the appends of
    others. Every append is durable, in any mode; a server that can lose confirmed appends refuses those that ask for
    durability.
    """

    def __init__(
        self, database: Database, name: str, *, path: Url | None = None, entropy: Entropy = os.urandom
    ) -> None:
        self.path = path or database.url.at(*database.url.segments, name)
        self._database = database
        self._looking = Looking(database, self.path, name)
        self._writer = Writer(database, self._looking, entropy)
        self._queue = Queue[Append]()
        lets_go_in_children(self)

    def after_fork(self) -> None:
        """Start afresh in a child process."""
        self._queue = Queue[Append]()

    def read(self, after: int | Anchor = 0) -> Iterator[Recorded]:
        """Yield the records after that one, verified; raise NotThere, NotReadable, NotMigrated, CorruptLog, Busy or Rewritten.

        The part that this handle has verified is not verified again if none of it is asked for.
        """
        first = after if isinstance(after, int) else after.seq
        yield from (record for record in self._walk_log(after)[1] if record.seq > first)

    def _walk_log(self, after: int | Anchor = 0) -> tuple[Walk, Iterator[Recorded]]:
        """Return a walk to the end, from the verified part on if none of that is asked for, and its records."""
        known = self._writer.known.place if self._writer.known else START
        if isinstance(after, Anchor):
            start, end = self._looking.after_anchor(after, known)
            stands = start == known
        else:
            end = self._looking.log_end(known)
            stands, start = end.stands, known if end.stands and known.seq <= after else START
            end = end if stands else self._looking.log_end()
        walk = self._looking.walk_to_end(start, end)
        return walk, self._walked_records(walk, end, stands=stands)

    def _walked_records(self, walk: Walk, end: End, *, stands: bool) -> Iterator[Recorded]:
        """Yield the records of a walk; a whole one adds to the verified part, if that stands. Else the next append reports that it is gone."""
        yield from self._looking.walked_records(walk, end)
        if stands:
            self._writer.keep_walked(end.log, walk.place)

    def head(self) -> Anchor:
        """Return seq and hash of the last record, verified with all before it that this handle has not seen yet."""
        walk, records = self._walk_log(LARGEST)
        for _ in records:
            pass
        return Anchor(walk.seq, walk.hash)

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere; faults come back as data."""
        return verify_walk(self._walk_log()[1], anchor)

    def exists(self) -> bool:
        """Return whether there is such a log; raise as reading does otherwise."""
        try:
            self._looking.log_end()
        except NotThere:
            return False
        return True

    def lines(self) -> Iterator[bytes]:
        """Yield the lines up to the present end as they are, unverified, each with its line feed."""
        end = self._looking.log_end()
        seq = 0
        while seq < end.seq and (rows := self._looking.fetch_rows(end, seq, _PAGE)):
            yield from (line + b"\n" for number, line in rows if number <= end.seq)
            seq = rows[-1][0]

    def follow(self, after: int | Anchor = 0, *, stop: threading.Event | None = None) -> Iterator[Recorded]:
        """Yield the records after that one, then new ones; store.py lists its errors.

        It waits for a database that is away, up to `following.PATIENCE`.
        """
        return iter(Follower(self._looking, after, stop or threading.Event()))

    def _append(self, request: Request) -> Appended:
        job = Append(request)
        if not self._queue.run(job, self._database.wait, self._writer.write_appends):
            raise Busy(self.path, self._database.wait, ("another thread of this program",))
        return job.result(self.path)
