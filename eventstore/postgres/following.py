"""Following a log in a database: its records, then new ones, each once, also while the server is away for a time."""

import threading
from collections.abc import Iterator
from contextlib import closing

import psycopg

from eventstore.chain import START, Anchor
from eventstore.errors import Busy, NotReadable, NotThere, StoreError
from eventstore.postgres import statements
from eventstore.postgres.connections import Connection, Database, close_connection
from eventstore.postgres.looking import Looking
from eventstore.record import Recorded, ends_batch
from eventstore.store import ATTENTION

CHANNEL = "encounterlog"
"""The channel for notifications of new records; the payload is the number of the log in the database."""
MOST = 4
"""The most followers of one program that listen, each on a connection of its own. All others only look from time to time."""
_PLACES = threading.BoundedSemaphore(MOST)


def notify_followers(connection: Connection, log: int) -> None:
    """Notify the followers of a log, if the server can.

    The append is over by then: as part of it, the notification would keep other logs' appends waiting for its sync.
    """
    connection.pgconn.exec_(f"notify {CHANNEL}, '{log}'".encode())


class Listener:
    """One follower's receiver of notifications: it wakes when some log has grown, or after the given time."""

    def __init__(self, database: Database, stop: threading.Event) -> None:
        self._stop, self._able, self._log = stop, "advisory-lock" in database.able, -1
        self._connection: Connection | None = None
        if "listen" in database.able and _PLACES.acquire(blocking=False):
            try:
                self._connection = database.open_connection(migrated=False)
                self._connection.execute(f"listen {CHANNEL}")
            except StoreError:
                _PLACES.release()
            except psycopg.Error:
                self.close()

    def is_listening(self, log: int) -> bool:
        """Return whether appends to a log already notify; if not, they do from now on, if the server can lock a number for that."""
        if self._connection is None or self._log == log or not self._able:
            return True
        self._log = log
        try:
            self._connection.execute(statements.LISTENING, {"listeners": statements.LISTENERS, "log": log})
        except psycopg.Error:
            self.close()
        return False

    def wait(self, seconds: float) -> None:
        """Return when a notification has come, or after so many seconds."""
        if self._connection is None:
            self._stop.wait(seconds)
            return
        try:
            for _ in self._connection.notifies(timeout=seconds, stop_after=1):
                pass
        except (OSError, ValueError, psycopg.Error):
            self.close()

    def close(self) -> None:
        """Close the connection; from now on only the time wakes the follower."""
        connection, self._connection = self._connection, None
        if connection is not None:
            close_connection(connection)
            _PLACES.release()


PATIENCE = 30.0
"""How long a server may be away, in seconds. A server in its place must have the records that were seen."""
_PAUSE = 0.1


class Follower:
    """A reader that goes through a log and waits for more, until it is stopped.

    It looks every `ATTENTION` seconds, and sooner when it is notified that some log has grown.
    """

    def __init__(self, looking: Looking, after: int | Anchor, stop: threading.Event) -> None:
        self._looking, self._stop = looking, stop
        self._anchor = after if isinstance(after, Anchor) else None
        self._after, self._place = (after if isinstance(after, int) else after.seq), START
        self._log = 0
        self._waited = 0.0
        self._patient = False
        """Whether the log was read once; before that every fault counts at once."""

    def __iter__(self) -> Iterator[Recorded]:
        """Yield every record once; raise as store.py says of `follow`."""
        with closing(Listener(self._looking.database, self._stop)) as listener:
            while not self._stop.is_set():
                try:
                    yield from self._new_records()
                except (NotReadable, Busy) as error:
                    self._wait_or_raise(error)
                else:
                    self._patient, self._waited = True, 0.0
                    if listener.is_listening(self._log):
                        listener.wait(ATTENTION)

    def _new_records(self) -> Iterator[Recorded]:
        """Yield the records after the place; raise Rewritten if the record before it is gone."""
        if self._anchor is not None:
            (self._place, _), self._anchor = self._looking.after_anchor(self._anchor), None
        end = self._looking.log_end(self._place)
        self._log = end.log
        if not end.stands:
            raise self._looking.rewritten_error(self._place, end)
        walk = self._looking.walk_to_end(self._place, end)
        for record in self._looking.walked_records(walk, end):
            self._place = walk.place
            if record.seq > self._after:
                yield record
            if self._stop.is_set() and ends_batch(record):
                return

    def _wait_or_raise(self, error: NotReadable | Busy) -> None:
        """Wait a moment for the server to come back; raise the error if it has been away too long."""
        if isinstance(error, NotThere) or not self._patient or self._waited >= PATIENCE:
            raise error from None
        self._stop.wait(_PAUSE)
        self._waited += _PAUSE
