"""A database of logs that is open: what the application does in it. It is imported where one is opened, as it needs the extra postgres."""

from collections.abc import Iterable, Sequence

from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.errors import StoreError
from eventstore.memory import MemoryStore
from eventstore.postgres import keeping, migrating
from eventstore.postgres.connections import Database
from eventstore.postgres.keeping import TokenTable
from eventstore.postgres.store import PostgresStore
from eventstore.record import Draft


class OpenDatabase:
    """A database, whose connections are opened when they are needed. All raise as the store does."""

    def __init__(self, url: Url) -> None:
        self._database = Database(url)

    def close(self) -> None:
        """Close the connections."""
        self._database.close()

    def check(self) -> StoreError | None:
        """Return the error that says why logs cannot be kept at the moment, if they cannot."""
        return keeping.check(self._database)

    def names(self) -> tuple[str, ...]:
        """Return the names of all logs."""
        return keeping.names(self._database)

    def store(self, log: Url) -> PostgresStore:
        """Return the store of a log."""
        return PostgresStore(self._database, log.name, path=log)

    def create(self, log: Url, lines: Iterable[bytes]) -> None:
        """Create a log of these lines, whole or not at all, under a name that is free."""
        keeping.create(self._database, log, log.name, lines)

    def create_of(self, log: Url, batches: Sequence[Sequence[Draft]], *, by: str, at: str) -> None:
        """Create a log of several appends, whole or not at all, under a name that is free."""
        made = MemoryStore(batches[0], by=by, at=at)
        for batch in batches[1:]:
            made.append(batch, by=by, at=at)
        self.create(log, made.data.splitlines(keepends=True))

    def remove(self, log: Url, anchor: Anchor) -> None:
        """Remove a log that ends with this anchor."""
        keeping.remove(self._database, log, log.name, anchor)

    def migrate(self, serve: Sequence[str]) -> tuple[int, ...]:
        """Bring the tables to this version, and let roles serve them; return the numbers of what was done."""
        return migrating.migrate(self._database, serve)

    def tokens(self) -> TokenTable:
        """Return the table of tokens."""
        return TokenTable(self._database)

    def keep_dice_secret(self, link: str, secret: bytes) -> None:
        """Keep the secret of a chain of dice under its commitment."""
        keeping.keep_dice_secret(self._database, link, secret)

    def dice_secret(self, link: str) -> bytes | None:
        """Return the secret with this commitment; None if there is none."""
        return keeping.dice_secret(self._database, link)
