"""What tests of the store in PostgreSQL have in common: logs in a database, what is sent to it, and what its server is made to do."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from eventstore.address import Url
from eventstore.postgres import keeping
from eventstore.postgres.connections import Connection, Database
from eventstore.postgres.store import PostgresStore
from eventstore.record import Draft
from tests import servers
from tests.eventstore.logs import OPENING, drafts, log_of
from tests.waiting import until


def create(database: Database, name: str = "ford", *batches: Sequence[Draft]) -> PostgresStore:
    lines = log_of(drafts(OPENING), *batches).splitlines(keepends=True)
    keeping.create_log(database, database.url.at(*database.url.segments, name), name, lines)
    return PostgresStore(database, name)


def with_words(url: Url, **words: str) -> Url:
    return Url(url.given + "".join(f"&{name}={value}" for name, value in words.items()))


class Statements:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[str] = []
        execute = psycopg.Connection.execute

        def counting(connection: Any, query: Any, *args: Any, **kwargs: Any) -> Any:
            self.sent.append(query if isinstance(query, str) else str(query))
            return execute(connection, query, *args, **kwargs)

        monkeypatch.setattr(psycopg.Connection, "execute", counting)


def roll_back(owner: Connection, seq: int) -> None:
    with owner.transaction():  # who follows sees both at once, or neither
        owner.execute("delete from record where seq > %s", (seq,))
        owner.execute(
            "update log set seq = %s, hash = (select convert_from(substring(line from octet_length(line) - 65 for 64), 'UTF8') from record where seq = %s)",
            (seq, seq),
        )


def connected(owner: Connection, url: Url) -> set[int]:
    name = servers.schema_of(url)
    return {pid for (pid,) in owner.execute("select pid from pg_stat_activity where application_name = %s", (name,))}


def break_who_waits_for(owner: Connection) -> None:
    """Wait until a connection waits for a lock of the owner's transaction, and let the server break it."""
    waiting = "select pid from pg_locks where not granted and pg_blocking_pids(pid) @> array[pg_backend_pid()]"
    until(lambda: owner.execute(waiting).fetchone())
    owner.execute(f"select pg_terminate_backend(pid, 60000) from ({waiting}) as those")


LOST = "perform pg_terminate_backend(pg_backend_pid())"
"""What lets the server break the connection."""


@contextmanager
def at_commit(owner: Connection, table: str, does: str) -> Iterator[None]:
    owner.execute(
        f"create or replace function at_commit() returns trigger language plpgsql as $$ begin {does}; return null; end $$".encode()
    )
    owner.execute(
        f"create constraint trigger at_commit after insert on {table} initially deferred for each row execute function at_commit()".encode()
    )
    try:
        yield
    finally:
        owner.execute(f"drop trigger at_commit on {table}".encode())


@contextmanager
def unreadable(owner: Connection) -> Iterator[None]:
    owner.execute("alter table record alter column seq type text")
    try:
        yield
    finally:
        owner.execute("alter table record alter column seq type bigint using seq::bigint")
