"""The places of logs: files, the files of a folder, objects, and databases."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from encounterlog.bulk import objects
from encounterlog.errors import Refused
from encounterlog.storage.folders import files
from encounterlog.storage.stores import address, open_place
from eventstore.address import LogAddress, Url, is_url
from eventstore.form import visible


def is_one(names: tuple[str, ...]) -> bool:
    """Return whether these names are one log."""
    return len(names) == 1 and not (objects.is_object(names[0]) or _is_folder(names[0]) or _is_database(names[0]))


def shown(log: str) -> str:
    """Return the name of a log as it is listed: without a password, and without control characters."""
    return visible(str(Url(log)) if is_url(log) and not objects.is_object(log) else log)


def place_of(log: str) -> str:
    """Return the place of a log independent of the current folder: an absolute path, or a URL without a password."""
    return shown(log) if is_url(log) or objects.is_object(log) else str(Path(log).absolute())


def located(names: Iterable[str]) -> list[str]:
    """Return the logs that names stand for, each once; raise Refused if there are none, and if none of the names exists."""
    names = tuple(names)
    if names and not any(map(_may_be_there, names)):
        raise Refused("unreadable", f"{shown(names[0])}: is not there", "give files, folders or URLs of logs")
    found = list(dict.fromkeys(log for name in names for log in _below(name)))
    if not found:
        raise Refused(
            "usage", f"no logs in {', '.join(map(shown, names))}", "logs are named *.jsonl; subfolders are not searched"
        )
    return found


@contextmanager
def at_hand(log: str) -> Iterator[LogAddress]:
    """Return the address of a log; that of a copy if the log is an object."""
    if objects.is_object(log):
        with objects.fetched(log) as path:
            yield str(path)
    else:
        yield address(log)


def _below(name: str) -> list[str]:
    if objects.is_object(name):
        return objects.listed(name)
    if _is_database(name):
        return [log.given for log in open_place(Url(name))]
    if _is_folder(name):
        return [str(path) for path in files(Path(name)) if path.suffix == objects.SUFFIX]
    return [name]


def _may_be_there(name: str) -> bool:
    """Return whether something of this name exists, including a dangling link; a URL may always exist."""
    return is_url(name) or objects.is_object(name) or os.path.lexists(name)


def _is_database(name: str) -> bool:
    """Return whether a name is the address of a whole database, not of a log in one."""
    return name.startswith(("postgresql://", "postgres://")) and len(Url(name).segments) == 1


def _is_folder(name: str) -> bool:
    try:
        return name != "" and Path(name).is_dir()
    except (OSError, ValueError):
        return False
