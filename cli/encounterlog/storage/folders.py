"""Folders of logs: the files in them that may be logs."""

from pathlib import Path

from encounterlog.errors import Refused


def files(folder: Path) -> list[Path]:
    """Return the files of a folder, and everything else with the name of a log: a folder, a pipe, a dangling link."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".jsonl" or path.is_file())
    except NotADirectoryError:
        raise Refused("usage", f"{folder} is not a folder", f"encounter show {folder}") from None
    except OSError as error:
        raise Refused("usage", f"{folder}: {(error.strerror or str(error)).lower()}") from None
