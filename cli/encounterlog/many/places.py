"""Where logs are: files, the files of a folder, and objects."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from encounterlog.edge.failures import USAGE, Failure
from encounterlog.many import objects
from encounterlog.reading.campaign import files


def is_one(names: tuple[str, ...]) -> bool:
    """Return whether these names are one file."""
    return len(names) == 1 and not objects.is_object(names[0]) and not _is_folder(names[0])


def located(names: Iterable[str]) -> list[str]:
    """Return the logs that names stand for, each once; raise Failure if there are none."""
    names = tuple(names)
    found = list(dict.fromkeys(log for name in names for log in _below(name)))
    if not found:
        raise Failure(USAGE, f"no logs in {', '.join(names)}", "logs are named *.jsonl; subfolders are not searched")
    return found


@contextmanager
def at_hand(log: str) -> Iterator[Path]:
    """Return the file of a log, which is a copy if the log is an object."""
    if objects.is_object(log):
        with objects.fetched(log) as path:
            yield path
    else:
        yield Path(log)


def _below(name: str) -> list[str]:
    if objects.is_object(name):
        return objects.listed(name)
    if _is_folder(name):
        return [str(path) for path in files(Path(name)) if path.suffix == objects.SUFFIX]
    return [name]


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        return False
