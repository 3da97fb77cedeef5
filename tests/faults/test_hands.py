"""What the faults of many hands found once, each by its name, and that they notice."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from eventstore.disk import Disk
from eventstore.errors import CorruptLog, OutcomeUnknown, WrongVersion
from eventstore.jsonl import JsonlStore
from tests.eventstore.logs import OPENING, drafts, log_of, rounds
from tests.faults import hands
from tests.faults.processes import Say
from tests.faults.together import Halting, append, begun, children, heard, put


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return begun(tmp_path)


# ---------------------------------------------------------------- put in by hand


@pytest.mark.parametrize("place", ["written", "synced"])
def test_what_is_put_in_by_hand_right_behind_an_append_is_not_chained_over(path: Path, place: str) -> None:
    """The handle once took the size with the foreign line for the one that it had left, and wrote on behind it."""
    with JsonlStore(path, disk=Halting(place, lambda: put(path, b"by hand\n"), armed=True)) as store:
        assert [record.seq for record in append(store, "before")] == [4]
        with pytest.raises(CorruptLog, match="line 5"):
            append(store, "behind")


@pytest.mark.parametrize("place", ["nothing written", "half written"])
@pytest.mark.parametrize("data", [b"by hand\n", b"by hand", b"\n"])
def test_what_stands_behind_a_line_put_in_by_hand_was_not_acked(path: Path, place: str, data: bytes) -> None:
    """It once was, though nobody could read it."""
    with JsonlStore(path, disk=Halting(place, lambda: put(path, data), armed=True)) as store:
        with pytest.raises(OutcomeUnknown, match="a program without the lock"):
            append(store, "behind")
        with pytest.raises(CorruptLog, match="line 4"):
            append(store, "and on")


def test_half_a_line_put_in_by_hand_is_put_aside_and_told(path: Path) -> None:
    with JsonlStore(path, disk=Halting("written", lambda: put(path, b"by ha"), armed=True)) as store:
        append(store, "before")
        assert [record.seq for record in append(store, "behind")] == [6]
    assert path.with_name(f"{path.name}.torn-5-1").read_bytes() == b"by ha"


# ---------------------------------------------------------------- taken away


def replaced_by_a_copy(path: Path) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


@pytest.mark.parametrize("place", ["nothing written", "written", "synced"])
@pytest.mark.parametrize("taken", [Path.unlink, replaced_by_a_copy])
def test_an_append_to_a_log_that_is_taken_away_meanwhile_is_not_acked(
    path: Path, place: str, taken: Callable[[Path], None]
) -> None:
    """It once was, and stood in a file that had no name any more."""
    with JsonlStore(path, disk=Halting(place, lambda: taken(path), armed=True)) as store:
        with pytest.raises(OutcomeUnknown, match="meanwhile"):
            append(store, "lost")
        if path.exists():
            append(store, "and on")
            assert store.verify().sound


# ---------------------------------------------------------------- forks


def test_a_lock_dies_with_its_process_though_a_child_of_it_lives_on(path: Path) -> None:
    """The child once kept the descriptor that it had inherited, and with it the lock of the dead."""
    with children(partial(hands._hold, path, "written", True)) as (holder,):
        heard(holder, "holds")
        holder.kill()
        append(JsonlStore(path, wait=0), "at once")


def test_a_child_lets_go_of_what_it_inherited_before_its_threads_begin(path: Path) -> None:
    """Its first append did so once, and two threads that came at once took each other's descriptor away."""
    store = JsonlStore(path)
    append(store, "before")
    queue = store._queue

    def look(say: Say) -> None:
        say("has", store._held.fd, store._queue is queue)

    with children(look) as (child,):
        assert child.end() == 0
    assert child.said == [["has", -1, False]]


# ---------------------------------------------------------------- what came in between


def test_a_condition_that_fails_in_a_long_log_is_told_without_all_of_it(tmp_path: Path) -> None:
    """All of the log was once read again, while nobody else could write."""

    class Counting(Disk):
        def __init__(self) -> None:
            self.read = 0

        def pread(self, fd: int, count: int, offset: int) -> bytes:
            self.read += count
            return super().pread(fd, count, offset)

        def reader(self, fd: int) -> Any:
            self.read += os.fstat(fd).st_size
            return super().reader(fd)

    path, disk = tmp_path / "long.jsonl", Counting()
    path.write_bytes(log_of(drafts(OPENING), *(rounds(number, number % 3 + 1) for number in range(1500))))
    with JsonlStore(path, disk=disk) as store:
        last = append(store, "before")[-1].seq
        disk.read = 0
        for after in (last - 1, last - 5, last - 40, last + 1):
            with pytest.raises(WrongVersion) as caught:
                append(store, "too late", after=after)
            assert [record.seq for record in caught.value.between] == list(range(after + 1, last + 1))
        assert disk.read < path.stat().st_size / 4
        for after in (0, 1, last // 2):
            with pytest.raises(WrongVersion) as caught:
                append(store, "too late", after=after)
            assert [record.seq for record in caught.value.between] == list(range(after + 1, last + 1))
