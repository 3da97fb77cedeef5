import errno
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import example, given, strategies as st

from eventstore.disk import APPEND, MACHINE, NEW, READ, Disk
from tests.faults.memfs import How, MemFS, Process

LOG, DRAFT, ROOT = Path("/logs/ford.jsonl"), Path("/logs/draft"), Path("/logs")
SEEDS = range(60)
MODES = get_args(How)
OLD, NEWER = b"old line\n" * 80, b"newer line\n" * 90  # 720 and 990 bytes: blocks are shared


@pytest.fixture(params=[512, 4096])
def machine(request: pytest.FixtureRequest) -> MemFS:
    made = MemFS(block=request.param)
    made.put(LOG, OLD)
    return made


@pytest.fixture
def process(machine: MemFS) -> Process:
    return machine.process()


@pytest.fixture
def fd(process: Process) -> int:
    return process.open(LOG, APPEND)


@pytest.fixture
def grown(process: Process, fd: int, machine: MemFS) -> MemFS:
    process.write(fd, NEWER)
    return machine


def refusal(work: Callable[[], object]) -> tuple[type[OSError], int]:
    with pytest.raises(OSError) as caught:  # noqa: PT011  # whichever it is
        work()
    return type(caught.value), caught.value.errno or 0


# ---------------------------------------------------------------- what was synced


WORK = st.lists(
    st.tuples(st.just("write"), st.integers(1, 90))
    | st.tuples(st.just("truncate"), st.integers(0, 120))
    | st.tuples(st.sampled_from(["sync", "fail"]), st.just(0)),
    max_size=12,
)


CUT_BEFORE_A_LOST_BLOCK = [("write", 12), ("sync", 0), ("truncate", 8), ("fail", 0), ("truncate", 4), ("sync", 0)]


@example(CUT_BEFORE_A_LOST_BLOCK, 0, "prefix", 8)
@given(WORK, st.integers(0, 1000), st.sampled_from(MODES), st.sampled_from([8, 64]))
def test_what_was_synced_and_not_touched_since_is_on_every_machine(
    work: list[tuple[str, int]], seed: int, how: How, block: int
) -> None:
    machine = MemFS(block=block)
    machine.put(LOG, b"")
    process = machine.process()
    fd = process.open(LOG, APPEND)
    sure, lengths, doubtful = b"", {0}, False
    for step, (name, size) in enumerate(work):
        if name == "write":
            process.write(fd, bytes([65 + step]) * size)
        elif name == "truncate":
            process.truncate(fd, size)
        elif name == "sync":
            process.sync(fd)
        else:
            process.fail("sync")
            assert refusal(lambda: process.sync(fd)) == (OSError, errno.EIO)
        now = machine.get(LOG)
        sure, lengths, doubtful = sure[: len(now)], lengths | {len(now)}, doubtful or name == "fail"
        if name == "sync":
            lengths = {len(now)}
            sure = sure if doubtful else now
    for after in (machine.crash(seed, how), machine.crash(seed, how).crash(seed + 1), machine.clone().crash(seed, how)):
        found = after.get(LOG)
        assert found.startswith(sure)
        assert how == "prefix" or len(found) in lengths or len(found) % block == 0
        assert min(lengths) <= len(found) <= max(lengths)
        assert after.medium(LOG) == found


# ---------------------------------------------------------------- names


def made(machine: MemFS) -> Process:
    process = machine.process()
    fd = process.open(DRAFT, NEW)
    process.write(fd, NEWER)
    process.sync(fd)
    process.close(fd)
    return process


def test_a_name_is_lost_where_its_folder_was_not_synced(machine: MemFS) -> None:
    process = made(machine)
    found = {tuple(machine.crash(seed).names(ROOT)) for seed in SEEDS}
    assert found == {("draft", "ford.jsonl"), ("ford.jsonl",)}
    assert "draft" not in machine.crash(how="lost").names(ROOT)
    with pytest.raises(FileNotFoundError):
        machine.medium(DRAFT)
    process.sync_folder(ROOT)
    assert {machine.crash(seed).get(DRAFT) for seed in SEEDS} == {NEWER}


