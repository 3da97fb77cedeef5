"""The steps with files: all or nothing, names that last, what is put aside, and small files of lines."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from eventstore import files
from eventstore.disk import APPEND, READ, Disk
from eventstore.ending import unsettled_end
from eventstore.errors import Busy, NotReadable, NotWritten, OutcomeUnknown
from eventstore.files import LinesOf, add_line
from eventstore.jsonl import JsonlStore
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rounds
from tests.faults.memfs import MemFS, Process

FORD = Path("/ford.jsonl")
GOOD = log_of(drafts(OPENING), rounds(1, 1))


@pytest.fixture
def machine() -> MemFS:
    machine = MemFS()
    machine.put(FORD, GOOD)
    return machine


def calls(disk: Process) -> list[str]:
    return [call.name for call in disk.calls]


def error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


# ---------------------------------------------------------------- written, and named


def test_a_system_that_writes_nothing_more_is_not_asked_for_ever(machine: MemFS) -> None:
    disk = machine.process()
    disk.fail("write", short=9)
    disk.fail("write", 2, short=0)
    with pytest.raises(NotWritten, match="the system wrote nothing"):
        JsonlStore(FORD, disk=disk).append(rounds(2, 1), by="gm", at=AT)
    assert machine.get(FORD) == GOOD


@pytest.mark.parametrize(
    ("kind", "names", "brought"),
    [("ext4", 1, False), ("ext4", 2, True), ("ext4", 3, True), ("", 1, False), ("vfat", 1, True), ("vfat", 2, True)],
)
def test_who_finds_a_log_brings_its_name_to_the_disk(machine: MemFS, kind: str, names: int, brought: bool) -> None:
    machine.kind = kind
    for number in range(1, names):
        machine.process().link(FORD, FORD.with_name(f"second-{number}"))
    disk = machine.process()
    unsettled_end(disk, disk.open(FORD, READ), str(FORD), 0)
    assert ("sync_folder" in calls(disk)) is brought
    disk = machine.process()
    JsonlStore(FORD, disk=disk).append(rounds(2, 1), by="gm", at=AT)
    assert ("sync_folder" in calls(disk)) is brought


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM])
def test_a_folder_that_may_not_be_opened_keeps_nobody_from_reading(machine: MemFS, number: int) -> None:
    machine.kind, disk = "vfat", machine.process()
    disk.fail("sync_folder", error=error(number))
    assert JsonlStore(FORD, disk=disk).head().seq == 2
    disk.fail("sync_folder")
    with pytest.raises(NotReadable, match="input/output error"):
        JsonlStore(FORD, disk=disk).head()


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.ENOSPC, "nothing was added; make room and try again"),
        (errno.EDQUOT, "nothing was added; make room and try again"),
        (errno.EACCES, "look at the permissions of the file and its folder"),
        (errno.EROFS, "look at the permissions of the file and its folder"),
        (errno.ENOTDIR, "make the folder first"),
        (errno.ENFILE, "too many files are open: close some, then try again"),
        (errno.EIO, "the disk may be failing: look at it before you go on"),
        (errno.EBADF, ""),
    ],
)
def test_what_can_be_done_about_a_failure_is_said(number: int, hint: str) -> None:
    assert files.write_hint(error(number)) == hint


# ---------------------------------------------------------------- small files of lines

SIG = Path("/ford.jsonl.sig")
KIND = LinesOf("signatures", b"sig ", 60, "name another file")


def add(disk: Disk, line: bytes = b"sig one", path: Path = SIG) -> bool:
    return add_line(disk, str(path), line, KIND, 0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"sig one\n"),
        (b"", b"sig one\n"),
        (b"sig two\n", b"sig two\nsig one\n"),
        (b"sig two", b"sig two\nsig one\n"),
        (b"si", b"si\nsig one\n"),
        (b"sig " + b"x" * 56, b"sig " + b"x" * 56 + b"\nsig one\n"),
    ],
)
def test_a_line_is_added_behind_all_that_is_there_and_only_once(
    machine: MemFS, before: bytes | None, after: bytes
) -> None:
    if before is not None:
        machine.put(SIG, before)
    assert add(machine.process())
    assert machine.get(SIG) == machine.crash(how="lost").get(SIG) == after
    if len(after) <= KIND.largest:
        disk = machine.process()
        assert not add(disk), "what was cut short once made it a file of something else"
        assert "sync" in calls(disk)  # who added it may have died before
        assert machine.get(SIG) == after


@pytest.mark.parametrize(
    "content",
    [
        b"junk\n",
        b"junk",
        b" sig one\n",
        b"sigma\n",
        b"sig " + b"x" * 57,
        b"\nsig two\n",
        b"\n",
        b"s\njunk\n",
        b"sig\nsi\n",
    ],
)
def test_a_file_of_something_else_is_left_as_it_is(machine: MemFS, content: bytes) -> None:
    machine.put(SIG, content)
    with pytest.raises(NotWritten, match="it holds something else than signatures") as caught:
        add(machine.process())
    assert caught.value.hint == "name another file"
    assert machine.get(SIG) == content


def test_a_line_that_does_not_fit_on_the_disk_is_taken_back(machine: MemFS) -> None:
    machine.put(SIG, b"sig two\n")
    disk = machine.process()
    disk.fail("write", error=error(errno.ENOSPC), short=3)
    with pytest.raises(NotWritten, match="no space left") as caught:
        add(disk)
    assert "make room" in caught.value.hint
    assert machine.get(SIG) == machine.crash(how="lost").get(SIG) == b"sig two\n"


def test_a_line_that_the_disk_does_not_confirm_is_taken_back(machine: MemFS) -> None:
    machine.put(SIG, b"sig two\n")
    disk = machine.process()
    disk.fail("sync")
    with pytest.raises(OutcomeUnknown, match="did not confirm the line: input/output error") as caught:
        add(disk)
    assert caught.value.hint == "look whether it is there, or do it again"
    assert machine.get(SIG) == b"sig two\n"


def meanwhile(disk: Process, call: str, happens: Callable[[], object]) -> None:
    def look(name: str) -> None:
        if name == call:
            disk.meanwhile = None
            happens()

    disk.meanwhile = look


def test_of_two_who_make_the_file_at_once_both_have_their_lines_in_it(machine: MemFS) -> None:
    slow = machine.process()
    meanwhile(slow, "link", lambda: add(machine.process(), b"sig two"))
    assert add(slow)
    assert machine.get(SIG) == b"sig two\nsig one\n"


def test_a_line_is_added_to_the_file_that_has_the_name(machine: MemFS) -> None:
    machine.put(SIG, b"sig old\n")
    slow = machine.process()
    meanwhile(slow, "try_lock", lambda: machine.process().rename(machine.put("/new", b"sig new\n"), SIG))
    assert add(slow)
    assert machine.get(SIG) == b"sig new\nsig one\n"


def test_who_adds_a_line_waits_for_others(machine: MemFS) -> None:
    machine.put(SIG, b"sig two\n")
    other = machine.process()
    other.try_lock(fd := other.open(SIG, APPEND), shared=False)
    with pytest.raises(Busy):
        add(machine.process())
    other.close(fd)
    assert add(machine.process())


def test_a_link_that_leads_nowhere_is_no_file_to_add_to(tmp_path: Path) -> None:
    (link := tmp_path / "a.sig").symlink_to("nowhere")
    with pytest.raises(NotWritten, match="already a file of that name"):
        add(Disk(), path=link)
    assert [each.name for each in tmp_path.iterdir()] == ["a.sig"]
