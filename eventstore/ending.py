"""The end of the whole records of a log, read under the lock and found from the end of the file."""

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

from eventstore import files
from eventstore.chain import START, LogPosition
from eventstore.disk import SPURIOUS, Disk, passing
from eventstore.errors import NotReadable
from eventstore.form import LONGEST_LINE
from eventstore.record import Recorded, decode, decode_whole, ends_batch, size_of_batch
from eventstore.shapes import LARGEST
from eventstore.store import LARGEST_APPEND, MOST_EVENTS

FARTHEST = LARGEST_APPEND + LONGEST_LINE
"""The longest distance between the last whole batch and the end of a log, in bytes: the size of one append."""
_WINDOWS = tuple(1 << bits for bits in range(10, 29, 3))
"""The sizes of the part at the end that is searched, in bytes, one after the other; the last holds two of the largest appends."""
_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})


def unsettled_end(disk: Disk, fd: int, path: str, wait: float, *, named: bool = False) -> tuple[os.stat_result, bytes]:
    """Return the state of a log under its lock, and the bytes at its end that a writer might still cut off.

    The log is synced up to its size, even if its writer died before it did so: a power cut cannot remove records that
    were shown. Its name is synced, too, unless that was done before (`named`). Raises Busy and NotReadable.
    """
    try:
        with passing(_NO_LOCKS):  # without locks there are no writers of ours either
            files.lock_file(disk, fd, path, wait, shared=True)
        try:
            status = disk.fstat(fd)
            rest = _read_end(disk, fd, status.st_size)
        finally:
            with suppress(OSError):
                disk.unlock(fd)
    except OSError as error:
        raise NotReadable(path, files.system_message(error), files.write_hint(error)) from None
    try:  # no longer under the lock: many readers would keep writers out
        with passing(SPURIOUS):
            disk.sync(fd)
        if not named and (status.st_nlink > 1 or not files.shows_second_names(disk.kind(path))):
            files.sync_name(disk, path)
    except OSError as error:
        hint = "the disk does not confirm what it shows; copy the log elsewhere and read the copy"
        raise NotReadable(path, files.system_message(error), hint) from None
    return status, rest


def _read_end(disk: Disk, fd: int, size: int) -> bytes:
    """Return the bytes after the last whole batch; none if there are more than one append can leave."""
    for window in _WINDOWS:
        rest = _unfinished_bytes(disk.pread(fd, window, max(size - window, 0)))
        if rest is not None:
            return rest
    return b""


def _unfinished_bytes(tail: bytes) -> bytes | None:
    """Return the bytes after the last whole batch in these last lines; None if that batch is not among them.

    The first line may be incomplete; then it is not a record.
    """
    misses = 0
    for number, (start, end) in enumerate(_lines_back(tail, len(tail))):
        if number > MOST_EVENTS or misses > 2:
            return b""
        record = decode_whole(tail[start:end])
        if record and ends_batch(record) and _is_whole(tail, record, end):
            return tail[end:]
        misses += record is None and b"\0" not in tail[start:end]
    return None


def _lines_back(tail: bytes, end: int) -> Iterator[tuple[int, int]]:
    """Yield the beginnings and ends of lines, the last line first."""
    while end:
        start = tail.rfind(b"\n", None, end - 1) + 1
        yield start, end
        end = start


def _is_whole(tail: bytes, last: Recorded, end: int) -> bool:
    """Return whether the batch whose last record ends at a place begins where it should, and has no gap."""
    size = size_of_batch(last)
    *_, (first, after) = islice(_lines_back(tail, end), size)
    record = decode_whole(tail[first:after])
    return record is not None and record.batch == (last.batch and (1, size)) and b"\0" not in tail[first:end]


def record_still_stands(disk: Disk, fd: int, place: LogPosition) -> bool:
    """Return whether the record that ended at a place still does."""
    end = place.hash.encode() + b'"}\n'
    return place.offset >= len(end) and disk.pread(fd, len(end), place.offset - len(end)) == end


def near_end(disk: Disk, fd: int, size: int, latest: int = LARGEST) -> LogPosition:
    """Return the place after a whole batch a few records before the end, and not after the record `latest`.

    The records before it are trusted.
    """
    for window in _WINDOWS:
        if window >= size:
            break
        offset = size - window
        for line in disk.pread(fd, window, offset).split(b"\n")[:-2]:  # without the last one, and what is no line
            offset += len(line) + 1
            with suppress(ValueError):
                record = decode(line)
                if ends_batch(record):
                    if record.seq > latest:
                        break
                    return LogPosition(offset, record.seq, record.hash)
    return START
