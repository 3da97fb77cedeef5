"""Logs in object stores, by obstore: s3://BUCKET/…, gs://, az://, and file:// and memory:// of the same kind.

Names and keys of access come from the environment that each store documents, such as AWS_ACCESS_KEY_ID and AWS_ENDPOINT_URL.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from encounterlog.errors import Refused
from encounterlog.storage import extras

SCHEMES = ("s3", "gs", "az", "file", "memory")
"""The kinds of URLs that name objects."""
SUFFIX = ".jsonl"


def is_object(name: str) -> bool:
    """Return whether a name is the URL of objects."""
    return name.partition("://")[0] in SCHEMES and "://" in name


def listed(url: str) -> list[str]:
    """Return the URLs of the logs directly below a URL, in the order of their names, or that of a single log."""
    if url.endswith(SUFFIX):
        return [url]
    base, prefix = _parted(url)
    try:
        found = [each["path"] for each in _library().list_with_delimiter(store(base), prefix or None)["objects"]]
    except Exception as error:  # noqa: BLE001 – each store has errors of its own
        raise Refused("unreadable", f"{url}: {_first_line(error)}", "are the store's variables set?") from None
    return [f"{base}/{path}" for path in sorted(found) if path.endswith(SUFFIX)]


@contextmanager
def fetched(url: str) -> Iterator[Path]:
    """Copy an object into a temporary folder, piece by piece, and return its path there."""
    from tempfile import TemporaryDirectory  # slow

    base, name = _parted(url)
    with TemporaryDirectory(prefix="encounter-") as folder:
        path = Path(folder) / "log.jsonl"
        try:
            with path.open("wb") as file:
                for piece in _library().get(store(base), name).stream():
                    file.write(piece)
        except Exception as error:  # noqa: BLE001 – each store has errors of its own
            raise Refused("unreadable", _first_line(error)) from None
        yield path


@cache
def store(base: str) -> Any:
    """Return the store of a bucket or a root; one for each process, so that connections, and what is in memory, last."""
    from obstore import store as stores

    _library()
    if base == "file://":
        return stores.LocalStore("/")
    if base.startswith("memory://"):
        return stores.MemoryStore()
    return stores.from_url(base)


def _parted(url: str) -> tuple[str, str]:
    """Return scheme and bucket of a URL, and the path in it."""
    scheme, _, rest = url.partition("://")
    bucket, _, path = rest.partition("/")
    return f"{scheme}://{bucket}", path.strip("/")


def _library() -> Any:
    try:
        import obstore
    except ImportError:
        raise extras.missing("refused", "object stores need obstore, which is not installed", "objects") from None
    return obstore


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
