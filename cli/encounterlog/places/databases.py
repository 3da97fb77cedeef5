"""Logs in databases: postgresql://USER@HOST/DATABASE/NAME. Needs the extra postgres, which is imported where one is opened."""

import atexit
from typing import TYPE_CHECKING, TypeGuard

from encounterlog.errors import missing_extra
from eventstore.address import DATABASES, LogAddress, Url
from eventstore.errors import Malformed
from eventstore.form import is_normal
from eventstore.wording import visible

if TYPE_CHECKING:
    from encounterlog.places.open_database import OpenDatabase

FORM = "postgresql://USER@HOST/DATABASE/NAME"
_OPEN: "dict[Url, OpenDatabase]" = {}


def is_one(address: LogAddress) -> TypeGuard[Url]:
    """Return whether an address is of a database or of a log in one."""
    return isinstance(address, Url) and address.scheme in DATABASES


def open_database(url: Url) -> "OpenDatabase":
    """Return the database at an address, or of a log in it; raise Refused without the extra, Malformed."""
    base = url.at(*url.segments[:1])
    if base not in _OPEN:
        try:
            from encounterlog.places.open_database import OpenDatabase
        except ImportError:
            raise missing_extra("usage", "logs in PostgreSQL need psycopg", "postgres") from None
        made = OpenDatabase(base)
        atexit.register(made.close)
        _OPEN.setdefault(base, made)
    return _OPEN[base]


def database_of_log(url: Url) -> "OpenDatabase":
    """Return the database of a log; raise Refused without the extra, Malformed for an address of no log."""
    name_of(url)
    return open_database(url)


def name_of(url: Url) -> str:
    """Return the name of the log at an address; raise Malformed if that is of a database, or of nothing."""
    if url.scheme not in DATABASES:
        raise Malformed("address", f"{url} is no address of a database", "only the operator creates logs at a service")
    if len(url.segments) != 2:
        kind = "a database" if len(url.segments) == 1 else "no log"
        raise Malformed("address", f"{url} names {kind}", f"the address of a log is {FORM}")
    name = url.segments[1]
    if not is_normal(name) or visible(name) != name or "/" in name or len(name.encode()) > 200:
        raise Malformed("address", "names a log with slashes or invisible characters, or of more than 200 bytes", FORM)
    return name


def only_database(url: Url) -> Url:
    """Return the address of a database; raise Malformed if it is one of a log, or of nothing."""
    if url.scheme not in DATABASES:
        raise Malformed("address", f"{url} is no address of a database", "that is postgresql://USER@HOST/DATABASE")
    if len(url.segments) != 1:
        raise Malformed("address", f"{url} names no database", "that of a database is postgresql://USER@HOST/DATABASE")
    return url
