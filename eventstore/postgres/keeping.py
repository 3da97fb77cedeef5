"""Operations on whole logs in a database: creating one from its lines, listing all, removing one."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg.errors import UniqueViolation

from eventstore.address import Url
from eventstore.chain import START, Anchor, LogPosition
from eventstore.errors import AlreadyThere, NotWritten, StoreError, WrongVersion
from eventstore.postgres import errors, statements
from eventstore.postgres.appending import UNSAFE_HINT, unsafe
from eventstore.postgres.connections import Connection, Database
from eventstore.postgres.looking import Looking, lent
from eventstore.record import Recorded, decode

_OPENED = "insert into log (name, seq, hash) values (%s, 0, '') returning id"
_ENDED = "update log set seq = %s, hash = %s where id = %s"
_OF_LOGS = (b"record", b"key")
"""The tables with rows of logs."""
_KEYS = "insert into key (log, key, first, last) values (%s, %s, %s, %s)"


def names(database: Database) -> tuple[str, ...]:
    """Return the names of all logs, sorted; raise as reading does."""
    with database.connection() as connection:
        try:
            rows = connection.execute("select name from log").fetchall()
        except psycopg.Error as error:
            raise errors.unread(database.url, error, database.wait) from None
    return tuple(sorted(name for (name,) in rows))


def create(database: Database, path: Url, name: str, lines: Iterable[bytes]) -> None:
    """Create a log of verified lines, whole or not at all, under a name that is free.

    Raises AlreadyThere, NotWritten, OutcomeUnknown, and whatever the lines raise while they are read.
    """
    with _transaction(database, path) as connection:
        if database.able.settings and (why := unsafe(connection)):
            raise NotWritten(path, why, UNSAFE_HINT)
        try:
            ((log,),) = connection.execute(_OPENED, (name,)).fetchall()
        except UniqueViolation:
            raise AlreadyThere(path, "there is already a log of that name", "choose another name") from None
        _fill(connection, log, lines)


def remove(database: Database, path: Url, name: str, anchor: Anchor) -> None:
    """Remove a log that ends with this anchor, for ever; raise WrongVersion if it ends elsewhere, NotThere.

    Only the owner of the tables can do it; the role that serves may not.
    """
    looking = Looking(database, path, name)
    with _transaction(database, path) as connection:
        connection.execute(statements.LOCKED, {"name": name})
        end = looking.end(connect=lambda: lent(connection))
        if end.seq != anchor.seq:
            raise WrongVersion(anchor.seq, end.seq)
        if end.hash != anchor.hash:
            raise NotWritten(
                path, f"record {end.seq} has another hash than the anchor", "encounter head URL prints the end"
            )
        for table in _OF_LOGS:
            connection.execute(b"delete from %b where log = %%s" % table, (end.log,))
        connection.execute("delete from log where id = %s", (end.log,))


def _fill(connection: Connection, log: int, lines: Iterable[bytes]) -> None:
    """Add the lines and keys of a new log, and set its end."""
    end: LogPosition | Recorded = START
    keys = list[tuple[int, bytes, int, int]]()
    with connection.cursor().copy("copy record (log, seq, line) from stdin (format binary)") as copy:
        copy.set_types(["int8", "int8", "bytea"])
        for line in lines:
            end = record = decode(line)
            copy.write_row((log, record.seq, line.rstrip(b"\n")))
            if record.key is not None:
                keys.append((log, record.key.encode(), *_batch_of(record)))
    connection.cursor().executemany(_KEYS, keys)
    connection.execute(_ENDED, (end.seq, end.hash, log))


def _batch_of(record: Recorded) -> tuple[int, int]:
    """Return the first and the last record of the append that a record is part of."""
    place, size = record.batch or (1, 1)
    return record.seq - place + 1, record.seq - place + size


@contextmanager
def _transaction(database: Database, path: Url) -> Iterator[Connection]:
    """Lend a connection, and commit its transaction; raise OutcomeUnknown if the connection is lost meanwhile."""
    with database.connection() as connection:
        ends = False
        try:
            connection.execute(statements.BEGIN)
            connection.execute(statements.PATIENCE, statements.patience(database.wait))
            yield connection
            ends = True
            connection.execute("commit")
        except psycopg.Error as error:
            raise errors.unwritten(path, error, database.wait, lost=ends and connection.broken) from None


def check(database: Database) -> StoreError | None:
    """Return why logs cannot be served at the moment; None if they can."""
    try:
        with database.connection() as connection:
            connection.execute("select 1")
    except psycopg.Error as error:
        return errors.unread(database.url, error, database.wait)
    except StoreError as error:
        return error
    return None
