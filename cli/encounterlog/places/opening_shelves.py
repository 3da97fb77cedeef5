"""The shelf at an address: a folder, or a database."""

from pathlib import Path

from encounterlog.places import databases
from encounterlog.places.shelves import SUFFIX, FolderShelf, Shelf, check_name
from encounterlog.places.stores import parse_address as located
from eventstore.address import Url, is_url
from eventstore.errors import Malformed, NotReadable


def open_shelf(address: str) -> Shelf:
    """Return the shelf at an address: a folder, or a database. Raise NotReadable where there is none."""
    if not address:
        raise Malformed(
            "address", "is empty", "give a folder of logs, or postgresql://USER@HOST/DATABASE; . is this folder"
        )
    found = located(address) if is_url(address) else address
    return FolderShelf(Path(found)) if isinstance(found, str) else _open_database_shelf(found)


def shelf_of(address: str) -> tuple[Shelf, str]:
    """Return the shelf that a log stands on, and its name there; raise NotReadable or Malformed."""
    found = located(address)
    if not isinstance(found, str):
        return _open_database_shelf(found.at(*found.segments[:-1])), check_name(found.name)
    path = Path(found)
    if path.suffix != SUFFIX:
        raise NotReadable(found, f"is not called {SUFFIX}", "only such files are served")
    return FolderShelf(path.parent), check_name(path.stem)


def _open_database_shelf(url: "Url") -> Shelf:
    databases.open_database(databases.only_database(url))  # which says what is missing without the extra postgres
    from encounterlog.places.database_shelf import DatabaseShelf

    return DatabaseShelf(url)
