"""Bugs that failing disks found, each by its name."""

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
from eventstore.store import put_key
from tests.eventstore.logs import AT, OPENING, drafts, log_of, rounds
from tests.faults.together import GOOD, LOG

VOLLEY = rounds(7, 3)
WHOLE = log_of(drafts(OPENING), rounds(1, 2), put_key(VOLLEY, "volley"))
EIO = OSError(errno.EIO, "Input/output error")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    log = tmp_path / LOG
    log.write_bytes(GOOD)
    return log


def beside(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


class Failing(Disk):
    def __init__(self, name: str, times: int = 1, *, late: bool = False) -> None:
        self.left = times
        real = getattr(super(), name)

        def call(*about: object, **more: object) -> object:
            if not self.left:
                return real(*about, **more)
            self.left -= 1
            if late:
                real(*about, **more)
            raise EIO

        setattr(self, name, call)


# ---------------------------------------------------------------- bugs


def test_an_append_that_was_cut_short_can_be_repeated_under_its_key(path: Path) -> None:
    for size in range(len(GOOD) + 1, len(WHOLE) - 1, 13):
        path.write_bytes(WHOLE[:size])
        with JsonlStore(path) as store:
            assert not store.append(VOLLEY, by="gm", at=AT, key="volley").again
            assert store.append(VOLLEY, by="gm", at=AT, key="volley").again
        assert [record.key for record in JsonlStore(path).read()].count("volley") == 1


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
    monkeypatch.setattr(Walk, "_check_record", reads_on)
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
