"""Progress of long work: one line that is rewritten, for a listener to show; a terminal does."""

import os
from collections.abc import Iterator, Sequence
from time import monotonic
from types import TracebackType
from typing import Any, BinaryIO, Generic, Protocol, Self, TypeVar, cast

from encounterlog.progress_line import is_shown, show_line
from eventstore.disk import Disk

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

LEAST_BYTES, LEAST_ITEMS = 1 << 20, 2_000
"""Work on less than this is done before anybody reads how far it is."""


class Line:
    """The line that shows the progress of a piece of work, in per cent."""

    def __init__(self, what: str, total: int) -> None:
        self._what, self._total, self._said = what, total, ""

    def show_progress(self, done: int) -> None:
        """Show the progress, if that is another line now."""
        if (says := self._says(done)) != self._said:
            self._said = says
            show_line(f"{self._what}: {says}")

    def _says(self, done: int) -> str:
        return f"{min(100, 100 * done // self._total)} %"

    def remove_line(self) -> None:
        """Remove the line."""
        if self._said:
            show_line("")


class Paced(Line):
    """The line that shows the progress of work on many things: the number done, the number a second, and the remaining time."""

    def __init__(self, what: str, total: int) -> None:
        super().__init__(what, total)
        self._begun = monotonic()

    def _says(self, done: int) -> str:
        return f"{done} of {self._total}{describe_pace(done, self._total, monotonic() - self._begun)}"


def describe_pace(done: int, total: int, seconds: float) -> str:
    """Return the number of things done a second, and the remaining time; "" as long as they are unknown."""
    if done < 1 or seconds <= 0:
        return ""
    rate, rest = done / seconds, round((total - done) * seconds / done)
    left = f"{rest} s" if rest < MINUTE else f"{rest // MINUTE} min {rest % MINUTE} s"
    return f", {rate:.1f} a second, {left} left" if rate < MANY else f", {rate:.0f} a second, {left} left"


MINUTE, MANY = 60, 10
"""The seconds of a minute; from so many things a second on, the number has no decimal."""


class Sized(Protocol[T_co]):
    """Anything that knows how many items it has."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[T_co]: ...


class Counted(Generic[T]):
    """A collection that shows the progress of each pass over it, if it is large and progress is shown."""

    def __init__(self, items: Sized[T], what: str) -> None:
        self._items, self._what = items, what

    def __iter__(self) -> Iterator[T]:
        return self._iterate_shown() if len(self._items) >= LEAST_ITEMS and is_shown() else iter(self._items)

    def _iterate_shown(self) -> Iterator[T]:
        line = Line(self._what, len(self._items))
        try:
            for place, item in enumerate(self._items):
                line.show_progress(place)
                yield item
        finally:
            line.remove_line()


class ShownDisk(Disk):
    """A disk that shows the progress of reading a large file."""

    def reader(self, fd: int) -> BinaryIO:
        """Return a reader of an open file, as any disk does."""
        file, size = super().reader(fd), self.fstat(fd).st_size
        return cast(BinaryIO, _Shown(file, size)) if size >= LEAST_BYTES and is_shown() else file


class _Shown:
    """An open file that shows how far its lines were read."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file, self._line, self._done = file, Line("reading", size), 0

    def readline(self, limit: int = -1) -> bytes:
        line = self._file.readline(limit)
        self._done += len(line)
        self._line.show_progress(self._done)
        return line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._line.remove_line()
        self._file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def watch_reading(found: Iterator[T], file: BinaryIO) -> Iterator[T]:
    """Yield the items read from a file, and show the progress, if the file is large and progress is shown."""
    size = os.fstat(file.fileno()).st_size
    line = Line("reading", size) if size >= LEAST_BYTES and is_shown() else None
    try:
        for each in found:
            if line:
                line.show_progress(file.tell())
            yield each
    finally:
        if line:
            line.remove_line()


def show_count(items: Sequence[T]) -> Iterator[T]:
    """Yield items; if there are several, show on a terminal which one is being worked on."""
    talk = len(items) > 3 and is_shown()
    for place, item in enumerate(items, 1):
        if talk:
            show_line(f"{place} of {len(items)}")
        yield item
    if talk:
        show_line("")
