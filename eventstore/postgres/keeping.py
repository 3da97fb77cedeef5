"""What is kept in a database: whole logs, which are created from their lines, listed, and removed; tokens; the secrets of dice."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, LiteralString, TypeVar

import psycopg
from msgspec import Struct, structs
from psycopg.errors import UniqueViolation

from eventstore.address import Url
from eventstore.chain import START, Anchor, LogPosition
from eventstore.errors import AlreadyThere, NotWritten, WrongVersion
from eventstore.postgres import connections, statements
from eventstore.postgres.appending import UNSAFE_HINT, unsafe_reason
from eventstore.postgres.connections import Connection, Database
from eventstore.postgres.looking import Looking
from eventstore.record import Recorded, decode

T = TypeVar("T")
_OF_LOGS = (b"record", b"key")
"""The tables with rows of logs."""


def list_names(database: Database) -> tuple[str, ...]:
    """Return the names of all logs, sorted; raise as reading does."""
    with database.reading() as connection:
        rows = connection.execute("select name from log").fetchall()
    return tuple(sorted(name for (name,) in rows))


def create_log(database: Database, path: Url, name: str, lines: Iterable[bytes]) -> None:
    """Create a log of verified lines, whole or not at all, under a name that is free.

    Raises AlreadyThere, NotWritten, OutcomeUnknown, and whatever the lines raise while they are read.
    """
    with _open_transaction(database, path) as connection:
        if why := unsafe_reason(database, connection):
            raise NotWritten(path, why, UNSAFE_HINT)
        try:
            opened = connection.execute("insert into log (name, seq, hash) values (%s, 0, '') returning id", (name,))
            ((log,),) = opened.fetchall()
        except UniqueViolation:
            raise AlreadyThere(path, "there is already a log of that name", "choose another name") from None
        _add_lines(connection, log, lines)


def remove_log(database: Database, path: Url, name: str, anchor: Anchor) -> None:
    """Remove a log that ends with this anchor, for ever; raise WrongVersion if it ends elsewhere, NotThere.

    Only the owner of the tables can do it; the role that serves may not.
    """
    with _open_transaction(database, path) as connection:
        connection.execute(statements.LOCKED, {"name": name})
        end = Looking(database, path, name, connection).log_end()
        if end.seq != anchor.seq:
            raise WrongVersion(anchor.seq, end.seq)
        if end.hash != anchor.hash:
            raise NotWritten(
                path, f"record {end.seq} has another hash than the anchor", "encounter head URL prints the end"
            )
        for table in _OF_LOGS:
            connection.execute(b"delete from %b where log = %%s" % table, (end.log,))
        connection.execute("delete from log where id = %s", (end.log,))


def _add_lines(connection: Connection, log: int, lines: Iterable[bytes]) -> None:
    end: LogPosition | Recorded = START
    keys = list[tuple[int, bytes, int, int]]()
    with connection.cursor().copy("copy record (log, seq, line) from stdin (format binary)") as copy:
        copy.set_types(["int8", "int8", "bytea"])
        for line in lines:
            end = record = decode(line)
            copy.write_row((log, record.seq, line.rstrip(b"\n")))
            if record.key is not None:
                keys.append((log, record.key.encode(), *_batch_bounds(record)))
    connection.cursor().executemany("insert into key (log, key, first, last) values (%s, %s, %s, %s)", keys)
    connection.execute("update log set seq = %s, hash = %s where id = %s", (end.seq, end.hash, log))


def _batch_bounds(record: Recorded) -> tuple[int, int]:
    place, size = record.batch or (1, 1)
    return record.seq - place + 1, record.seq - place + size


@contextmanager
def _open_transaction(database: Database, path: Url) -> Iterator[Connection]:
    """Lend a connection, and commit its transaction; raise OutcomeUnknown if the connection is lost meanwhile."""
    with database.connection() as connection:
        ends = False
        try:
            connection.execute(statements.begin_transaction(database.wait))
            yield connection
            ends = True
            connection.commit()
        except psycopg.Error as error:
            raise connections.write_error(path, error, database.wait, lost=ends and connection.broken) from None


def check_health(database: Database) -> None:
    """Raise the StoreError that says why logs cannot be served at the moment, if they cannot."""
    with database.reading() as connection:
        connection.execute("select 1")


_ADD = """
insert into token (id, digest, role, value, revoked) values (%(id)s, %(digest)s, %(role)s, %(value)s, %(revoked)s)
returning id, digest, role, value, revoked
"""
_ADD_FIRST = """
insert into token (id, digest, role, value, only_one)
select %(id)s, %(digest)s, %(role)s, %(value)s, %(role)s
where not exists (select 1 from token where role = %(role)s and revoked = '') on conflict do nothing
returning id, digest, role, value, revoked
"""
_ALL = "select id, digest, role, value, revoked from token order by number"
_FIND = "select id, digest, role, value, revoked from token where digest = %(digest)s"
_REVOKE = """
update token set revoked = case revoked when '' then %(at)s else revoked end, only_one = null where id = %(id)s
returning id, digest, role, value, revoked
"""


class TokenRow(Struct, frozen=True):
    """A stored token; `value` holds its other fields, `revoked` a moment or nothing."""

    id: str
    digest: str
    role: str
    value: bytes
    revoked: str = ""


class TokenTable(Generic[T]):
    """The tokens of a database, each kept as a row. Every call sees what other processes did before it, and is durable on return."""

    def __init__(self, database: Database, to_row: Callable[[T], TokenRow], from_row: Callable[[TokenRow], T]) -> None:
        self._database, self._to_row, self._from_row = database, to_row, from_row

    def all(self) -> tuple[T, ...]:
        """Return every token, revoked ones included, in the order of creation; raise as reading does."""
        with self._database.reading() as connection:
            return tuple(self._tokens(connection.execute(_ALL)))

    def find(self, digest: str) -> T | None:
        """Return the token with this digest, revoked or not; None if there is none."""
        with self._database.reading() as connection:
            return next(self._tokens(connection.execute(_FIND, {"digest": digest})), None)

    def add(self, token: T) -> None:
        """Keep a token; raise NotWritten, OutcomeUnknown or Busy."""
        self._write_token(_ADD, structs.asdict(self._to_row(token)))

    def add_first(self, token: T) -> bool:
        """Keep a token unless there is one of its role that is not revoked; return whether it was kept."""
        return self._write_token(_ADD_FIRST, structs.asdict(self._to_row(token))) is not None

    def revoke(self, token_id: str, at: str) -> T | None:
        """Mark a token as revoked and return it; None if there is none with this id."""
        return self._write_token(_REVOKE, {"id": token_id, "at": at})

    def _write_token(self, statement: LiteralString, values: dict[str, Any]) -> T | None:
        with self._database.writing() as connection:
            return next(self._tokens(connection.execute(statement, values)), None)

    def _tokens(self, rows: Iterable[Any]) -> Iterator[T]:
        return (self._from_row(TokenRow(*row)) for row in rows)


def keep_dice_secret(database: Database, link: str, secret: bytes) -> None:
    """Keep a secret, durably; raise NotWritten, OutcomeUnknown or Busy."""
    with database.writing() as connection:
        connection.execute("insert into dice_secret values (%s, %s) on conflict do nothing", (link, secret))


def dice_secret(database: Database, link: str) -> bytes | None:
    """Return the secret of a link; None if it is not here. Raise NotReadable."""
    with database.reading() as connection:
        row = connection.execute("select secret from dice_secret where link = %s", (link,)).fetchone()
    return bytes(row[0]) if row else None
