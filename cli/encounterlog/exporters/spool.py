"""Items that are too many for memory: the first are kept there, the others in a temporary file without a name."""

import pickle
from collections.abc import Iterator
from typing import BinaryIO, Generic, TypeVar

T = TypeVar("T")

KEPT = 2_000
"""The most items that are kept in memory, where nothing else is said."""
GROUP = 100
"""How many items are written at once."""


class Spool(Generic[T]):
    """Items in the order in which they were added; they can be iterated repeatedly, and hardly ever take up memory.

    `kept` is the most of them in memory, by default KEPT. Only this process can reach the file, which is gone with it.
    """

    def __init__(self, kept: int | None = None) -> None:
        self._kept = KEPT if kept is None else kept
        self._first: list[T] = []
        self._last: list[T] = []
        self._file: BinaryIO | None = None
        self._end = 0

    def __del__(self) -> None:
        if self._file:
            self._file.close()

    def append(self, item: T) -> None:
        """Add an item."""
        if len(self._first) < self._kept:
            self._first.append(item)
            return
        self._last.append(item)
        if len(self._last) == GROUP:
            self._write(self._last)
            self._last = []

    def __iter__(self) -> Iterator[T]:
        yield from self._first
        offset = 0
        while self._file and offset < self._end:
            self._file.seek(offset)
            group = pickle.load(self._file)  # noqa: S301 – nobody else can write into this file
            offset = self._file.tell()
            yield from group
        yield from self._last

    def _write(self, group: list[T]) -> None:
        if self._file is None:
            from tempfile import TemporaryFile  # slow, and only for long logs

            self._file = TemporaryFile()  # noqa: SIM115 – open as long as this is there
        self._file.seek(self._end)
        pickle.dump(group, self._file, pickle.HIGHEST_PROTOCOL)
        self._end = self._file.tell()
