"""Files that take the place of others, whole or not at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from encounterlog.edge.failures import REFUSED, Failure
from eventstore.form import visible


def check_ordinary(file: Path) -> None:
    """Raise Failure for what is there and no ordinary file, such as a device or a pipe."""
    if file.exists() and not file.is_file():
        raise Failure(REFUSED, f"{visible(str(file))}: is not an ordinary file", "choose one, or another name")


@contextmanager
def replaced(file: Path) -> Iterator[Path]:
    """Give a path to write at; what is written takes the place of a file, for the same readers. A link to the file stays.

    If that fails, nothing is left of it. Raise Failure for what is no ordinary file.
    """
    check_ordinary(file)
    place = file.resolve()
    before = place.stat().st_mode & 0o777 if place.exists() else None
    beside = place.with_name(f".{place.name}.new")
    beside.unlink(missing_ok=True)  # of a program that was killed
    try:
        beside.touch(0o666 if before is None else before)
        yield beside
        if before is not None:
            beside.chmod(before)
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)
