"""The places of logs: files, the files of a folder, databases, and objects: s3://BUCKET/…, gs://, az://, and file:// and memory://.

Objects are read by obstore. Names and keys of access come from the environment that each store documents, such as
AWS_ACCESS_KEY_ID and AWS_ENDPOINT_URL.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from encounterlog.errors import Refused, missing_extra
from encounterlog.places.shelves import folder_files
from encounterlog.places.stores import open_place, parse_address
from eventstore.address import LogAddress, Url, is_url
from eventstore.wording import visible

SCHEMES = ("s3", "gs", "az", "file", "memory")
"""The kinds of URLs that name objects."""
SUFFIX = ".jsonl"


def is_one(names: tuple[str, ...]) -> bool:
    """Return whether these names are one log."""
    return len(names) == 1 and not (is_object(names[0]) or _is_folder(names[0]) or _is_database(names[0]))


def display_name(log: str) -> str:
    """Return the name of a log as it is listed: without a password, and without control characters."""
    return visible(str(Url(log)) if is_url(log) and not is_object(log) else log)


def place_of(log: str) -> str:
    """Return the place of a log independent of the current folder: an absolute path, or a URL without a password."""
    return display_name(log) if is_url(log) or is_object(log) else str(Path(log).absolute())


def find_logs(names: Iterable[str]) -> list[str]:
    """Return the logs that names stand for, each once; raise Refused if there are none, and if none of the names exists."""
    names = tuple(names)
    if names and not any(is_url(name) or is_object(name) or os.path.lexists(name) for name in names):
        raise Refused("unreadable", f"{display_name(names[0])} is not there", "give files, folders or URLs of logs")
    found = list(dict.fromkeys(log for name in names for log in _logs_below(name)))
    if not found:
        raise Refused(
            "usage",
            f"no logs in {', '.join(map(display_name, names))}",
            "logs are named *.jsonl; subfolders are not searched",
        )
    return found


@contextmanager
def local_copy(log: str) -> Iterator[LogAddress]:
    """Return the address of a log; that of a copy if the log is an object."""
    if not is_object(log):
        yield parse_address(log)
        return
    base, name = _split_url(log)
    with TemporaryDirectory(prefix="encounter-") as folder:
        path = Path(folder) / "log.jsonl"
        try:
            with path.open("wb") as file:
                for piece in _import_obstore().get(open_object_store(base), name).stream():
                    file.write(piece)
        except Exception as error:  # noqa: BLE001 – each store has errors of its own
            raise Refused("unreadable", _first_line(error)) from None
        yield str(path)


def _logs_below(name: str) -> list[str]:
    if is_object(name):
        return [name] if name.endswith(SUFFIX) else _list_objects(name)
    if _is_database(name):
        return [log.given for log in open_place(Url(name))]
    if _is_folder(name):
        return [str(path) for path in folder_files(Path(name)) if path.suffix == SUFFIX]
    return [name]


def _is_database(name: str) -> bool:
    return name.startswith(("postgresql://", "postgres://")) and len(Url(name).segments) == 1


def _is_folder(name: str) -> bool:
    try:
        return name != "" and Path(name).is_dir()
    except (OSError, ValueError):
        return False


# ---------------------------------------------------------------- objects


def is_object(name: str) -> bool:
    """Return whether a name is the URL of objects."""
    return name.partition("://")[0] in SCHEMES and "://" in name


def _list_objects(url: str) -> list[str]:
    """Return the URLs of the logs directly below a URL, in the order of their names; raise Refused."""
    base, prefix = _split_url(url)
    try:
        listed = _import_obstore().list_with_delimiter(open_object_store(base), prefix or None)["objects"]
        paths = sorted(each["path"] for each in listed)
    except Exception as error:  # noqa: BLE001 – each store has errors of its own
        raise Refused("unreadable", f"{url}: {_first_line(error)}", "are the store's variables set?") from None
    return [f"{base}/{path}" for path in paths if path.endswith(SUFFIX)]


@cache
def open_object_store(base: str) -> Any:
    """Return the store of a bucket or a root; one for each process, so that connections, and what is in memory, last."""
    stores = _import_obstore().store
    if base == "file://":
        return stores.LocalStore("/")
    if base.startswith("memory://"):
        return stores.MemoryStore()
    return stores.from_url(base)


def _split_url(url: str) -> tuple[str, str]:
    """Return scheme and bucket of a URL, and the path in it."""
    scheme, _, rest = url.partition("://")
    bucket, _, path = rest.partition("/")
    return f"{scheme}://{bucket}", path.strip("/")


def _import_obstore() -> Any:
    try:
        import obstore.store
    except ImportError:
        raise missing_extra("refused", "object stores need obstore, which is not installed", "objects") from None
    return obstore


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
