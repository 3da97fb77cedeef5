"""Bugs that the faults by real means found, each by its name; and the tools of these faults."""

import errno
import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from eventstore.disk import Disk
from eventstore.errors import NotReadable, NotWritten
from eventstore.jsonl import JsonlStore
from eventstore.reading import Walk
from eventstore.record import written
from tests.eventstore.logs import AT, read, rounds
from tests.faults.campaign import NotTried, Run
from tests.faults.lives import (
    GOOD,
    GROWING,
    LOG,
    ONE,
    TORN,
    VOLLEY,
    WHOLE,
    Life,
    act,
    again,
    answered,
    came,
    lived,
    must,
    story_of,
)
from tests.faults.processes import Child, Heard, straced

EIO = OSError(errno.EIO, "Input/output error")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    log = tmp_path / LOG
    log.write_bytes(GOOD)
    return log


@pytest.fixture
def run() -> Run:
    return Run(0, short=True, seed=1)


def beside(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


class Failing(Disk):
    """Is the machine's disk, on which calls of one name fail as often as said, before or after they had their effect."""

    def __init__(self, name: str, times: int = 1, *, late: bool = False, error: OSError = EIO) -> None:
        self.left = times
        real = getattr(super(), name)

        def call(*about: object, **more: object) -> object:
            if not self.left:
                return real(*about, **more)
            self.left -= 1
            if late:
                real(*about, **more)
            raise error

        setattr(self, name, call)


# ---------------------------------------------------------------- bugs


def test_an_append_that_was_cut_short_can_be_repeated_under_its_key(path: Path) -> None:
    for size in range(len(GOOD) + 1, len(WHOLE) - 1, 13):
        path.write_bytes(WHOLE[:size])
        with JsonlStore(path) as store:
            assert not store.append(VOLLEY.drafts, by="gm", at=AT, key=VOLLEY.key).again
            assert store.append(VOLLEY.drafts, by="gm", at=AT, key=VOLLEY.key).again
        assert [record.key for record in JsonlStore(path).read()].count(VOLLEY.key) == 1


def test_who_cannot_see_the_state_of_a_log_does_not_keep_it_locked(path: Path) -> None:
    with JsonlStore(path, disk=Failing("stat", 2)) as unlucky, JsonlStore(path, wait=0) as other:
        for _ in range(2):
            with pytest.raises(NotWritten, match="input/output error"):
                unlucky.append(rounds(1, 1), by="gm", at=AT)
            other.append(rounds(1, 1), by="gm", at=AT)
        assert unlucky.append(rounds(2, 1), by="gm", at=AT).first == 6


def test_an_append_counts_although_its_lock_cannot_be_given_back(path: Path) -> None:
    with JsonlStore(path, disk=Failing("unlock")) as unlucky, JsonlStore(path, wait=0) as other:
        assert unlucky.append(rounds(1, 1), by="gm", at=AT).first == 4
        assert other.append(rounds(2, 1), by="gm", at=AT).first == 5
        assert unlucky.append(rounds(3, 1), by="gm", at=AT).first == 6


def test_a_file_that_does_not_close_well_is_closed(path: Path) -> None:
    with JsonlStore(path, disk=Failing("close", late=True)) as store:
        store.append(rounds(1, 1), by="gm", at=AT)
        store.close()
        assert store.append(rounds(2, 1), by="gm", at=AT).first == 5
    assert len(list(JsonlStore(path, disk=Failing("close", late=True)).read())) == 5


def test_a_close_that_is_interrupted_has_closed(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    close = os.close

    def interrupted(fd: int) -> None:
        close(fd)
        raise InterruptedError(errno.EINTR, "Interrupted system call")

    fd = Disk().open(str(path), os.O_RDONLY)
    monkeypatch.setattr(os, "close", interrupted)
    Disk().close(fd)


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (errno.EIO, "the disk may be failing"),
        (errno.EMFILE, "too many files are open"),
        (errno.ENFILE, "too many files"),
    ],
)
def test_what_a_failing_system_refuses_comes_with_a_hint(path: Path, number: int, hint: str) -> None:
    error = OSError(number, os.strerror(number))
    with pytest.raises(NotWritten) as write:
        JsonlStore(path, disk=Failing("write", error=error)).append(rounds(1, 1), by="gm", at=AT)
    with pytest.raises(NotReadable) as read:
        list(JsonlStore(path, disk=Failing("open", error=error)).read())
    with pytest.raises(NotReadable) as caught_up:
        JsonlStore(path, disk=Failing("pread", error=error)).append(rounds(1, 1), by="gm", at=AT)
    assert write.value.hint.startswith(hint)
    assert read.value.hint.startswith(hint)
    assert caught_up.value.hint.startswith(hint)


WAYS = [lambda store: list(store.read()), JsonlStore.head, JsonlStore.verify]


