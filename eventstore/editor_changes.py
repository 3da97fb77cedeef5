"""Changes that editors and transfers make to a log without touching a record, and their removal: line ends, blanks, a byte order mark.

The chain proves that nothing is lost: either the corrected lines are a log, or they are not.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from eventstore.chain import LogPosition
from eventstore.disk import BUFFER
from eventstore.errors import NotALog
from eventstore.reading import Walk
from eventstore.verify import verification


class Mended:
    """The corrected lines of a log, which may be read repeatedly; `lines` yields the uncorrected ones.

    `done` says what was corrected, `size` is the number of bytes afterwards.
    """

    def __init__(self, path: str, lines: Callable[[], Iterator[bytes]]) -> None:
        self._path, self._lines = path, lines
        names = set[str]()
        self.size = sum(map(len, _put_right(lines(), names)))
        self.done = tuple(name for name, _ in MENDS if name in names)

    def walk(self) -> Walk:
        """Return a walk through the corrected lines."""
        return Walk(self._path, self.stream(), self.size)

    def stream(self) -> BinaryIO:
        """Return the corrected lines as a file."""
        return io.BufferedReader(_Pieces(_put_right(self._lines(), set())), BUFFER)

    def checked(self) -> tuple[LogPosition, bool]:
        """Return the end of the good records after the corrections, and whether all records are good."""
        walk = self.walk()
        try:
            sound = verification(walk).problem is None
        except NotALog:
            sound = False
        return walk.place, sound


def _ended(line: bytes) -> bytes:
    """Return a last line with its line feed, if that is missing or replaced by another byte."""
    return (line if line.endswith(b"}") else line[:-1]) + b"\n"


MENDS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("the end of the last line", _ended),
    ("a byte order mark", lambda line: line.removeprefix(b"\xef\xbb\xbf")),
    ("CR LF at the ends of lines", lambda line: line[:-2] + b"\n" if line.endswith(b"\r\n") else line),
    ("blanks around lines", lambda line: line.strip(b" \t\r\n") + b"\n"),
    ("empty lines", lambda line: b"" if line == b"\n" else line),
)
"""The changes that editors make without touching a record, each with its removal from a line."""


def _put_right(lines: Iterable[bytes], names: set[str]) -> Iterator[bytes]:
    """Yield the corrected lines, without those removed; `names` collects what was corrected."""
    for line in lines:
        better = line
        for name, mend in MENDS:
            before, better = better, mend(better)
            if better != before:
                names.add(name)
        yield better


class _Pieces(io.RawIOBase):
    """Chunks of bytes, readable as a file."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces, self._rest = filter(None, pieces), b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or next(self._pieces, b"")
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count
