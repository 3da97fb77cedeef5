"""Folders of logs: the files in them that may be logs."""

from pathlib import Path

from encounterlog.errors import Refused
from eventstore.files import hint_for
from eventstore.wording import nearest


def files(folder: Path) -> list[Path]:
    """Return the files of a folder, and everything else with the name of a log: a folder, a pipe, a dangling link."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".jsonl" or path.is_file())
    except NotADirectoryError:
        raise Refused("usage", f"{folder} is not a folder", f"encounter show {folder}") from None
    except OSError as error:
        says = f"{folder}: {(error.strerror or str(error)).lower()}"
        raise Refused("usage", says, hint_for_reading(error, folder)) from None


def hint_for_reading(error: OSError | ValueError, path: Path) -> str:
    """Return a hint for a file or folder that cannot be read: for one that is not there, the nearest name beside it."""
    if not isinstance(error, FileNotFoundError):
        return hint_for(error)
    beside = (each.name for each in path.parent.iterdir()) if path.parent.is_dir() else ()
    return nearest(path.name, beside) or "look at its name, and at the folder that you are in"
