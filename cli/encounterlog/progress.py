"""Progress of long work: one line that is rewritten, for a listener to show; a terminal does."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BufferedReader
from itertools import count
from time import monotonic
from typing import BinaryIO, Generic, TypeVar, cast

from encounterlog.progress_line import is_shown, show_line
from eventstore.disk import BUFFER, Disk

T = TypeVar("T")

LEAST_BYTES, LEAST_ITEMS = 1 << 20, 2_000  # work on less than this is done before anybody reads how far it is


class Line:
    """The line that shows the progress of a piece of work in per cent; if it is `paced`, by numbers: done, a second, and the remaining time."""

    def __init__(self, what: str, total: int, *, paced: bool = False) -> None:
        self._what, self._total, self._paced = what, total, paced
        self._said, self._begun = "", monotonic()

    def show_progress(self, done: int) -> None:
        """Show the progress, if that is another line now."""
        says = self._describe_pace(done) if self._paced else f"{min(100, 100 * done // self._total)} %"
        if says != self._said:
            self._said = says
            show_line(f"{self._what}: {says}")

    def _describe_pace(self, done: int) -> str:
        says, seconds = f"{done} of {self._total}", monotonic() - self._begun
        if done < 1 or seconds <= 0:
            return says
        rate, rest = done / seconds, round((self._total - done) * seconds / done)
        left = f"{rest} s" if rest < 60 else f"{rest // 60} min {rest % 60} s"
        return f"{says}, {rate:.{0 if rate >= 10 else 1}f} a second, {left} left"

    def remove_line(self) -> None:
        """Remove the line."""
        if self._said:
            show_line("")

    def watch(self, items: Iterable[T], done: Callable[[], int]) -> Iterator[T]:
        """Yield items, and show the progress at first, and before each."""
        try:
            self.show_progress(0)
            for item in items:
                self.show_progress(done())
                yield item
        finally:
            self.remove_line()


class Counted(Generic[T]):
    """A collection of so many items that shows the progress of each pass over it, if it is large and progress is shown."""

    def __init__(self, items: Iterable[T], size: Callable[[], int], what: str) -> None:
        self._items, self._size, self._what = items, size, what

    def __iter__(self) -> Iterator[T]:
        size = self._size()
        if size < LEAST_ITEMS or not is_shown():
            return iter(self._items)
        return Line(self._what, size).watch(self._items, count().__next__)


class ShownDisk(Disk):
    """A disk that shows the progress of reading a large file."""

    def reader(self, fd: int) -> BinaryIO:
        """Return a reader of an open file, as any disk does."""
        file, size = super().reader(fd), self.fstat(fd).st_size
        return _Shown(cast(BufferedReader, file), size) if size >= LEAST_BYTES and is_shown() else file


class _Shown(BufferedReader):
    """An open file that shows how far its lines were read."""

    def __init__(self, file: BufferedReader, size: int) -> None:
        super().__init__(file.detach(), BUFFER)
        self._line, self._done = Line("reading", size), 0

    def readline(self, limit: int | None = -1) -> bytes:
        line = super().readline(limit)
        self._done += len(line)
        self._line.show_progress(self._done)
        return line

    def close(self) -> None:
        self._line.remove_line()
        super().close()


def watch_reading(found: Iterator[T], file: BinaryIO) -> Iterator[T]:
    """Return the items read from a file, and show the progress, if the file is large and progress is shown."""
    size = os.fstat(file.fileno()).st_size
    return Line("reading", size).watch(found, file.tell) if size >= LEAST_BYTES and is_shown() else found


def show_count(items: Sequence[T]) -> Iterator[T]:
    """Yield items; if there are several, show on a terminal which one is being worked on."""
    talk = len(items) > 3 and is_shown()
    for place, item in enumerate(items, 1):
        if talk:
            show_line(f"{place} of {len(items)}")
        yield item
    if talk:
        show_line("")
