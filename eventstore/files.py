"""The few system calls that a log on disk needs, each with its reason."""

import errno
import os
import time
from collections.abc import Iterable
from pathlib import Path

from eventstore.errors import Busy, NotReadable, NotWritten

try:
    import fcntl
except ImportError:  # Windows: reading works, appending is refused
    fcntl = None  # type: ignore[assignment]

_FULL = getattr(fcntl, "F_FULLFSYNC", None)
"""On macOS fsync reaches only the drive's cache; this reaches the disk."""
_fdatasync = getattr(os, "fdatasync", os.fsync)
_BINARY = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_PIECE = 1 << 20
_FIRST_PAUSE, _LONGEST_PAUSE = 0.0002, 0.02


def can_lock() -> bool:
    """Whether this system has the lock that writers need."""
    return fcntl is not None


def open_for_append(path: Path) -> int:
    """Open a log for appending; raise OSError."""
    return os.open(path, os.O_RDWR | os.O_APPEND | _BINARY)


def sync(fd: int) -> None:
    """Bring what was written to the disk itself; raise OSError. A failed call must never be repeated.

    After a failure the system forgets which pages were not written, and the next call reports success.
    """
    if _FULL is not None:
        fcntl.fcntl(fd, _FULL)
    else:
        _fdatasync(fd)


def sync_folder(path: Path) -> None:
    """Bring the entries of the folder that holds this file to the disk; raise OSError."""
    if os.name == "nt":  # folders cannot be opened there
        return
    fd = os.open(path.parent, os.O_RDONLY | _BINARY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def lock(fd: int, path: Path, wait: float, *, shared: bool = False) -> None:
    """Take the lock of a log; raise Busy after `wait` seconds, OSError where the file system has no locks.

    The pauses are counted, not timed: a stopped clock must not make it wait for ever.
    """
    if fcntl is None:
        return
    how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB
    waited, pause = 0.0, _FIRST_PAUSE
    while True:
        try:
            fcntl.flock(fd, how)
        except BlockingIOError:
            if waited >= wait:
                raise Busy(path, wait) from None
        else:
            return
        time.sleep(pause)
        waited, pause = waited + pause, min(pause * 2, _LONGEST_PAUSE)


def unlock(fd: int) -> None:
    """Give the lock back."""
    if fcntl is not None:
        fcntl.flock(fd, fcntl.LOCK_UN)


def durable(fd: int, path: Path, wait: float) -> os.stat_result:
    """Return the state of a log while nobody writes: up to its size it is durable, or torn; raise Busy, NotReadable."""
    try:
        lock(fd, path, wait, shared=True)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise NotReadable(path, reason(error)) from None
        return os.fstat(fd)  # where there are no locks, there are no writers of ours either
    try:
        return os.fstat(fd)
    finally:
        unlock(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write it in one call; go on after a short write only to learn the reason, which is raised as OSError."""
    count = os.write(fd, data)
    while count < len(data):
        more = os.write(fd, memoryview(data)[count:])
        if not more:
            raise OSError(errno.EIO, "the system wrote nothing")
        count += more


def write_new(path: Path, data: Iterable[bytes]) -> None:
    """Write a file that is not there yet, and bring it to the disk; raise OSError and leave nothing behind."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
    try:
        try:
            for piece in data:
                write_all(fd, piece)
            os.fsync(fd)
        finally:
            os.close(fd)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def create(path: Path, data: bytes) -> None:
    """Make a file that is there whole or not at all, over no other; raise NotWritten."""
    if os.path.lexists(path):
        raise _taken(path)
    draft = path.with_name(f".encounterlog-{os.urandom(6).hex()}.new")
    try:
        write_new(draft, (data,))
        try:
            _put_in_place(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        sync_folder(path)
    except FileExistsError:
        raise _taken(path) from None
    except (OSError, ValueError) as error:
        raise NotWritten(path, reason(error), hint_for(error)) from None


def _put_in_place(draft: Path, path: Path) -> None:
    """Give a finished file its name. A link fails where the name is taken; a rename would replace what is there."""
    try:
        os.link(draft, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "is taken") from None
        draft.rename(path)


def _taken(path: Path) -> NotWritten:
    return NotWritten(path, "there is already a file of that name", "choose another name, or append to it")


def keep_aside(fd: int, start: int, end: int, path: Path, seq: int) -> None:
    """Copy bytes that are about to be cut off into a new side file of the log, durably; raise OSError."""
    pieces = (os.pread(fd, min(_PIECE, end - at), at) for at in range(start, end, _PIECE))
    side = path.with_name(path.name + _ending(seq, len(kept_aside(path, seq)) + 1))
    write_new(side, pieces)
    sync_folder(side)


def kept_aside(path: Path, seq: int) -> list[str]:
    """Return how the names end of the side files with what once stood where record `seq` goes."""
    endings: list[str] = []
    while os.path.lexists(f"{path}{(ending := _ending(seq, len(endings) + 1))}"):
        endings.append(ending)
    return endings


def _ending(seq: int, number: int) -> str:
    return f".torn-{seq}-{number}"


def cut(fd: int, size: int) -> None:
    """Cut a file off at this size, durably; raise OSError."""
    os.ftruncate(fd, size)
    os.fsync(fd)


def reason(error: OSError | ValueError) -> str:
    """Return the system's own words for what failed."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def hint_for(error: OSError | ValueError) -> str:
    """Return what to do about a failed write, where that is known."""
    match getattr(error, "errno", None):
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return "nothing was added; make room and append again"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "look at the permissions of the file and its folder"
        case errno.ENOENT | errno.ENOTDIR:
            return "make the folder first"
    return ""
