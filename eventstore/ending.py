"""Where the whole records of a log end: taken while nobody writes, and found from the end, without reading the rest."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from eventstore import files
from eventstore.chain import START, Place
from eventstore.disk import SPURIOUS, Disk
from eventstore.errors import NotReadable
from eventstore.form import LONGEST_LINE
from eventstore.record import decode, ends_batch, is_end_of_batch, size_of_batch
from eventstore.shapes import LARGEST
from eventstore.store import LARGEST_APPEND, MOST_EVENTS

FARTHEST = LARGEST_APPEND + LONGEST_LINE
"""How far before the end of a log its last whole batch may end, in bytes: an append cut short is no longer."""
_WINDOW = 1 << 10
_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})


def unsettled(disk: Disk, fd: int, path: Path, wait: float, *, named: bool = False) -> tuple[os.stat_result, bytes]:
    """Return the state of a log while nobody writes, and the bytes at its end which a writer might still cut off.

    Up to its size the log is on the disk then, even where its writer died before he had seen to that: what is shown
    now, no power cut takes back. Its name is as well, which a look at the same file before may have seen to (`named`).
    Raises Busy and NotReadable.
    """
    try:
        files.lock(disk, fd, path, wait, shared=True)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise NotReadable(path, files.reason(error), files.hint_for(error)) from None
        # where there are no locks, there are no writers of ours either
    try:
        status = disk.fstat(fd)
        rest = _end(disk, fd, status.st_size)
    except OSError as error:
        raise NotReadable(path, files.reason(error), files.hint_for(error)) from None
    finally:
        with suppress(OSError):
            disk.unlock(fd)
    try:  # no longer under the lock: many readers would keep writers out
        _sync(disk, fd)
        if not named:
            files.settle_name(disk, path, status)
    except OSError as error:
        hint = "the disk does not confirm what it shows; copy the log elsewhere and read the copy"
        raise NotReadable(path, files.reason(error), hint) from None
    return status, rest


def _sync(disk: Disk, fd: int) -> None:
    try:
        disk.sync(fd)
    except OSError as error:
        if error.errno not in SPURIOUS:
            raise


def _end(disk: Disk, fd: int, size: int) -> bytes:
    """Return what stands after the last whole batch, nothing where that is more than an append cut short."""
    window = _WINDOW
    while True:
        tail = disk.pread(fd, window, max(size - window, 0))
        end, misses = len(tail), 0
        for _ in range(MOST_EVENTS + 2):
            if not end:
                break
            start = tail.rfind(b"\n", 0, end - 1) + 1
            if not start and window < size:
                break
            ends = is_end_of_batch(tail[start:end])
            whole = _is_whole(tail, start, end) if ends else False
            if whole:
                return tail[end:]
            if whole is None and window < size:
                break
            misses += ends is None and b"\0" not in tail[start:end]
            if misses > 2:
                return b""
            end = start
        else:
            return b""
        if window >= size or window > FARTHEST:
            return tail
        window *= 8


def _is_whole(tail: bytes, start: int, end: int) -> bool | None:
    """Whether there is no hole in the batch whose last record stands between these places; None if it begins before."""
    size, first = size_of_batch(decode(tail[start : end - 1])), start
    for _ in range(size - 1):
        if not first:
            return None
        first = tail.rfind(b"\n", 0, first - 1) + 1
    try:
        record = decode(tail[first : tail.index(b"\n", first)])
    except ValueError:
        return False if first else None
    return size == 1 or (record.batch == (1, size) and tail.find(b"\0", first, end) < 0)


def near_end(disk: Disk, fd: int, size: int, latest: int = LARGEST) -> Place:
    """Return the place after a whole batch a few records before the end, and not behind the record `latest`.

    What stands before it is taken on trust.
    """
    window = _WINDOW
    while window < size:
        offset = size - window
        piece, *lines = disk.pread(fd, window, offset).split(b"\n")[:-1] or [b""]
        offset += len(piece) + 1
        for line in lines[:-1]:
            offset += len(line) + 1
            with suppress(ValueError):
                record = decode(line)
                if ends_batch(record):
                    if record.seq > latest:
                        break
                    return Place(offset, record.seq, record.hash)
        window *= 8
    return START
