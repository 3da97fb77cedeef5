"""The only place that chooses a store: a path is a JSONL file, a URL a log in a database or of a service."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from encounterlog.written import note_written
from eventstore import jsonl
from eventstore.address import FORMS, LogAddress, Url, is_url, url
from eventstore.chain import Anchor
from eventstore.disk import MACHINE
from eventstore.errors import Malformed
from eventstore.paths import AnyPath, folder_of, plain
from eventstore.record import Draft, Recorded
from eventstore.store import Store

if TYPE_CHECKING:
    from encounterlog.storage.remote import RemoteStore
    from eventstore.copying import Copy
    from eventstore.postgres.store import PostgresStore
    from eventstore.repair import Plan

_DATABASES = ("postgresql", "postgres")
_SERVICES = ("https", "http")


def address(text: AnyPath | Url) -> LogAddress:
    """Return the address that a text is: a path or a URL; raise Malformed for a URL of another kind, and for no path of a file."""
    if isinstance(text, Url):
        return text
    if not isinstance(text, str) or not is_url(text):
        return plain(text)
    found = url(text)
    if found.scheme not in (*_DATABASES, *_SERVICES):
        raise Malformed("address", f"{found.scheme}:// is not where logs are kept", f"give {FORMS}")
    return found


def is_served(path: LogAddress) -> bool:
    """Return whether a log is kept by a service."""
    return isinstance(path, Url) and path.scheme in _SERVICES


def open_store(path: LogAddress, *, network_drive: bool = False, shows: bool = False) -> Store:
    """Return the store of a log, unchanged. `network_drive` allows writing where locks may be unreliable.

    With `shows`, a terminal shows how far the reading of a large file is.
    """
    if isinstance(path, Url):
        return _elsewhere(path)
    if shows:
        from encounterlog.progress import ShownDisk

        return jsonl.JsonlStore(path, network_drive=network_drive, disk=ShownDisk())
    return jsonl.JsonlStore(path, network_drive=network_drive)


def open_place(place: Url) -> tuple[Url, ...]:
    """Return the addresses of all logs of a database, sorted by their names; raise as reading does, Malformed."""
    from encounterlog.storage import databases

    return tuple(place.at(*place.segments, name) for name in databases.names(place))


def check_free(path: LogAddress, hint: str = "choose another name") -> None:
    """Raise Refused if there is a log, or anything else, at an address where one is to be created."""
    from encounterlog.errors import Refused  # click comes with it, and the API does without

    if isinstance(path, Url):
        from encounterlog.storage import databases

        taken = databases.name_of(path) in databases.names(path.at(*path.segments[:1]))
    else:
        from pathlib import Path

        place = Path(path)
        taken = place.is_symlink() or place.exists()
        hint = "choose another name" if place.is_dir() else hint
        hint = hint if place.exists() else "it is a link that leads nowhere: choose another name"
    if taken:
        from eventstore.form import visible

        raise Refused("usage", f"{visible(str(path))} is already there", hint)


def create_store(path: LogAddress, drafts: Sequence[Draft], *, by: str, at: str, network_drive: bool = False) -> Store:
    """Create a log whose first draft opens the encounter, at a free address; raise as the store does."""
    if isinstance(path, Url):
        return create_whole(path, [drafts], by=by, at=at)
    store = jsonl.create(path, drafts, by=by, at=at, network_drive=network_drive)
    note_written()
    return store


def create_whole(
    path: LogAddress, batches: Sequence[Sequence[Draft]], *, by: str, at: str, network_drive: bool = False
) -> Store:
    """Create a log of several appends, whole or not at all; the first draft opens the encounter. Raise as the store does."""
    if isinstance(path, Url):
        from encounterlog.storage import databases
        from eventstore.memory import MemoryStore

        made = MemoryStore(batches[0], by=by, at=at)
        for batch in batches[1:]:
            made.append(batch, by=by, at=at)
        databases.create(path, made.data.splitlines(keepends=True))
        note_written()
        return open_store(path)
    store = jsonl.create(path, batches[0], by=by, at=at, network_drive=network_drive)
    try:
        for batch in batches[1:]:
            store.append(batch, by=by, at=at, after=store.head().seq)
    except BaseException:
        with suppress(FileNotFoundError):
            MACHINE.unlink(path)
        raise
    note_written()
    return store


def copy_store(path: LogAddress, copy: "Copy", *, network_drive: bool = False) -> None:
    """Create a log from the lines of another one, at a free address; raise what the store or the source raises."""
    from eventstore import copying  # rarely asked for

    _create_of(path, copying.lines(copy), network_drive=network_drive)
    note_written()


def fork_store(
    path: LogAddress,
    records: Iterable[Recorded],
    opening: Draft,
    drafts: Sequence[Draft],
    *,
    by: str,
    at: str,
    network_drive: bool = False,
) -> None:
    """Create a log from the records of another one under a new opening, and drafts after them, at a free address."""
    from eventstore import forking  # rarely asked for

    _create_of(path, forking.lines(records, opening, drafts, by=by, at=at), network_drive=network_drive)
    note_written()


def plan_repair(path: str, by: str) -> "Plan":
    """Return what a repair of a log would do; raise as the store does if nothing can be kept."""
    from eventstore.repair import planned  # rarely asked for

    return planned(path, by=by)


def repair(plan: "Plan", path: str, *, at: str, network_drive: bool = False) -> Anchor | None:
    """Carry out a repair, and return the new end of the log; raise as the store does."""
    from eventstore.repair import carried_out

    end = carried_out(plan, path, at=at, network_drive=network_drive)
    note_written()
    return end


def _create_of(path: LogAddress, lines: Iterable[bytes], *, network_drive: bool) -> None:
    """Create a log of lines, whole or not at all."""
    if isinstance(path, Url):
        from encounterlog.storage import databases

        databases.create(path, lines)
        return
    from eventstore import copying, network

    network.check(MACHINE, path, folder_of(path), allowed=network_drive)
    copying.create(path, lines)


def _elsewhere(path: Url) -> "PostgresStore | RemoteStore":
    """Return the store of a log in a database or of a service."""
    if is_served(path):
        from encounterlog.storage.remote import RemoteStore

        return RemoteStore(path)
    from encounterlog.storage import databases

    return databases.store(path)
