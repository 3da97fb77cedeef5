"""The shelf of a database: its logs, and the tokens that open them in a table. It needs the extra postgres."""

import threading
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import structs

from encounterlog.places import databases
from encounterlog.places.shelves import Token, Tokens, check_name
from encounterlog.places.stores import create_store
from eventstore.address import Url
from eventstore.errors import NotThere
from eventstore.postgres.keeping import TokenRow, TokenTable
from eventstore.postgres.store import PostgresStore
from eventstore.record import Draft
from eventstore.store import Store

_OPEN = 1024
"""The number of logs that are remembered with their verified parts."""


class DatabaseShelf:
    """The logs of a database, and its table of tokens. Any number of processes may serve one."""

    def __init__(self, url: Url) -> None:
        """Raise Malformed for an address that is not of a database, and what a look at it raises."""
        self.url = databases.only_database(url)
        self._database = databases.open_database(self.url)
        self.tokens: Tokens = DatabaseTokens(TokenTable(self._database))
        self._stores: dict[str, PostgresStore] = {}
        self._lock = threading.Lock()
        self.check()

    def names(self) -> tuple[str, ...]:
        """Return the names of all logs, sorted; raise NotReadable."""
        return self._database.names()

    def store(self, name: str) -> Store:
        """Return the store of a log, the same one for the same name as far as possible; raise Malformed, NotThere."""
        with self._lock:
            found = self._stores.pop(check_name(name), None)
        if found is None:
            found = self._database.store(self._address(name))
            if not found.exists():
                raise NotThere(found.path, "there is no such encounter")
        with self._lock:
            found = self._stores.setdefault(name, found)
            if len(self._stores) > _OPEN:
                del self._stores[next(iter(self._stores))]
        return found

    def create(self, name: str, drafts: Sequence[Draft], *, by: str, at: str) -> Store:
        """Create a log whose first draft opens the encounter; raise as the store does, AlreadyThere for a taken name."""
        create_store(self._address(name), drafts, by=by, at=at)
        return self.store(name)

    def unwritable(self) -> Mapping[str, str]:
        """Return an empty mapping: a fault that keeps one log of a database from being written keeps all of them."""
        return {}

    def check(self) -> None:
        """Raise the StoreError that says why logs cannot be served at the moment, if they cannot."""
        self._database.check()

    def close(self) -> None:
        """Close the connections."""
        self._database.close()

    def _address(self, name: str) -> Url:
        return self.url.at(*self.url.segments, check_name(name))


class DatabaseTokens:
    """Tokens in a table."""

    def __init__(self, table: TokenTable) -> None:
        self._table = table

    def all(self) -> tuple[Token, ...]:
        """Return every token, revoked ones included, in the order in which they were made."""
        return tuple(map(_token_from_row, self._table.all()))

    def find(self, digest: str) -> Token | None:
        """Return the token with this digest, revoked or not; None if there is none."""
        row = self._table.find(digest)
        return _token_from_row(row) if row else None

    def add(self, token: Token) -> None:
        """Keep a token; raise NotWritten or Busy."""
        self._table.add(_token_to_row(token))

    def add_first(self, token: Token) -> bool:
        """Keep a token unless there is one of its role that is not revoked; return whether it was kept."""
        return self._table.add_first(_token_to_row(token))

    def revoke(self, token_id: str, at: str) -> Token | None:
        """Mark a token as revoked and return it; None if there is none with this id."""
        row = self._table.revoke(token_id, at)
        return _token_from_row(row) if row else None


def _token_to_row(token: Token) -> TokenRow:
    return TokenRow(
        token.id, token.digest, token.role, msgspec.json.encode(structs.replace(token, revoked="")), token.revoked
    )


def _token_from_row(row: TokenRow) -> Token:
    return structs.replace(msgspec.json.decode(row.value, type=Token), revoked=row.revoked)
