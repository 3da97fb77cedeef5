"""Torn tails: the remains of an interrupted append at the end of a log, as opposed to other damage."""

import re
from collections.abc import Iterable
from typing import Protocol

from eventstore.disk import BUFFER
from eventstore.ending import FARTHEST
from eventstore.record import decode, is_end_of_batch


class Stream(Protocol):
    """A source of the bytes of a log."""

    def readline(self, limit: int = -1, /) -> bytes:
        """Return the next line, or so many bytes of it."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes, so many at most."""


TORN = "the last append was cut short"
TORN_HINT = "the next append cuts it off and keeps it beside the log"
NO_LINE_FEED = "ends with something else where its line feed was"
CHANGED_HINT = "the record itself is whole; encounter repair FILE --dry-run shows what can be kept"

_BLOCK = 512
_ZEROS = rb"\0+"
_RECORD_END = rb'"(?:salt":"[0-9a-f]{32}|digest":"[0-9a-f]{64})","hash":"[0-9a-f]{64}"\}'


def whole_part(line: bytes) -> bytes:
    """Return the record, with a line feed, that a line begins with if something else follows it; else nothing.

    The last record of a log, shown without its line feed, looks like this after a power cut during the next append. If only
    blanks and a line feed follow, an editor changed the line.
    """
    found = re.search(_RECORD_END, line)
    if found is None or (line[-1:] == b"\n" and not line[found.end() :].strip()):
        return b""
    whole = line[: found.end()] + b"\n"
    return whole if is_end_of_batch(whole) else b""


def is_unwritten(line: bytes, at: int, rest: Iterable[bytes], seq: int, borders: frozenset[int]) -> bool:
    """Return whether there are zeros in place of blocks, and from there on only the rest of one append.

    An append of which a block was lost while a later one was kept looks like this. Zeros elsewhere mean other damage. `line`
    begins at a byte, the `rest` of the lines follows it; `seq` is that of the last whole record, and the append to come
    begins and ends at the `borders`.
    """
    if not _has_hole(line, at, borders):
        return False
    for each in rest:
        at += len(line)
        line = each
        if each[-1:] == b"\n" and not _continues(each, seq) and not _has_hole(each, at, borders):
            return False
    return True


def _continues(line: bytes, seq: int) -> bool:
    """Return whether a line may be part of the append that begins after the last whole one."""
    try:
        record = decode(line[:-1])
    except ValueError:
        return False
    return record.batch is not None and record.batch[0] > 1 and record.seq - record.batch[0] == seq


def _has_hole(line: bytes, at: int, borders: frozenset[int]) -> bool:
    """Return whether a line, which begins at that byte, has zeros, all in place of blocks that were to be written."""
    holes = [(at + zeros.start(), at + zeros.end()) for zeros in re.finditer(_ZEROS, line)]
    return bool(holes) and all(not each % _BLOCK or each in borders for hole in holes for each in hole)


def only_zeros(file: Stream, count: int) -> bool:
    """Return whether the rest of a file, `count` bytes, is zeros: the length reached the disk, the data did not."""
    if count > FARTHEST:
        return False  # no append is so long
    return all(not block.strip(b"\0") for block in iter(lambda: file.read(BUFFER), b""))
