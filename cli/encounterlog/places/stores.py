"""The only place that chooses a store: a path is a JSONL file, a URL a log in a database or of a service."""

import os
from collections.abc import Iterable, Sequence
from typing import TypeGuard

from encounterlog.errors import Refused, missing_extra, note_written
from encounterlog.places import databases
from encounterlog.progress import ShownDisk
from eventstore import copying, files, jsonl
from eventstore.address import DATABASES, FORMS, LogAddress, Url, is_url, parse_url
from eventstore.disk import MACHINE
from eventstore.errors import Malformed
from eventstore.paths import AnyPath, folder_of, plain_path
from eventstore.record import Draft
from eventstore.store import Store
from eventstore.wording import visible

_SERVICES = ("https", "http")


def parse_address(text: AnyPath | Url) -> LogAddress:
    """Return the address that a text is: a path or a URL; raise Malformed for a URL of another kind, and for no path of a file."""
    if isinstance(text, Url):
        return text
    if not isinstance(text, str) or not is_url(text):
        return plain_path(text)
    found = parse_url(text)
    if found.scheme not in (*DATABASES, *_SERVICES):
        raise Malformed("address", f"{found.scheme}:// is not where logs are kept", f"give {FORMS}")
    return found


def is_served(path: LogAddress) -> TypeGuard[Url]:
    """Return whether a log is kept by a service."""
    return isinstance(path, Url) and path.scheme in _SERVICES


def open_store(path: LogAddress, *, network_drive: bool = False, shows: bool = False) -> Store:
    """Return the store of a log, unchanged. `network_drive` allows writing where locks may be unreliable.

    With `shows`, a terminal shows how far the reading of a large file is.
    """
    if is_served(path):
        try:
            from encounterlog.places.remote import RemoteStore
        except ImportError:
            raise missing_extra("usage", "a part that asks services is missing: httpx", "serve") from None
        return RemoteStore(path)
    if isinstance(path, Url):
        return databases.database_of_log(path).store(path)
    return jsonl.JsonlStore(path, network_drive=network_drive, disk=ShownDisk() if shows else MACHINE)


def open_place(place: Url) -> tuple[Url, ...]:
    """Return the addresses of all logs of a database, sorted by their names; raise as reading does, Malformed."""
    names = databases.open_database(databases.only_database(place)).names()
    return tuple(place.at(*place.segments, name) for name in names)


def check_free(path: LogAddress, hint: str = "choose another name") -> None:
    """Raise Refused if there is a log, or anything else, at the address of a new one."""
    if isinstance(path, Url):
        taken = path.name in databases.database_of_log(path).names()
    else:
        taken = os.path.lexists(path)
        hint = "choose another name" if os.path.isdir(path) else hint  # noqa: PTH112 – pathlib takes long to load
        hint = hint if os.path.exists(path) else "it is a link that leads nowhere: choose another name"  # noqa: PTH110
    if taken:
        raise Refused("usage", f"{visible(str(path))} is already there", hint)


def create_store(path: LogAddress, *batches: Sequence[Draft], by: str, at: str, network_drive: bool = False) -> Store:
    """Create a log of one or several appends, whole or not at all; the first draft opens the encounter. Raise as the store does."""
    if isinstance(path, Url):
        databases.database_of_log(path).create_of(path, batches, by=by, at=at)
        store = open_store(path)
    else:
        store = jsonl.create(path, *batches, by=by, at=at, network_drive=network_drive)
    note_written()
    return store


def create_of_lines(path: LogAddress, lines: Iterable[bytes], *, network_drive: bool = False) -> None:
    """Create a log of these lines, whole or not at all, at a free address; raise what the store or the source of the lines raises."""
    if isinstance(path, Url):
        databases.database_of_log(path).create(path, lines)
    else:
        files.check_is_local(MACHINE, path, folder_of(path), allowed=network_drive)
        copying.create_file(path, lines)
    note_written()
