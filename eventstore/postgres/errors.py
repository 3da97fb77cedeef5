"""Errors of psycopg as errors of the store, with fault, place and remedy, and never with a password."""

import psycopg
from psycopg import errors

from eventstore.address import LogAddress
from eventstore.errors import Busy, NotMigrated, NotReadable, NotWritten, OutcomeUnknown, StoreError
from eventstore.postgres.statements import VERSION

_MISSING = (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName)
_IN_USE = (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure)
_ROLE = "encounter migrate URL --serve ROLE lets a role read and append; only the owner migrates and removes"


_REFUSED = (
    ("pg_hba.conf", "the server runs, and its pg_hba.conf lets nobody in from here under this name"),
    ("password", "it is in PGPASSWORD, ~/.pgpass, or the address: postgresql://USER:PASSWORD@HOST/DATABASE"),
    ("permission denied", "the owner of the database lets a role in: GRANT CONNECT ON DATABASE … TO …"),
    (
        "database",
        "the address names it behind the host: postgresql://USER@HOST/DATABASE/NAME; psql -l lists those of a server",
    ),
    (
        "role",
        "the address names it before the host: postgresql://ROLE@HOST/DATABASE; without it, it is that of the system",
    ),
)
"""The words in the answer of a server that let nobody in, and the hint for each."""


def unreachable(path: LogAddress, error: psycopg.Error) -> NotReadable:
    """Return the error that no connection could be made; its hint is about what the server refused, if it answered."""
    why = reason(error)
    _, answered, answer = why.rpartition(" failed: ")
    hints = (hint for word, hint in _REFUSED if answered and word in answer)
    return NotReadable(
        path, f"the database cannot be reached: {why}", next(hints, "is the server running, and its name right?")
    )


def unread(path: LogAddress, error: psycopg.Error, wait: float) -> StoreError:
    """Return the error of a statement that only reads."""
    if isinstance(error, errors.InsufficientPrivilege):
        return NotReadable(path, reason(error), _ROLE)
    return _common(path, error, wait) or NotReadable(path, f"the database did not answer: {reason(error)}")


def unwritten(path: LogAddress, error: psycopg.Error, wait: float, *, lost: bool) -> StoreError:
    """Return the error of a statement that writes; the outcome is unknown if the connection was lost meanwhile."""
    if lost:
        return OutcomeUnknown(path, f"the connection to the database was lost: {reason(error)}")
    if isinstance(error, errors.InsufficientPrivilege):
        return NotWritten(path, reason(error), _ROLE)
    return _common(path, error, wait) or NotWritten(path, reason(error))


def not_migrated(path: LogAddress, found: int = 0) -> NotMigrated:
    """Return the error that the tables are those of another version, or not there."""
    if found > VERSION:
        why = f"the tables are of version {found}; this program knows those up to {VERSION}"
        return NotMigrated(path, why, "install the newest encounterlog")
    why = f"the tables are of version {found}, not {VERSION}" if found else "the database has no tables for logs yet"
    return NotMigrated(
        path, why, "its owner has to make them first: encounter migrate postgresql://OWNER@HOST/DATABASE"
    )


def reason(error: psycopg.Error) -> str:
    """Return the message of the server or the library on one line."""
    line = str(error).strip().partition("\n")[0]
    return line.removeprefix("connection failed: ").removeprefix("connection to server at ").removeprefix("FATAL:  ")


def _common(path: LogAddress, error: psycopg.Error, wait: float) -> StoreError | None:
    if isinstance(error, _MISSING):
        return not_migrated(path)
    if isinstance(error, _IN_USE):
        return Busy(path, wait, ("another writer",))
    return None
