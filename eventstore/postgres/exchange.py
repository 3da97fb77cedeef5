"""Statements sent by libpq itself, with their answers: a cursor of psycopg takes four times as much processor time.

A statement is kept prepared where the server itself answers.
"""

import re
import struct
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from msgspec import Struct
from psycopg.errors import InvalidSqlStatementName, error_from_result
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

from eventstore.postgres.connections import Connection, close, has_come, is_settled

TEXT, INT, TEXTS, INTS = 25, 20, 1001, 1016
"""PostgreSQL's numbers for the types text, bigint, bytea[] and bigint[]."""
_NAME = re.compile(r"%\((\w+)\)s")
_LONGEST = 60.0
"""The longest single wait, in seconds; then the wait begins again."""


class Statement(Struct, frozen=True):
    """A statement with $1, $2, … in the places of its values, and the names and types of these."""

    command: bytes
    names: tuple[str, ...]
    types: tuple[int, ...]
    formats: tuple[int, ...]
    """For each value 1 where it is sent in binary form, as arrays are, else 0."""


_PREPARED: WeakKeyDictionary[Connection, dict[Statement, bytes]] = WeakKeyDictionary()
"""The statements that servers keep prepared, by connection, with their names."""


@cache
def statement(text: str) -> Statement:
    """Return a statement from one that has its values as %(name)s; the type of each follows from its name."""
    names = tuple(dict.fromkeys(_NAME.findall(text)))
    command = _NAME.sub(lambda match: f"${names.index(match[1]) + 1}", text).encode()
    types = tuple(_TYPES[name] for name in names)
    return Statement(command, names, types, tuple(int(kind in (TEXTS, INTS)) for kind in types))


_TYPES = {
    "wait": TEXT,
    "log": INT,
    "after": INT,
    "previous": TEXT,
    "last": INT,
    "hash": TEXT,
    "lines": TEXTS,
    "keys": TEXTS,
    "firsts": INTS,
    "lasts": INTS,
}


def asked(connection: Connection, what: Statement, values: Mapping[str, Any]) -> PGresult:
    """Return the answer to a statement; raise psycopg.Error. If it is interrupted, the connection is closed."""
    sent = [_written(kind, values[name]) for name, kind in zip(what.names, what.types, strict=True)]
    alone = connection.pgconn.transaction_status == TransactionStatus.IDLE
    try:
        if alone and is_settled(connection):
            try:
                return _asked_prepared(connection, what, sent)
            except InvalidSqlStatementName:  # psycopg lets the server forget all that is prepared, as after a rollback
                _PREPARED.pop(connection, None)
                return _asked_prepared(connection, what, sent)
        connection.pgconn.send_query_params(what.command, sent, what.types, what.formats)
        return _answer(connection)
    except psycopg.Error:
        raise
    except BaseException:  # the answer is still to come
        close(connection)
        raise


def _asked_prepared(connection: Connection, what: Statement, sent: Sequence[bytes]) -> PGresult:
    wire, prepared = connection.pgconn, _PREPARED.setdefault(connection, {})
    name = prepared.get(what)
    if name is None:
        name = b"encounterlog %d" % len(prepared)
        wire.send_prepare(name, what.command, what.types)
        _answer(connection)
        prepared[what] = name
    wire.send_query_prepared(name, sent, what.formats)
    return _answer(connection)


def _answer(connection: Connection) -> PGresult:
    """Return the answer to the statement that was sent; raise it as a psycopg.Error if it is an error."""
    wire = connection.pgconn
    while wire.flush():  # more than the socket takes at once
        has_come(connection, _LONGEST, sending=True)
        wire.consume_input()
    while wire.is_busy():
        has_come(connection, _LONGEST)
        wire.consume_input()
    found = wire.get_result()
    while (more := wire.get_result()) is not None:
        found = more
    if found is None or found.status not in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
        raise error_from_result(found) if found else psycopg.OperationalError("the server gave no answer")
    return found


def _written(kind: int, value: Any) -> bytes:
    """Return a value in the form in which it is sent: arrays in binary form, all else as text."""
    if kind == TEXTS:
        return _array(17, [struct.pack("!i", len(each)) + each for each in value])
    if kind == INTS:
        return _array(INT, [struct.pack("!iq", 8, each) for each in value])
    return str(value).encode()


def _array(kind: int, elements: Sequence[bytes]) -> bytes:
    return struct.pack("!iiIii", 1, 0, kind, len(elements), 1) + b"".join(elements)