@pytest.mark.parametrize("call", ["open", "reader", "try_lock", "sync", "fstat", "pread"])
@pytest.mark.parametrize("way", WAYS)
def test_whatever_call_fails_a_log_that_cannot_be_read_says_so(
    path: Path, call: str, way: Callable[[JsonlStore], object]
) -> None:
    with pytest.raises(NotReadable, match="input/output error") as caught:
        way(JsonlStore(path, disk=Failing(call)))
    assert caught.value.hint


@pytest.mark.parametrize("way", WAYS)
def test_wherever_in_a_log_a_call_fails_it_cannot_be_read(
    path: Path, way: Callable[[JsonlStore], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some lines are only understood by those that follow, which have to be read for that."""

    def reads_on(*_: object) -> None:
        raise EIO

    path.write_bytes(path.read_bytes() + b"half a line")
    monkeypatch.setattr(Walk, "_record", reads_on)
    with pytest.raises(NotReadable, match="input/output error") as caught:
        way(JsonlStore(path))
    assert caught.value.hint


def test_a_handle_that_is_let_go_gives_its_file_back_at_once(path: Path) -> None:
    closed: list[int] = []

    class Closing(Disk):
        def close(self, fd: int) -> None:
            closed.append(fd)
            super().close(fd)

    gc.disable()
    try:
        JsonlStore(path, disk=Closing()).append(rounds(1, 1), by="gm", at=AT)
        assert len(closed) == 1
    finally:
        gc.enable()


def test_a_torn_tail_that_could_not_be_kept_safely_is_not_kept_twice(path: Path) -> None:
    path.write_bytes(WHOLE[:-100])
    with JsonlStore(path, disk=Failing("sync_folder", 3)) as store:
        for _ in range(3):
            with pytest.raises(NotWritten, match="could not be put aside"):
                store.append(rounds(1, 1), by="gm", at=AT)
            assert beside(path) == [LOG]
        store.append(rounds(1, 1), by="gm", at=AT)
    assert beside(path) == [LOG, f"{LOG}.torn-4-1"]


# ---------------------------------------------------------------- tools


@pytest.fixture
def traced(path: Path) -> Callable[..., tuple[int, int, list[str]]]:
    """Return what lets the steps of GROWING be done under strace, where there is one."""

    def trace(*injections: str, only: Path | None = None) -> tuple[int, int, list[str]]:
        child = Child(GROWING.work(path), waits=True)
        try:
            found = straced(child, *injections, only=only)
        except NotTried as reason:
            pytest.skip(str(reason))
        return found.code, found.harmed, came(child.said)

    return trace


def test_of_what_a_handle_could_not_tell_only_the_first_is_in_flight() -> None:
    steps = [ONE, VOLLEY, again(VOLLEY)]
    unknown = ["OutcomeUnknown", "why", "hint"]
    said = [word for number in range(3) for word in (["about", number], ["failed", number, *unknown])]
    assert story_of(steps, said).flying == [ONE.drafts, VOLLEY.drafts]


def test_what_comes_out_of_a_store_is_held_against_what_may(run: Run) -> None:
    answered(run, "good", [["failed", 0, "NotWritten", "why", "hint"], ["acked", 1, []]], "NotWritten")
    assert run.counts.wrong == []
    answered(run, "other", [["failed", 0, "NotWritten", "why", "hint"]], "OutcomeUnknown")
    answered(run, "no hint", [["failed", 0, "NotWritten", "why", ""]], "NotWritten")
    answered(run, "no error of ours", [["broke", 0, "OSError()"]], "NotWritten")
    must(run, "must", [["acked", 0, []]], "NotWritten")
    assert [why.split()[1] for why in run.counts.wrong] == ["other:", "no", "no", "must:"]


def test_a_store_that_lies_is_found_out(run: Run, path: Path) -> None:
    """One that takes a short write for a whole one, one that acks in vain, and one that cuts off more than a torn tail."""

    class Lying(Disk):
        def write(self, fd: int, data: bytes | memoryview) -> int:
            return super().write(fd, data[:-40]) + 40

    act(path, [VOLLEY], said := Heard(), Lying())
    life = Life("lies", GOOD, GOOD, [VOLLEY])
    life.ends(run, "lies", path, [["about", 0], ["acked", 0, [written(each).decode() for each in read(WHOLE)[3:]]]])
    assert run.counts.lost == 3
    assert came(said) == ["OutcomeUnknown"]
    path.write_bytes(GOOD)
    TORN[0].ends(run, "cuts", path, [])
    assert run.counts.wrong[-1].endswith("the torn tail is neither in the log nor beside it")


def test_nothing_was_written_is_taken_at_its_word(run: Run, path: Path) -> None:
    class Scribbling(Disk):
        def truncate(self, fd: int, size: int) -> None:
            super().truncate(fd, size + 1)

        def write(self, fd: int, data: bytes | memoryview) -> int:
            os.write(fd, data[:1])
            raise EIO

    lived(run, "scribbles", Life("a log", GOOD, GOOD, [ONE]), path, "NotWritten", disk=Scribbling())
    assert "nothing was written, and yet the log is another" in run.counts.wrong[0]
