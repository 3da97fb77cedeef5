"""Notifications of new records, sent and received; either may fail, since followers also look from time to time."""

import threading
from contextlib import suppress

import psycopg

from eventstore.errors import StoreError
from eventstore.postgres import statements
from eventstore.postgres.connections import Connection, Database, close, has_come

CHANNEL = b"encounterlog"
"""The channel for notifications of new records; the payload is the number of the log in the database."""
MOST = 4
"""The most followers of one program that listen, each on a connection of its own. All others only look from time to time."""
_PLACES = threading.BoundedSemaphore(MOST)


def notify(database: Database, log: int) -> None:
    """Notify the followers of a log, unless the server is busy with the last notification or cannot send any.

    Nobody waits for an answer. If a notification is under way, it wakes the followers of this log, too.
    """
    if database.able.listen:
        with suppress(StoreError, psycopg.Error), database.apart() as connection:
            _send(connection, b"notify %b, '%d'" % (CHANNEL, log))


def _send(connection: Connection, statement: bytes) -> None:
    wire = connection.pgconn
    wire.consume_input()
    while not wire.is_busy():
        if wire.get_result() is None:
            wire.send_query(statement)
            return


class Listener:
    """One follower's receiver of notifications: it wakes when some log has grown, or after the given time."""

    def __init__(self, database: Database, stop: threading.Event) -> None:
        self._stop, self._able, self._log = stop, database.able.advisory_lock, -1
        self._connection: Connection | None = None
        if database.able.listen and _PLACES.acquire(blocking=False):
            try:
                self._connection = database.opened(migrated=False)
            except StoreError:
                _PLACES.release()
            else:
                self._listen(self._connection)

    def _listen(self, connection: Connection) -> None:
        try:
            connection.execute(b"listen " + CHANNEL)
        except psycopg.Error:
            self.close()

    def hears(self, log: int) -> bool:
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
            has_come(self._connection, seconds)
            wire = self._connection.pgconn
            wire.consume_input()
            while wire.notifies():
                pass
        except (OSError, ValueError, psycopg.Error):
            self.close()

    def close(self) -> None:
        """Close the connection; from now on only the time wakes the follower."""
        connection, self._connection = self._connection, None
        if connection is not None:
            close(connection)
            _PLACES.release()
