"""Operations on files, step by step: locking with a wait, writing all or nothing, creating, setting aside; and file systems that
are shared over a network, whose locks may hold on one machine only, so that two writers could spoil each other's lines.
"""

import errno
import math
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, count

from msgspec import Struct

from eventstore.disk import APPEND, NEW, Disk, passing, read_system_file, set_permissions
from eventstore.errors import Busy, NotWritten, OutcomeUnknown
from eventstore.paths import folder_of, name_of, path_beside, real_path
from eventstore.wording import closest_word

_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_NO_FOLDERS = frozenset({errno.EACCES, errno.EPERM})
_LINKING = frozenset(
    {"", "bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "ramfs", "tmpfs", "xfs", "zfs"}
)
"""File systems known to let a file have two names, and the unknown one of macOS (APFS does)."""
_PIECE = 1 << 20
_PAUSES = ((0.001, 0.0002), (0.02, 0.001), (0.05, 0.0005), (1.0, 0.0001), (math.inf, 0.02))
"""The lengths of pauses, in seconds, each with the wait up to which it applies."""
DRAFTS = ".encounterlog-*.new"
"""The pattern of the names of drafts."""
LONGEST_NAME = 200
"""The longest name of a log, in bytes, as its side files have longer ones."""


def lock_file(disk: Disk, fd: int, path: str, wait: float, *, shared: bool = False) -> None:
    """Take the lock of a log; raise Busy after `wait` seconds, OSError if the file system has no locks.

    A writer that has waited long tries again soonest, so that it comes before those that arrived later; one that has
    waited longer than any healthy writer needs tries seldom. The pauses are counted, not timed: a stopped clock must
    not make it wait for ever.
    """
    waited = 0.0
    while True:
        try:
            disk.try_lock(fd, shared=shared)
        except BlockingIOError:
            if waited >= wait:
                raise Busy(path, wait, _name_processes(disk.holders(fd))) from None
        else:
            return
        pause = next(pause for until, pause in _PAUSES if waited < until)
        disk.pause(pause)
        waited += pause


def _name_processes(processes: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"process {number}{_command_of_process(number)}" for number in processes)


def _command_of_process(number: int) -> str:
    if number == os.getpid():
        return " (this one)"
    try:
        program, *words = read_system_file(f"/proc/{number}/cmdline").split("\0")
    except OSError:  # it is gone, or the system does not know it
        return ""
    return f" ({' '.join([name_of(program), *filter(None, words)])[:60]})" if program else ""


def write_all(disk: Disk, fd: int, data: bytes) -> None:
    """Write all bytes, in one call if the system takes them in one; raise OSError."""
    written = disk.write(fd, data)
    while written < len(data):
        more = disk.write(fd, memoryview(data)[written:])
        if not more:
            raise OSError(errno.EIO, "the system wrote nothing")
        written += more


def write_new(disk: Disk, path: str, data: Iterable[bytes], mode: int | None = None) -> None:
    """Write a new file and sync it; raise OSError and leave nothing behind.

    `mode` are its permissions, if not the default ones.
    """
    fd = disk.open(path, NEW)
    try:
        try:
            if mode is not None:
                set_permissions(fd, mode)
            for piece in data:
                write_all(disk, fd, piece)
            disk.sync(fd)
        finally:
            disk.close(fd)
    except BaseException:
        with suppress(OSError):
            disk.unlink(path)
        raise


def create_file(disk: Disk, path: str, data: Iterable[bytes], mode: int | None = None) -> None:
    """Create a file, whole or not at all, never over another. Without links, a crash may leave it empty.

    `mode` are its permissions, if not the default ones. Raises NotWritten, and OutcomeUnknown where it is there but the disk did not confirm its name.
    """
    try:
        _check_name(disk, path)
        write_new(disk, draft := draft_name(path), data, mode)
        try:
            put_in_place(disk, draft, path)
            _confirm_created(disk, path)
        finally:
            with suppress(OSError):
                disk.unlink(draft)
    except FileExistsError:
        hint = "choose another name, or append to it"
        raise NotWritten(path, "there is already a file of that name", hint) from None
    except (OSError, ValueError) as error:
        raise NotWritten(path, system_message(error), write_hint(error)) from None


def replace_file(disk: Disk, fd: int, path: str, data: Iterable[bytes]) -> None:
    """Replace the open file by a new one atomically, with its permissions; raise OSError, OutcomeUnknown.

    A process that has the old file open keeps it, and its lock.
    """
    draft, second = draft_name(path), draft_name(path)
    write_new(disk, draft, data, disk.fstat(fd).st_mode)
    try:
        with suppress(OSError):
            disk.link(draft, second)
        disk.rename(draft, path)
        _confirm_created(disk, path)
    finally:
        for name in (draft, second):
            with suppress(OSError):
                disk.unlink(name)


def shows_second_names(kind: str) -> bool:
    """Return whether a type of file system is known to let a file have two names.

    A file that is put in place has two until its own is on the disk; the process that did so may have died before.
    """
    return kind in _LINKING


def sync_name(disk: Disk, path: str) -> None:
    """Sync the name of a file, if its folder can be opened; raise OSError."""
    with passing(_NO_FOLDERS):
        disk.sync_folder(folder_of(real_path(path)))


def draft_name(path: str) -> str:
    """Return a name in the folder of a file for the draft that will take its place; no other file has it."""
    return path_beside(path, DRAFTS.replace("*", os.urandom(6).hex()))


def _check_name(disk: Disk, path: str) -> None:
    if len(os.fsencode(name_of(path))) > LONGEST_NAME:
        raise NotWritten(path, f"its name is longer than {LONGEST_NAME} bytes", "choose a shorter one")
    if disk.exists(path):
        raise FileExistsError(path)


def _confirm_created(disk: Disk, path: str) -> None:
    try:
        disk.sync_folder(folder_of(path))
    except OSError as error:
        why = f"the file is there, but the disk did not confirm its name: {system_message(error)}"
        raise OutcomeUnknown(path, why, "verify it; look at the disk before you go on with it") from None


def put_in_place(disk: Disk, draft: str, path: str) -> None:
    """Give a finished file its name by a link, which fails if the name is taken, while a rename would replace the file.

    Raises OSError, and FileExistsError for a name that is taken. The draft may keep its own name besides.
    """
    try:
        disk.link(draft, path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        disk.close(disk.open(path, NEW))  # a file created in between would be replaced
        try:
            disk.rename(draft, path)
        except BaseException:
            with suppress(OSError):
                disk.unlink(path)
            raise


def read_pieces(disk: Disk, fd: int, start: int, end: int) -> Iterator[bytes]:
    """Yield the bytes between two places of an open file; raise OSError."""
    return (disk.pread(fd, min(_PIECE, end - at), at) for at in range(start, end, _PIECE))


def keep_aside(disk: Disk, fd: int, start: int, end: int, path: str, seq: int, why: str) -> None:
    """Copy bytes that are about to be cut off into a new side file of the log, durably; raise OSError.

    `why` is `torn` or `damaged`, `seq` that of the record which would have stood there.
    """
    path = real_path(path)
    side = path + next_side_suffix(disk, path, seq, why)
    write_new(disk, side, read_pieces(disk, fd, start, end), disk.fstat(fd).st_mode)
    try:
        disk.sync_folder(folder_of(path))
    except OSError:
        with suppress(OSError):  # bytes that are not cut off need no copy
            disk.unlink(side)
        raise


def next_side_suffix(disk: Disk, path: str, seq: int, why: str) -> str:
    """Return the suffix of the next side file: `.torn-SEQ-N` or `.damaged-SEQ-N`."""
    return [*_side_suffixes(disk, real_path(path), seq, why)][-1]


def kept_aside(disk: Disk, path: str, seq: int) -> list[str]:
    """Return the suffixes of the side files for the place of record `seq`."""
    path = real_path(path)
    found = chain.from_iterable(_side_suffixes(disk, path, seq, why) for why in ("torn", "damaged"))
    return [suffix for suffix in found if _size_of(disk, f"{path}{suffix}")]


def _side_suffixes(disk: Disk, path: str, seq: int, why: str) -> Iterator[str]:
    """Yield the suffixes of the side files that are there, and then the next one."""
    for number in count(1):
        yield (suffix := f".{why}-{seq}-{number}")
        if not disk.exists(f"{path}{suffix}"):
            return


def _size_of(disk: Disk, path: str) -> int | None:
    """Return the size of an ordinary file; None if there is none, but a folder or a dangling link."""
    with suppress(OSError):
        status = disk.stat(path)
        return status.st_size if stat.S_ISREG(status.st_mode) else None
    return None


def truncate_file(disk: Disk, fd: int, size: int) -> None:
    """Truncate a file at this size, durably; raise OSError."""
    disk.truncate(fd, size)
    disk.sync(fd)


def system_message(error: OSError | ValueError) -> str:
    """Return the system's message for an error."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def hint_for_absent(path: str) -> str:
    """Return a hint for a log that is not there: the log beside it whose name is nearest, and how one is made."""
    logs: list[str] = []
    with suppress(OSError):
        logs = [each for each in os.listdir(folder_of(path) or ".") if each.endswith(".jsonl")]  # noqa: PTH208 – pathlib takes longer to load
    near = closest_word(name_of(path).removesuffix(".jsonl"), (each.removesuffix(".jsonl") for each in logs), 0.62)
    meant = f"did you mean {path_beside(path, f'{near}.jsonl')}? " if near else ""
    return f"{meant}encounter new makes a log"


def write_hint(error: OSError | ValueError) -> str:
    """Return a hint for a failed write, if there is one."""
    match getattr(error, "errno", None):
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return "nothing was added; make room and try again"
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return "look at the permissions of the file and its folder"
        case errno.ENOENT | errno.ENOTDIR:
            return "make the folder first"
        case errno.EMFILE | errno.ENFILE:
            return "too many files are open: close some, then try again"
        case errno.EIO:
            return "the disk may be failing: look at it before you go on"
    return ""


# ---------------------------------------------------------------- small files of lines


class LinesOf(Struct, frozen=True):
    """A kind of small file: the meaning of its lines, their prefix, its largest size, the hint for other files, the
    permissions of a new file (None: the default ones).
    """

    what: str
    begins: bytes
    largest: int
    hint: str
    mode: int | None = None

    def is_one(self, data: bytes) -> bool:
        """Return whether a file with these bytes is of this kind: its first line is such a line, or one that was cut short.

        After a line that was cut short stands another one of this kind, or nothing.
        """
        first, _, rest = data.partition(b"\n")
        if data == b"" or first.startswith(self.begins):
            return True
        return first != b"" and self.begins.startswith(first) and (rest == b"" or rest.startswith(self.begins))


def add_line(disk: Disk, path: str, line: bytes, kind: LinesOf, wait: float) -> bool:
    """Append a line to a file of such lines, durably; return whether it was new.

    Raises NotWritten with the file unchanged, also if it is not such a file; Busy; OutcomeUnknown.
    """
    try:
        while True:
            try:
                fd = disk.open(path, APPEND)
            except FileNotFoundError:
                if _create_or_find(disk, path, line + b"\n", kind.mode):
                    return True
                continue
            try:
                lock_file(disk, fd, path, wait)
                if os.path.samestat(disk.fstat(fd), disk.stat(path)):
                    return _add_line(disk, fd, path, line, kind)
            finally:
                disk.close(fd)
    except (OSError, ValueError) as error:
        raise NotWritten(path, system_message(error), write_hint(error)) from None


def _create_or_find(disk: Disk, path: str, data: bytes, mode: int | None) -> bool:
    """Create a file; return False if another process has created it meanwhile."""
    try:
        create_file(disk, path, [data], mode)
    except NotWritten:
        if _size_of(disk, path) is None:  # a dangling link is no file either
            raise
        return False
    return True


def _add_line(disk: Disk, fd: int, path: str, line: bytes, kind: LinesOf) -> bool:
    size = disk.fstat(fd).st_size
    held = disk.pread(fd, kind.largest, 0)
    if size > kind.largest or not kind.is_one(held):
        raise NotWritten(path, f"it holds something else than {kind.what}", kind.hint)
    new = line not in held.split(b"\n")
    try:
        if new:
            write_all(disk, fd, (b"" if held[-1:] in (b"", b"\n") else b"\n") + line + b"\n")
    except OSError:
        truncate_file(disk, fd, size)
        raise
    try:
        disk.sync(fd)  # the process that added it may have died before it was durable
    except OSError as error:
        with suppress(OSError):
            disk.truncate(fd, size)
        why = f"the disk did not confirm the line: {system_message(error)}"
        raise OutcomeUnknown(path, why, "look whether it is there, or do it again") from None
    return new


KINDS = frozenset({
    "9p", "afpfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "drvfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4",
    "prl_fs", "smb2", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs", "webdav",
})  # fmt: skip
"""The types of file systems that are shared over a network."""
NOTED = "Written on a network file system"
"""The beginning of the store's note on a log on a network file system."""


def check_is_local(disk: Disk, log: str, place: str, *, allowed: bool) -> str:
    """Return the `network_warning` for a place; raise NotWritten also if its file system cannot be determined."""
    try:
        return network_warning(disk.kind(place), log, allowed=allowed)
    except (OSError, ValueError) as error:
        raise NotWritten(log, system_message(error), write_hint(error)) from None


def network_warning(kind: str, log: str, *, allowed: bool) -> str:
    """Return the note of a log on the type of its file system; "" on a disk of this machine.

    Raises NotWritten if that is shared over a network, or through a program (FUSE) that may be, and not `allowed`.
    """
    if kind not in KINDS and kind.partition(".")[0] != "fuse":
        return ""
    if not allowed:
        why = f"it is on a network file system ({kind}), whose locks may not keep other machines' writers out"
        raise NotWritten(
            log, why, "keep the log on a disk of this machine, or say that you alone write: --network-drive"
        )
    return f"{NOTED} ({kind}), on the writer's word that nobody writes from elsewhere"
