"""Bugs that the faults by real means found, each by its name; and the tools of these faults."""

import errno
import gc
import os
import resource
import signal
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
from tests.faults.disks import PAGE, Full, Watched, log_of_size
from tests.faults.hindered import Dribbling
from tests.faults.killing import errands
from tests.faults.lives import (
    EVERY,
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
    parts,
    story_of,
)
from tests.faults.processes import Child, Heard, Say, limit, straced, tmpfs

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


def test_a_child_tells_and_what_it_told_outlives_it() -> None:
    def work(say: Say) -> None:
        say("about", 1, ["ü"])
        signal.pause()

    child = Child(work)
    while not child.said:
        assert not child.over
    child.kill()
    assert child.over
    assert (child.end(), child.said) == (-signal.SIGKILL, [["about", 1, ["ü"]]])


def test_a_child_that_breaks_down_says_so() -> None:
    child = Child(lambda say: say(object()))
    assert (child.end(), child.said[0][:2]) == (1, ["broke", None])
    assert Child(lambda _: None).end() == 0


def test_a_child_that_waits_does_nothing_until_it_may(path: Path) -> None:
    child = Child(GROWING.work(path), waits=True)
    assert path.read_bytes() == GOOD
    child.begin()
    child.end()
    assert came(child.said) == ["acked"] * len(GROWING.steps)


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


def test_strace_kills_at_the_nth_call_or_not_at_all(traced: Callable[..., tuple[int, int, list[str]]]) -> None:
    assert traced("fdatasync:signal=SIGKILL:when=2") == (-signal.SIGKILL, 0, ["acked"])
    assert traced("fdatasync:signal=SIGKILL:when=99") == (0, 0, ["acked"] * 5)


def test_strace_counts_what_it_harmed_of_the_first_injection(traced: Callable[..., tuple[int, int, list[str]]]) -> None:
    code, harmed, ends = traced("write:error=EIO:when=1", "?rename:error=EIO:when=1")
    assert (code, harmed, ends) == (0, 1, ["NotWritten", *["acked"] * 4])


def test_strace_passes_over_other_files(traced: Callable[..., tuple[int, int, list[str]]], tmp_path: Path) -> None:
    assert traced("write:error=EIO:when=1+", only=tmp_path / "other") == (0, 0, ["acked"] * 5)


def test_a_story_is_told_from_what_was_said(path: Path) -> None:
    act(path, GROWING.steps, said := Heard())
    story = story_of(GROWING.steps, said, read(GOOD))
    assert story.acked == list(JsonlStore(path).read())
    assert story.flying == []
    assert story_of(GROWING.steps, said[:-1], read(GOOD)).flying == [GROWING.steps[-1].drafts]
    assert len(story_of(GROWING.steps, said[:3], read(GOOD)).acked) == 4


def test_of_what_a_handle_could_not_tell_only_the_first_is_in_flight() -> None:
    steps = [ONE, VOLLEY, again(VOLLEY)]
    unknown = ["OutcomeUnknown", "why", "hint"]
    said = [word for number in range(3) for word in (["about", number], ["failed", number, *unknown])]
    assert story_of(steps, said).flying == [ONE.drafts, VOLLEY.drafts]


def test_a_step_that_nobody_heard_the_end_of_is_in_flight() -> None:
    assert story_of([ONE, VOLLEY], [["about", 0], ["about", 1]]).flying == [ONE.drafts, VOLLEY.drafts]


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


@pytest.mark.parametrize("life", EVERY, ids=lambda life: life.name)
def test_every_life_comes_to_a_good_end_where_nothing_fails(run: Run, tmp_path: Path, life: Life) -> None:
    path = life.begins(tmp_path)
    said = lived(run, life.name, life, path)
    life.again(run, life.name, path, said)
    assert came(said) == ["acked"] * len(life.steps)
    assert (run.counts.cases, run.counts.wrong) == (1, [])


def test_parts_that_cannot_be_tried_are_named_once(run: Run) -> None:
    def not_here(_: Run) -> None:
        raise NotTried("no disk")

    parts(run, not_here, lambda run: run.breach("I1", "case", "tried"), not_here)
    assert run.counts.untried == "no disk"
    assert len(run.counts.wrong) == 1


def test_a_limit_ends_where_its_block_does(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    with limit(resource.RLIMIT_FSIZE, 10), pytest.raises(OSError, match="File too large"):
        (tmp_path / "a").write_bytes(bytes(11))
    assert resource.getrlimit(resource.RLIMIT_FSIZE) == before


@pytest.mark.parametrize("size", [2 * PAGE - 4000, 2 * PAGE - 1, 2 * PAGE, 2 * PAGE + 1])
def test_a_log_has_the_size_that_was_asked_for(size: int) -> None:
    assert len(log := log_of_size(size)) == size
    assert len(read(log)) > 1


def test_a_full_disk_is_full_and_then_has_room() -> None:
    log = log_of_size(2 * PAGE - 100)
    try:
        with tmpfs(1 << 16) as disk, (full := Full(disk)).filled(Life("a log", log, log, [])) as path:
            act(path, [VOLLEY], said := Heard(), watched := Watched())
            assert (came(said), watched.ends) == (["NotWritten"], ["short", "ENOSPC"])
            full.make_room()
            act(path, [VOLLEY], said := Heard())
            assert came(said) == ["acked"]
    except NotTried as reason:
        pytest.skip(str(reason))


def test_a_dribbling_disk_writes_all_in_the_end(path: Path) -> None:
    act(path, [VOLLEY], said := Heard(), Dribbling(3))
    assert came(said) == ["acked"]
    assert path.read_bytes().startswith(GOOD)
    assert JsonlStore(path).verify().records == 6


def test_what_a_writer_does_is_the_same_for_the_same_name() -> None:
    one, two = errands("a"), errands("a")
    assert [next(one) for _ in range(20)] == [next(two) for _ in range(20)]
    assert [next(one).drafts for _ in range(5)] != [next(errands("b")).drafts for _ in range(5)]
