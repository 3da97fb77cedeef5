"""The table of tokens: a row each. The store uses only id, digest, role and revocation."""

from typing import Any

import psycopg
from msgspec import Struct
from psycopg.errors import UniqueViolation

from eventstore.postgres import errors
from eventstore.postgres.connections import Database

_ADD = (
    "insert into token (id, digest, role, value, revoked) values (%(id)s, %(digest)s, %(role)s, %(value)s, %(revoked)s)"
)
_ADD_FIRST = """
insert into token (id, digest, role, value, only_one)
select %(id)s, %(digest)s, %(role)s, %(value)s, %(role)s
where not exists (select 1 from token where role = %(role)s and revoked = '')
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


class TokenTable:
    """The tokens of a database. Every call sees what other processes did before it, and is durable on return."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[TokenRow]:
        """Return every token, in the order of creation; raise as reading does."""
        return self._read(_ALL)

    def find(self, digest: str) -> TokenRow | None:
        """Return the token with this digest; None if there is none."""
        return next(iter(self._read(_FIND, {"digest": digest})), None)

    def add(self, row: TokenRow) -> None:
        """Keep a token; raise NotWritten, OutcomeUnknown or Busy."""
        self._write(_ADD, _values(row))

    def add_first(self, row: TokenRow) -> bool:
        """Keep a token unless there is one of its role that is not revoked; return whether it was kept."""
        return self._write(_ADD_FIRST, _values(row), taken=False) == 1

    def revoke(self, token: str, at: str) -> TokenRow | None:
        """Mark a token as revoked and return it; None if there is none with this id."""
        found: list[TokenRow] = []
        self._write(_REVOKE, {"id": token, "at": at}, found)
        return found[0] if found else None

    def _read(self, statement: str, values: dict[str, Any] | None = None) -> list[TokenRow]:
        with self._database.connection() as connection:
            try:
                return _rows(connection.execute(statement.encode(), values))
            except psycopg.Error as error:
                raise errors.unread(self._database.url, error, self._database.wait) from None

    def _write(
        self, statement: str, values: dict[str, Any], found: list[TokenRow] | None = None, *, taken: bool = True
    ) -> int:
        """Return how many rows a statement changed; with `taken`, raise the error of a row that exists already."""
        with self._database.connection() as connection:
            try:
                done = connection.execute(statement.encode(), values)
            except psycopg.Error as error:
                if isinstance(error, UniqueViolation) and not taken:
                    return 0
                lost = connection.broken
                raise errors.unwritten(self._database.url, error, self._database.wait, lost=lost) from None
        if found is not None:
            found += _rows(done)
        return done.rowcount


def _values(row: TokenRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}


def _rows(done: psycopg.Cursor[tuple[Any, ...]]) -> list[TokenRow]:
    return [TokenRow(token, digest, role, bytes(value), revoked) for token, digest, role, value, revoked in done]
