"""The lines of a source, gzipped or not, within limits: however large it is unpacked, memory stays bounded."""

import gzip
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from encounterlog.importers.transcript import BadSource
from encounterlog.progress import watch_reading

_GZIP = b"\x1f\x8b"


class Limits(NamedTuple):
    """The limits of a source, unpacked: bytes in one line, lines, and bytes in all."""

    line: int
    lines: int
    size: int


def read_lines(source: Path, limits: Limits) -> Iterator[bytes]:
    """Yield the lines of a file or pipe, or of standard input (-); raise BadSource with the limit and the line."""
    if str(source) == "-":
        yield from lines_of(sys.stdin.buffer, limits)
        return
    try:
        with source.open("rb") as raw:
            yield from watch_reading(lines_of(raw, limits), raw)
    except OSError as error:
        raise BadSource(f"cannot be read: {(error.strerror or str(error)).lower()}") from None


def lines_of(raw: BinaryIO, limits: Limits) -> Iterator[bytes]:
    """Yield the lines of an open file, unpacked; raise BadSource with the limit and the line."""
    number = size = 0
    try:
        file = gzip.GzipFile(fileobj=raw) if _is_packed(raw) else raw
        while line := file.readline(limits.line + 1):
            number, size = number + 1, size + len(line)
            if len(line.removesuffix(b"\n")) > limits.line:
                raise BadSource(f"line {number} is longer than {limits.line:,} bytes, which is the limit")
            if number > limits.lines:
                raise BadSource(f"line {number}: the source has more than {limits.lines:,} lines, which is the limit")
            if size > limits.size:
                raise BadSource(f"line {number}: the source is larger than {limits.size:,} bytes, which is the limit")
            yield line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadSource(f"line {number + 1}: the gzip data is damaged: {error}") from None


def is_packed(source: Path) -> bool:
    """Say whether a file is packed by gzip; False where it cannot be read."""
    with suppress(OSError), source.open("rb") as raw:
        return _is_packed(raw)
    return False


def _is_packed(raw: BinaryIO) -> bool:
    peek = getattr(raw, "peek", None)
    return peek is not None and peek(2)[:2] == _GZIP
