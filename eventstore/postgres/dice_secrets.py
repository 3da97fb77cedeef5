"""The table of the secrets of dice chains: a row each, found by the link that the log has."""

import psycopg

from eventstore.postgres import errors
from eventstore.postgres.connections import Database

_ADD = b"insert into dice_secret (link, secret) values (%(link)s, %(secret)s) on conflict do nothing"
_FIND = b"select secret from dice_secret where link = %(link)s"


def keep(database: Database, link: str, secret: bytes) -> None:
    """Keep a secret, durably; raise NotWritten, OutcomeUnknown or Busy."""
    with database.connection() as connection:
        try:
            connection.execute(_ADD, {"link": link, "secret": secret})
        except psycopg.Error as error:
            raise errors.unwritten(database.url, error, database.wait, lost=connection.broken) from None


def find(database: Database, link: str) -> bytes | None:
    """Return the secret of a link; None if it is not here. Raise NotReadable."""
    with database.connection() as connection:
        try:
            row = connection.execute(_FIND, {"link": link}).fetchone()
        except psycopg.Error as error:
            raise errors.unread(database.url, error, database.wait) from None
    return bytes(row[0]) if row else None
