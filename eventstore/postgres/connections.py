"""Connections to one database, which threads share and child processes do not."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from eventstore.address import LogAddress, Url
from eventstore.errors import Busy, Malformed, NotMigrated, NotReadable, NotWritten, OutcomeUnknown, StoreError
from eventstore.open_log import WAIT
from eventstore.postgres import statements
from eventstore.queue import lets_go_in_children

Connection = psycopg.Connection[tuple[Any, ...]]

MOST = 8
"""The highest number of connections from one program to one database, not counting those that listen."""
PREPARED = 5
"""How often a connection sends a statement before the server keeps it prepared: planning an append costs half as much as making it."""
_DEFAULTS = {
    "application_name": "encounterlog",
    "client_encoding": "utf8",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
"""The defaults of an address: the time after which a vanished server is noticed, in seconds (tcp_user_timeout: milliseconds)."""
ABILITIES = ("listen", "advisory-lock", "settings")
"""The abilities that an engine with PostgreSQL's protocol may lack, as an address then says (?without=listen,settings): LISTEN and NOTIFY;
to lock a number, so that migrations do not meet; to say whether it may lose what it confirmed (fsync, synchronous_commit).
"""

SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
"""The values of libpq's sslmode."""


class Database:
    """A database of logs. A statement borrows a free connection, or opens one."""

    def __init__(self, url: Url, *, wait: float = WAIT, most: int = MOST) -> None:
        """Read an address, of the database or of a log in it; raise Malformed. It does not connect yet."""
        self._reset_pool(most)
        if not url.segments:
            raise Malformed("address", "names no database", "postgresql://USER@HOST/DATABASE")
        self.url, self.wait = url.at(url.segments[0]), wait
        self._how, self.able = _read_parameters(self.url)
        lets_go_in_children(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Close the free connections; the next statement opens one again."""
        while self._free:
            close_connection(self._free.pop())

    def after_fork(self) -> None:
        """Drop, in a child process, the connections of its parent."""
        PARENTS.extend(self._free)
        self._reset_pool(self._most)

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """Lend a connection in autocommit mode; raise Busy, NotReadable, NotMigrated. A broken one is not kept."""
        if not self._places.acquire(timeout=self.wait):
            raise Busy(self.url, self.wait, (f"{self._most} other threads of this program",))
        try:
            connection = self._take_free() or self.open_connection()
            try:
                yield connection
            finally:
                self._give_back(connection)
        finally:
            self._places.release()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Lend a connection for statements that only read; psycopg's errors become those of the store."""
        with self.connection() as connection:
            try:
                yield connection
            except psycopg.Error as error:
                raise read_error(self.url, error, self.wait) from None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Lend a connection for one statement that writes, with a transaction of its own; OutcomeUnknown if it is lost meanwhile."""
        with self.connection() as connection:
            try:
                yield connection
            except psycopg.Error as error:
                raise write_error(self.url, error, self.wait, lost=connection.broken) from None

    def open_connection(self, *, migrated: bool = True) -> Connection:
        """Open a connection that the caller closes; raise NotReadable, and NotMigrated if tables of this version are needed (`migrated`)."""
        try:
            connection = psycopg.connect(**self._how, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            raise unreachable_error(self.url, error) from None
        try:
            if migrated:
                self._check_version(connection)
        except psycopg.Error as error:
            close_connection(connection)
            raise read_error(self.url, error, self.wait) from None
        except BaseException:
            close_connection(connection)
            raise
        return connection

    def _check_version(self, connection: Connection) -> None:
        ((found,),) = connection.execute("select coalesce(max(number), 0) from migration").fetchall()
        if found != statements.VERSION:
            raise version_error(self.url, found)
        if _is_direct(connection):
            connection.prepare_threshold = PREPARED
            self._set_timeouts(connection)

    def _set_timeouts(self, connection: Connection) -> None:
        connection.execute(statements.session_settings(self.wait))

    def _reset_pool(self, most: int) -> None:
        self._most, self._free = most, list[Connection]()
        self._places = threading.BoundedSemaphore(most)

    def _take_free(self) -> Connection | None:
        with suppress(IndexError):
            while True:
                connection = self._free.pop()
                if not _has_news(connection):
                    return connection
                close_connection(connection)
        return None

    def _give_back(self, connection: Connection) -> None:
        try:
            if connection.pgconn.transaction_status != TransactionStatus.IDLE:
                connection.rollback()  # what was begun and not committed
        except psycopg.Error:
            close_connection(connection)
        else:
            self._free.append(connection)


PARENTS: list[Connection] = []
"""Connections of the process from which this one was forked: never used, never closed, since the server would notice."""


def _read_parameters(url: Url) -> tuple[dict[str, Any], set[str]]:
    """Return the parameters of a connection, and the server's abilities; raise Malformed, which repeats nothing of the address."""
    base, _, query = url.given.partition("?")
    asked = query.split("&")
    without = {word for each in asked if each.startswith("without=") for word in each[8:].split(",")}
    if unknown := sorted(without.difference(ABILITIES)):
        raise Malformed("address", f"without={unknown[0]} names nothing", f"there are {', '.join(ABILITIES)}")
    rest = "&".join(each for each in asked if not each.startswith("without="))
    try:
        given = conninfo_to_dict(f"{base}?{rest}")
    except psycopg.Error:
        hint = "postgresql://USER@HOST:PORT/DATABASE/NAME, with libpq's parameters after a ?"
        raise Malformed("address", f"{url} is no address of a database", hint) from None
    if (mode := given.get("sslmode", SSL_MODES[0])) not in SSL_MODES:
        raise Malformed("address", f"sslmode={mode} names no mode", f"there are {', '.join(SSL_MODES)}")
    return _DEFAULTS | given, set(ABILITIES) - without


def _is_direct(connection: Connection) -> bool:
    """Return whether the answering process is the one that was connected to; behind a pool it may be another one each time.

    A statement that one of them keeps prepared is unknown to the next one, or is another one there.
    """
    try:
        ((answers,),) = connection.execute("select pg_backend_pid()").fetchall()
    except psycopg.Error:  # another engine
        return False
    return bool(answers == connection.info.backend_pid)


def is_settled(connection: Connection) -> bool:
    """Return whether a connection keeps statements and settings from one transaction to the next; behind a pool it does not."""
    return connection.prepare_threshold is not None


def _has_news(connection: Connection) -> bool:
    """Return whether the server has sent something unasked: it closed the connection, or is about to."""
    try:
        with DefaultSelector() as selector:
            selector.register(connection, EVENT_READ)
            return bool(selector.select(0))
    except (OSError, ValueError, psycopg.Error):
        return True


def close_connection(connection: Connection) -> None:
    """Close a connection, broken or not."""
    with suppress(psycopg.Error, OSError):
        connection.close()


# ---------------------------------------------------------------- errors of psycopg, with fault, place and remedy, and never with a password

_MISSING = (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn, psycopg.errors.InvalidSchemaName)
_IN_USE = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
_ROLE = "encounter migrate URL --serve ROLE lets a role read and append; only the owner migrates and removes"
_FULL = "the server has no connection left: try again, or let it have more"

_REFUSED = (
    ("pg_hba.conf", "the server runs, and its pg_hba.conf lets nobody in from here under this name"),
    ("password", "it is in PGPASSWORD, ~/.pgpass, or the address: postgresql://USER:PASSWORD@HOST/DATABASE"),
    ("database system", "the server is about to start or to end: try again in a moment"),
    ("too many", _FULL),
    ("slots are", _FULL),
    ("permission denied", "the owner of the database lets a role in: GRANT CONNECT ON DATABASE … TO …"),
    (
        "database",
        "the address names it behind the host: postgresql://USER@HOST/DATABASE/NAME; psql -l lists those of a server",
    ),
    (
        "role",
        "the address names it before the host: postgresql://ROLE@HOST/DATABASE; without it, it is that of the system",
    ),
)
"""The words in the answer of a server that let nobody in, and the hint for each."""


def unreachable_error(path: LogAddress, error: psycopg.Error) -> NotReadable:
    """Return the error that no connection could be made; its hint is about what the server refused, if it answered."""
    why = server_message(error)
    _, answered, answer = why.rpartition(" failed: ")
    hints = (hint for word, hint in _REFUSED if answered and word in answer)
    return NotReadable(
        path, f"the database cannot be reached: {why}", next(hints, "is the server running, and its name right?")
    )


def read_error(path: LogAddress, error: psycopg.Error, wait: float) -> StoreError:
    """Return the error of a statement that only reads."""
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return NotReadable(path, server_message(error), _ROLE)
    return _common_error(path, error, wait) or NotReadable(
        path, f"the database did not answer: {server_message(error)}"
    )


def write_error(path: LogAddress, error: psycopg.Error, wait: float, *, lost: bool) -> StoreError:
    """Return the error of a statement that writes; the outcome is unknown if the connection was lost meanwhile."""
    if lost:
        return OutcomeUnknown(path, f"the connection to the database was lost: {server_message(error)}")
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return NotWritten(path, server_message(error), _ROLE)
    return _common_error(path, error, wait) or NotWritten(path, server_message(error))


def version_error(path: LogAddress, found: int = 0) -> NotMigrated:
    """Return the error that the tables are those of another version, or not there."""
    if found > statements.VERSION:
        why = f"the tables are of version {found}; this program knows those up to {statements.VERSION}"
        return NotMigrated(path, why, "install the newest encounterlog")
    why = (
        f"the tables are of version {found}, not {statements.VERSION}"
        if found
        else "the database has no tables for logs yet"
    )
    return NotMigrated(
        path, why, "its owner has to make them first: encounter migrate postgresql://OWNER@HOST/DATABASE"
    )


def server_message(error: psycopg.Error) -> str:
    """Return the message of the server or the library on one line."""
    line = str(error).strip().partition("\n")[0]
    return line.removeprefix("connection failed: ").removeprefix("connection to server at ").removeprefix("FATAL:  ")


def _common_error(path: LogAddress, error: psycopg.Error, wait: float) -> StoreError | None:
    if isinstance(error, _MISSING):
        return version_error(path)
    if isinstance(error, _IN_USE):
        return Busy(path, wait, ("another writer",))
    return None
