"""A database of logs that is open: what the application does in it. It is imported where one is opened, as it needs the extra postgres."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import structs

from encounterlog.places.tokens import Token
from eventstore.address import Url
from eventstore.chain import Anchor
from eventstore.memory import MemoryStore
from eventstore.postgres import keeping, migrating
from eventstore.postgres.connections import Database
from eventstore.postgres.keeping import TokenRow, TokenTable
from eventstore.postgres.store import PostgresStore
from eventstore.record import Draft


class OpenDatabase(Database):
    """A database with what the application does in it. All raise as the store does."""

    check, names, migrate = keeping.check_health, keeping.list_names, migrating.migrate_tables
    keep_dice_secret, dice_secret = keeping.keep_dice_secret, keeping.dice_secret

    @property
    def tokens(self) -> TokenTable[Token]:
        """The tokens that open its logs."""

        def to_row(token: Token) -> TokenRow:
            value = msgspec.json.encode(structs.replace(token, revoked=""))
            return TokenRow(token.id, token.digest, token.role, value, token.revoked)

        return TokenTable(
            self, to_row, lambda row: structs.replace(msgspec.json.decode(row.value, type=Token), revoked=row.revoked)
        )

    def store(self, log: Url) -> PostgresStore:
        """Return the store of a log."""
        return PostgresStore(self, log.name, path=log)

    def create(self, log: Url, lines: Iterable[bytes]) -> None:
        """Create a log of these lines, whole or not at all, under a name that is free."""
        keeping.create_log(self, log, log.name, lines)

    def create_of(self, log: Url, batches: Sequence[Sequence[Draft]], *, by: str, at: str) -> None:
        """Create a log of several appends, whole or not at all, under a name that is free."""
        made = MemoryStore(batches[0], by=by, at=at)
        for batch in batches[1:]:
            made.append(batch, by=by, at=at)
        self.create(log, made.data.splitlines(keepends=True))

    def remove(self, log: Url, anchor: Anchor) -> None:
        """Remove a log that ends with this anchor."""
        keeping.remove_log(self, log, log.name, anchor)