# ---------------------------------------------------------------- a sync that fails


def test_after_a_sync_that_failed_the_next_one_succeeds_and_writes_nothing(
    grown: MemFS, process: Process, fd: int
) -> None:
    process.fail("sync")
    assert refusal(lambda: process.sync(fd)) == (OSError, errno.EIO)
    process.sync(fd)
    assert process.pread(fd, 5000, 0) == OLD + NEWER, "processes see nothing of it"
    lost = OLD.ljust(len(OLD + NEWER), b"\0")
    assert (grown.crash(how="lost").get(LOG), grown.crash(how="kept").get(LOG)) == (lost, OLD + NEWER)
    assert {lost, OLD + NEWER} <= {grown.crash(seed).get(LOG) for seed in range(200)}


# ---------------------------------------------------------------- as the machine itself


def test_no_call_goes_past_the_model() -> None:
    assert {name for name in vars(Disk) if not name.startswith("_")} - {"can_lock"} <= set(vars(Process))


NAMES = st.sampled_from(["a", "b", "c"])
STEPS = st.lists(
    st.tuples(st.just("open"), NAMES, st.sampled_from([READ, APPEND, NEW]))
    | st.tuples(st.sampled_from(["close", "fstat", "unlock"]), st.integers(0, 3))
    | st.tuples(st.just("write"), st.integers(0, 3), st.binary(max_size=9))
    | st.tuples(st.sampled_from(["truncate", "read"]), st.integers(0, 3), st.integers(0, 12))
    | st.tuples(st.just("pread"), st.integers(0, 3), st.integers(0, 9), st.integers(0, 9))
    | st.tuples(st.just("try_lock"), st.integers(0, 3), st.booleans())
    | st.tuples(st.sampled_from(["link", "rename"]), NAMES, NAMES)
    | st.tuples(st.sampled_from(["unlink", "stat", "exists"]), NAMES),
    min_size=10,
    max_size=40,
)


def told(disk: Disk, folder: Path, steps: list[Any]) -> Iterator[object]:
    """Yield what a disk answers, step by step, to somebody who opens files now and then and goes on working with them."""
    fds = [disk.open(str(folder / name), how) for how in (NEW, APPEND) for name in "ab"]
    for name, at, *rest in steps:
        about = folder / at if isinstance(at, str) else fds[at % len(fds)]
        try:
            yield answer(disk, fds, name, about, *(folder / each if isinstance(each, str) else each for each in rest))
        except OSError as error:
            yield type(error), error.errno
    for fd in fds:
        disk.close(fd)


def answer(disk: Disk, fds: list[int], name: str, about: Any, *rest: Any) -> object:
    if name == "open":
        fds.insert(0, disk.open(about, rest[0]))
    elif name == "close":
        if len(fds) > 1:  # and no longer use its number, which the system gives out again
            fds.remove(about)
            disk.close(about)
    elif name == "try_lock":
        disk.try_lock(about, shared=rest[0])
    elif name == "read":
        with disk.reader(about) as file:
            return file.readline(rest[0]), file.tell(), file.seek(1), file.read(), disk.pread(about, 9, 1)
    else:
        found = getattr(disk, name)(about, *rest)
        return (found.st_size, found.st_nlink, found.st_mode & 0o170000) if isinstance(found, os.stat_result) else found
    return None


@pytest.mark.skipif(sys.platform != "linux", reason="locks and refusals differ a little elsewhere")
@given(STEPS)
def test_every_answer_is_that_of_the_machine_itself(tmp_path_factory: pytest.TempPathFactory, steps: list[Any]) -> None:
    machine = MemFS()
    in_memory = list(told(machine.process(), machine.folder("/x"), steps))
    assert in_memory == list(told(MACHINE, tmp_path_factory.mktemp("x"), steps))
