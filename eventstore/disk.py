"""The few system calls that a log on disk needs, each with its reason, in one place.

The store accesses files only through a `Disk`, so that tests can replace it by one that fails, or loses power.
"""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows: reading works, appending is refused
    fcntl = None  # type: ignore[assignment]

READ = os.O_RDONLY
APPEND = os.O_RDWR | os.O_APPEND
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
BUFFER = 1 << 18
"""The number of bytes that are read at once."""

_NOT_HERE = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOTTY})
_ALWAYS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Disk:
    """The file operations of this machine; any call may raise OSError. A number identifies an open file."""

    can_lock = fcntl is not None
    """Whether the system has the lock that writers need."""
    _full = getattr(fcntl, "F_FULLFSYNC", None)
    """On macOS fsync reaches only the drive's cache; this reaches the disk."""
    _data = staticmethod(getattr(os, "fdatasync", os.fsync))
    _folders = os.name != "nt"
    """Whether folders can be opened; they cannot on Windows."""

    def open(self, path: str, flags: int) -> int:
        """Open a file; `flags` is READ, APPEND or NEW."""
        return os.open(path, flags | _ALWAYS, 0o666)

    def close(self, fd: int) -> None:
        """Close a file, and release its lock."""
        with suppress(InterruptedError):  # it is closed all the same
            os.close(fd)

    def reader(self, fd: int) -> BinaryIO:
        """Return a reader of an open file from its start, line by line, one reader at a time; the file stays open."""
        os.lseek(fd, 0, os.SEEK_SET)
        return open(fd, "rb", buffering=BUFFER, closefd=False)

    def pread(self, fd: int, count: int, offset: int) -> bytes:
        """Return the bytes at a place; fewer at the end of the file, or if the system returns less at once."""
        if hasattr(os, "pread"):
            return os.pread(fd, count, offset)
        here = os.lseek(fd, 0, os.SEEK_CUR)
        os.lseek(fd, offset, os.SEEK_SET)
        data = os.read(fd, count)
        os.lseek(fd, here, os.SEEK_SET)
        return data

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write at the end and return how many bytes of it were written."""
        return os.write(fd, data)

    def truncate(self, fd: int, size: int) -> None:
        """Truncate a file."""
        os.ftruncate(fd, size)

    def sync(self, fd: int) -> None:
        """Sync a file to the disk itself. A failed call must never be repeated.

        After a failure the system forgets which pages were not written, and the next call reports success.
        """
        if self._full is None:
            self._data(fd)
            return
        try:
            fcntl.fcntl(fd, self._full)
        except OSError as error:
            if error.errno not in _NOT_HERE:
                raise
            os.fsync(fd)

    def sync_folder(self, path: str) -> None:
        """Sync the names in a folder to the disk, if the system can; raise OSError if that fails."""
        if not self._folders:
            return
        fd = os.open(path, os.O_RDONLY | _ALWAYS)
        try:
            with passing(SPURIOUS):
                os.fsync(fd)
        finally:
            os.close(fd)

    def fstat(self, fd: int) -> os.stat_result:
        """Return the state of an open file."""
        return os.fstat(fd)

    def stat(self, path: str) -> os.stat_result:
        """Return the state of the file of that name."""
        return os.stat(path)

    def exists(self, path: str) -> bool:
        """Return whether the name is taken, even by a dangling link."""
        return os.path.lexists(path)

    def link(self, old: str, new: str) -> None:
        """Give a file a second name that must be free."""
        os.link(old, new)

    def rename(self, old: str, new: str) -> None:
        """Rename a file, replacing any other of the new name."""
        os.rename(old, new)

    def unlink(self, path: str) -> None:
        """Remove a name."""
        os.unlink(path)

    def try_lock(self, fd: int, *, shared: bool) -> None:
        """Take the lock of a file now; raise BlockingIOError if another process has it."""
        if fcntl is not None:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

    def unlock(self, fd: int) -> None:
        """Release the lock."""
        if fcntl is not None:
            fcntl.flock(fd, fcntl.LOCK_UN)

    def holders(self, fd: int) -> list[int]:
        """Return the ids of the processes that hold the lock of a file, if the system knows them."""
        status = os.fstat(fd)
        file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
        try:
            rows = read_system_file("/proc/locks").splitlines()
        except OSError:  # only Linux has this file
            return []
        found = {int(row.split()[4]) for row in rows if row.split()[5:6] == [file]}  # who waits has an arrow before
        return sorted(found - {0, -1})

    def kind(self, path: str) -> str:
        """Return the type of the file system of a file or folder, or "" if the system does not know it."""
        device = os.stat(path).st_dev
        return _kind_of_block_device(device) if os.major(device) else _file_system_type(device)

    def pause(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)


@contextmanager
def passing(numbers: frozenset[int]) -> Iterator[None]:
    """Pass over errors of the system with these numbers."""
    try:
        yield
    except OSError as error:
        if error.errno not in numbers:
            raise


def set_permissions(fd: int, mode: int) -> None:
    """Set the permissions of an open file, if the system has such and the file is on this machine."""
    with suppress(OSError, AttributeError):
        os.fchmod(fd, mode & 0o777)


def read_system_file(path: str) -> str:
    """Return the text of a system file such as /proc/locks; raise OSError."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def _file_system_type(device: int) -> str:
    """Look it up each time: once a file system is unmounted, the next one gets its number."""
    number = f"{os.major(device)}:{os.minor(device)}"
    try:
        rows = read_system_file("/proc/self/mountinfo").splitlines()
    except OSError:  # only Linux has this file
        return ""
    fields = (row.split() for row in rows)
    return next((each[each.index("-") + 1] for each in fields if each[2] == number), "")


_kind_of_block_device = lru_cache(maxsize=64)(_file_system_type)
"""The numbers of block devices, read once; later ones are block devices, too, which network file systems never have."""

MACHINE = Disk()
SPURIOUS = frozenset({errno.EINVAL, errno.EROFS, errno.ENOTSUP, errno.ENOSYS, errno.EBADF})
"""The errors with which a system says that nothing can be synced: a read-only medium, or a special file."""
