"""Statements sent by libpq itself, with their answers: a cursor of psycopg takes four times as much processor time.

A statement is kept prepared where the server itself answers.
"""

import itertools
import re
import struct
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from msgspec import Struct
from psycopg.errors import InvalidSqlStatementName, error_from_result
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from eventstore.postgres import statements
from eventstore.postgres.connections import Connection, close_connection, has_come, is_settled

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
_NUMBERS = itertools.count()


@cache
def make_statement(text: str) -> Statement:
    """Return a statement from one that has its values as %(name)s; the type of each follows from its name."""
    names = tuple(dict.fromkeys(_NAME.findall(text)))
    command = _NAME.sub(lambda match: f"${names.index(match[1]) + 1}", text).encode()
    types = tuple(_TYPES[name] for name in names)
    return Statement(command, names, types, tuple(int(kind in (TEXTS, INTS)) for kind in types))


COMMIT = Statement(b"commit", (), (), ())
_TYPES = {
    "wait": TEXT,
    "idle": TEXT,
    "name": TEXT,
    "seq": INT,
    "count": INT,
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


def execute_statement(connection: Connection, what: Statement, values: Mapping[str, Any]) -> PGresult:
    """Return the answer to a statement; raise psycopg.Error. If it is interrupted, the connection is closed."""
    sent = [_encode_value(kind, values[name]) for name, kind in zip(what.names, what.types, strict=True)]
    try:
        if is_settled(connection):
            try:
                return _query_prepared(connection, what, sent)
            except InvalidSqlStatementName:  # psycopg lets the server forget all that is prepared, as after a rollback
                _PREPARED.pop(connection, None)
                return _query_prepared(connection, what, sent)
        connection.pgconn.send_query_params(what.command, sent, what.types, what.formats)
        return _receive_answer(connection)
    except psycopg.Error:
        raise
    except BaseException:  # the answer is still to come
        close_connection(connection)
        raise


def execute_together(connection: Connection, whats: Sequence[Statement], values: Mapping[str, Any]) -> list[PGresult]:
    """Send statements of a transaction in one round trip and return their answers, with values in binary form.

    The server skips those after one that fails, which is raised as a psycopg.Error.
    """
    try:
        try:
            return _execute_in_pipeline(connection, whats, values)
        except InvalidSqlStatementName:  # as above; nothing was done yet if the transaction begins here
            if whats[0].command != statements.BEGIN.encode():
                raise
            _PREPARED.pop(connection, None)
            connection.rollback()
            return _execute_in_pipeline(connection, whats, values)
    except psycopg.Error:
        raise
    except BaseException:  # answers are still to come
        close_connection(connection)
        raise


def _execute_in_pipeline(
    connection: Connection, whats: Sequence[Statement], values: Mapping[str, Any]
) -> list[PGresult]:
    wire, prepared, new = connection.pgconn, _PREPARED.setdefault(connection, {}), dict[Statement, bytes]()
    wire.enter_pipeline_mode()
    for what in whats:
        sent = [_encode_value(kind, values[name]) for name, kind in zip(what.names, what.types, strict=True)]
        if not is_settled(connection):
            wire.send_query_params(what.command, sent, what.types, what.formats, 1)
            continue
        if what not in prepared:
            new[what] = b"encounterlog %d" % next(_NUMBERS)
            wire.send_prepare(new[what], what.command, what.types)
        wire.send_query_prepared(prepared.get(what) or new[what], sent, what.formats, 1)
    wire.pipeline_sync()
    came = [_receive_result(connection) for _ in range(len(whats) + len(new) + 1)]
    if not connection.broken:
        wire.exit_pipeline_mode()
    answers = [_check_result(each) for each in came[:-1]]
    prepared |= new
    return [each for each in answers if each.status == ExecStatus.TUPLES_OK]


def _query_prepared(connection: Connection, what: Statement, sent: Sequence[bytes]) -> PGresult:
    wire, prepared = connection.pgconn, _PREPARED.setdefault(connection, {})
    name = prepared.get(what)
    if name is None:
        name = b"encounterlog %d" % next(_NUMBERS)
        wire.send_prepare(name, what.command, what.types)
        _receive_answer(connection)
        prepared[what] = name
    wire.send_query_prepared(name, sent, what.formats)
    return _receive_answer(connection)


def _receive_answer(connection: Connection) -> PGresult:
    """Return the answer to the statement that was sent; raise it as a psycopg.Error if it is an error."""
    return _check_result(_receive_result(connection))


def _receive_result(connection: Connection) -> PGresult | None:
    wire = connection.pgconn
    while wire.flush():  # more than the socket takes at once
        has_come(connection, _LONGEST, sending=True)
        wire.consume_input()
    while wire.is_busy():
        has_come(connection, _LONGEST)
        wire.consume_input()
    found = wire.get_result()
    if found is None or found.status == ExecStatus.PIPELINE_SYNC:
        return found
    while (more := wire.get_result()) is not None:
        found = more
    return found


def _check_result(found: PGresult | None) -> PGresult:
    if found is None or found.status not in (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK):
        raise error_from_result(found) if found else psycopg.OperationalError("the server gave no answer")
    return found


def _encode_value(kind: int, value: Any) -> bytes:
    """Return a value in the form in which it is sent: arrays in binary form, all else as text."""
    if kind == TEXTS:
        return _encode_array(17, [struct.pack("!i", len(each)) + each for each in value])
    if kind == INTS:
        return _encode_array(INT, [struct.pack("!iq", 8, each) for each in value])
    return str(value).encode()


def _encode_array(kind: int, elements: Sequence[bytes]) -> bytes:
    return struct.pack("!iiIii", 1, 0, kind, len(elements), 1) + b"".join(elements)
