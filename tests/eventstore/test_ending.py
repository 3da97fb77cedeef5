"""Where the whole records of a log end: what a writer might still cut off."""

import errno
import os
from pathlib import Path

import pytest

from eventstore.disk import Disk
from eventstore.ending import unsettled_end
from eventstore.errors import NotReadable
from eventstore.events import Noted
from eventstore.store import MOST_EVENTS
from tests.eventstore.logs import OPENING, drafts, log_of, rounds
from tests.faults.memfs import MemFS
from tests.tables import for_each

FORD = Path("/ford.jsonl")
OPENED = log_of(drafts(OPENING))
GOOD = log_of(drafts(OPENING), rounds(1, 3), rounds(4, 1))
BATCH = log_of(drafts(OPENING), rounds(1, 3), rounds(4, 1), rounds(5, 4))[len(GOOD) :].splitlines(keepends=True)
LONG = log_of(drafts(OPENING), drafts(Noted(text="x" * 600)))


def rest_of(data: bytes) -> bytes:
    machine = MemFS()
    disk = machine.process()
    fd = disk.open(machine.put(FORD, data), os.O_RDONLY)
    status, rest = unsettled_end(disk, fd, str(FORD), 0)
    assert status.st_size == len(data)
    return rest


# ---------------------------------------------------------------- what a writer might still cut off


@for_each(
    ("whole", "rest"),
    [
        (OPENED, b""),
        (GOOD, b""),
        (GOOD + b"".join(BATCH), b""),
        (OPENED, BATCH[0][:-9]),
        (GOOD, b"\n"),
        (GOOD, b"{"),
        (GOOD, b"\0" * 3000),
        (GOOD, b"\0\n" * 9),
        (GOOD, BATCH[0]),
        (GOOD, b"".join(BATCH)[:-1]),
        (GOOD, b"".join(BATCH[:3])),
        (GOOD, b"".join(BATCH[:3]) + BATCH[3][:-9]),
        (GOOD, BATCH[0] + b"\0" * 600 + b"\n" + BATCH[2] + BATCH[3]),
        (GOOD, b"\0" * 600 + b"\n" + b"".join(BATCH[1:])),
        (GOOD, b"junk\n" + b"".join(BATCH[1:])),
        (GOOD, b"".join(BATCH[1:])),
        (GOOD, b"junk\njunk\n"),
        (LONG, b"x" * 300 + b"\n" + b"y" * 300),
        (GOOD, b"x" * (1 << 20)),
    ],
)
def test_the_end_of_a_log_is_what_stands_after_its_last_whole_batch(whole: bytes, rest: bytes) -> None:
    assert rest_of(whole + rest) == rest


def test_the_largest_append_is_held_fast_where_its_last_line_was_cut_short() -> None:
    torn = log_of(drafts(OPENING), rounds(0, MOST_EVENTS))[len(OPENED) : -2]
    assert rest_of(OPENED + torn) == torn


def test_of_what_no_append_can_leave_nothing_is_held_fast() -> None:
    assert rest_of(GOOD + b"junk\n" * 3) == b""
    assert rest_of(GOOD + b"\0\n" * 20_000) == b""
    assert rest_of(b"junk\njunk") == b""


# ---------------------------------------------------------------- nobody writes meanwhile


class Refusing(Disk):
    """Is the machine's disk, on which nothing can be locked, or synced."""

    def __init__(self, *, lock: int = 0, sync: int = 0) -> None:
        self.lock_error, self.sync_error = lock, sync

    def try_lock(self, fd: int, *, shared: bool) -> None:
        if self.lock_error:
            raise OSError(self.lock_error, os.strerror(self.lock_error))
        super().try_lock(fd, shared=shared)

    def sync(self, fd: int) -> None:
        if self.sync_error:
            raise OSError(self.sync_error, os.strerror(self.sync_error))
        super().sync(fd)


def looked_at(folder: Path, disk: Disk) -> bytes:
    path = folder / "ford.jsonl"
    path.write_bytes(GOOD + b"torn")
    with path.open("rb") as file:
        return unsettled_end(disk, file.fileno(), str(path), 0)[1]


@pytest.mark.parametrize("error", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL])
def test_where_there_are_no_locks_a_log_is_read_without(tmp_path: Path, error: int) -> None:
    assert looked_at(tmp_path, Refusing(lock=error)) == b"torn"


def test_a_lock_that_fails_otherwise_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotReadable, match="input/output error") as caught:
        looked_at(tmp_path, Refusing(lock=errno.EIO))
    assert "the disk may be failing" in caught.value.hint


@pytest.mark.parametrize("error", [errno.EROFS, errno.EINVAL])
def test_what_cannot_be_synced_need_not_be(tmp_path: Path, error: int) -> None:
    assert looked_at(tmp_path, Refusing(sync=error)) == b"torn"


def test_a_name_is_brought_to_the_disk_unless_that_was_seen_to() -> None:
    machine = MemFS()
    machine.kind = "vfat"
    disk = machine.process()
    fd = disk.open(machine.put(FORD, GOOD), os.O_RDONLY)
    for named in (False, True):
        before = len(disk.calls)
        unsettled_end(disk, fd, str(FORD), 0, named=named)
        assert ("sync_folder" in [call.name for call in disk.calls[before:]]) is not named
