"""Faults 31, 32 and 34: calls that are interrupted, files that may not be opened, syncs that take long."""

import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from freezegun import freeze_time
from freezegun.api import real_monotonic

from eventstore.disk import Disk
from eventstore.jsonl import JsonlStore
from tests.eventstore.logs import rounds
from tests.faults.campaign import Run, fault
from tests.faults.disks import Full, each_medium
from tests.faults.failing import honest, look, looked_at
from tests.faults.killing import errands
from tests.faults.lives import (
    EVERY,
    GOOD,
    GROWING,
    MAKING,
    NEW,
    ONE,
    TORN,
    UNENDED,
    VOLLEY,
    Life,
    Step,
    act,
    again,
    answered,
    do,
    lived,
    must,
    parts,
)
from tests.faults.processes import Child, Heard, Said, Say, as_nobody, limit, ran, straced

# ---------------------------------------------------------------- interrupted

INTERRUPTIBLE = ("openat", "write", "fdatasync", "fsync", "ftruncate", "flock", "pread64", "read")


@fault(31, "EINTR and short writes, again and again")
def interrupted(run: Run) -> None:
    parts(run, _in_dribbles, _each_call_interrupted, _bombarded)


class Dribbling(Disk):
    """Is the machine's disk, which writes only so many bytes at once."""

    def __init__(self, most: int) -> None:
        self.most = most

    def write(self, fd: int, data: bytes | memoryview) -> int:
        return super().write(fd, data[: self.most])


def _in_dribbles(run: Run) -> None:
    for most in (1, 7, 100) if run.short else (1, 2, 3, 7, 100, 512, 4095):
        for life in [MAKING, GROWING, UNENDED, *TORN[:3]]:
            case = f"{life.name}, {most} bytes at once"
            with run.folder(real=False) as folder:
                path = life.begins(folder)
                said = lived(run, case, life, path, disk=Dribbling(most))
                life.again(run, case, path, said)


def _each_call_interrupted(run: Run) -> None:
    for life in [GROWING] if run.short else [NEW, *EVERY]:
        for call in INTERRUPTIBLE:
            _interrupted(run, life, f"{call}:error=EINTR:when=1+2")


def _interrupted(run: Run, life: Life, injection: str) -> None:
    """Let every other call of a kind be interrupted by a signal, so that it has to be made again."""
    with run.folder(real=False) as folder:
        path, case = life.begins(folder), f"{life.name}, {injection}"
        child = Child(life.work(path), waits=True)
        straced(child, injection)
        answered(run, case, child.said)
        life.ends(run, case, path, child.said)
        life.again(run, case, path, child.said)


def _bombarded(run: Run) -> None:
    life = Life("a log", GOOD, GOOD, list(islice(errands(str(run.seed)), run.some(30, 600))))
    for seconds in (0.001, 0.0002):
        case = f"a signal every {seconds * 1000} ms"
        with run.folder(real=False) as folder:
            path = life.begins(folder)
            child = Child(_under_signals(life, path, seconds))
            if code := child.end():
                run.breach("I6", case, f"the writer ended with {code}")
            answered(run, case, child.said)
            life.ends(run, case, path, child.said)


def _under_signals(life: Life, path: Path, seconds: float) -> Callable[[Say], None]:
    """Return the work of a child that gets a signal again and again, by which its calls end early."""

    def work(say: Say) -> None:
        signal.signal(signal.SIGALRM, lambda *_: None)
        signal.siginterrupt(signal.SIGALRM, True)
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        act(path, life.steps, say, Dribbling(1000))

    return work


# ---------------------------------------------------------------- what may not be opened


@fault(32, "EMFILE on open, EACCES and EROFS on reopen")
def not_permitted(run: Run) -> None:
    parts(run, _no_more_files, _no_permission, lambda run: each_medium(run, _read_only))


def _no_more_files(run: Run) -> None:
    for life in [MAKING, GROWING, TORN[0]] if run.short else EVERY:
        for free in range(4):
            case = f"{life.name}, {free} more files may be opened"
            with run.folder() as folder:
                path = life.begins(folder)
                child = Child(_short_of_files(life, path, free))
                child.end()
                answered(run, case, child.said, "NotWritten", "NotReadable", "OutcomeUnknown")
                honest(run, case, child.said, looked_at(path))
                life.ends(run, case, path, child.said)
                life.again(run, case, path, child.said)


def _short_of_files(life: Life, path: Path, free: int) -> Callable[[Say], None]:
    """Return the work of a child that may open only so many files more."""

    def work(say: Say) -> None:
        os.close(lowest := os.dup(0))
        with limit(resource.RLIMIT_NOFILE, lowest + free):
            act(path, life.steps, say)
            look(path, say)

    return work


def _no_permission(run: Run) -> None:
    """Take permissions from log and folder before a writer comes, and from one who has the log open."""
    refused = ["NotWritten"] * len(GROWING.steps)
    _unpermitted(run, GROWING, 0o444, 0o755, refused)
    _unpermitted(run, GROWING, 0o000, 0o755, refused)
    _unpermitted(run, MAKING, None, 0o555, ["NotWritten"])
    _unpermitted(run, TORN[0], 0o666, 0o555, ["NotWritten", "NotWritten"])
    open_log = Life("an open log", GOOD, GOOD, [ONE, VOLLEY, again(ONE)])
    _unpermitted(run, open_log, 0o666, 0o755, ["acked", "acked", "NotWritten"], at=1)


def _unpermitted(run: Run, life: Life, log: int | None, folder: int, expected: Sequence[str], at: int = 0) -> None:
    """Let a user without permissions take over before a step; a log that he has open by then stays open."""
    case = f"{life.name}, permissions {log or 0:o} in a folder with {folder:o}"
    with run.folder() as place:
        path = life.begins(place)
        place.chmod(folder)
        if log is not None:
            path.chmod(log)

        def withdraw() -> None:
            if at:
                path.chmod(0o444)
            as_nobody()

        def work(say: Say) -> None:
            act(path, life.steps, say, cues={at: withdraw})
            look(path, say)

        child = Child(work)
        child.end()
        place.chmod(0o755)
        if path.exists():
            path.chmod(0o644)
        answered(run, case, child.said, "NotWritten")
        must(run, case, child.said, *expected)
        honest(run, case, child.said, looked_at(path))
        life.ends(run, case, path, child.said)
        life.again(run, case, path, child.said)


def _read_only(run: Run, medium: str, full: Full) -> None:
    for life in [MAKING, GROWING, UNENDED, *TORN[:3]]:
        case = f"{medium}, {life.name}, read-only"
        with full.filled(life) as path:
            full.make_room()
            said = Heard()
            with read_only(full.disk):
                act(path, life.steps, said)
                look(path, said)
            answered(run, case, said, "NotWritten")
            must(run, case, said, *["NotWritten"] * len(life.steps))
            honest(run, case, said, looked_at(path))
            life.ends(run, case, path, said)
            life.again(run, case, path, said)


@contextmanager
def read_only(disk: Path) -> Iterator[None]:
    """Mount a file system anew so that it can only be read, and then for writing again."""
    ran("mount", "-o", "remount,ro", disk)
    try:
        yield
    finally:
        ran("mount", "-o", "remount,rw", disk)


# ---------------------------------------------------------------- slow

THREADS = 8
CROWDED = Life("a log", GOOD, GOOD, [Step(rounds(number, 2), f"thread {number}") for number in range(THREADS + 1)])


SPARE = 1.0
"""How many seconds later than it has to a thread may be answered on a busy machine."""


@fault(34, "a sync that takes long")
def syncing_is_slow(run: Run) -> None:
    seconds = run.some(6, 100) / 10
    for wait in (seconds * 4, seconds / 4):
        case = f"a sync of {seconds:g} s, a wait of {wait:g} s"
        with run.folder() as folder:
            crowd = Crowd(path := CROWDED.begins(folder), seconds, wait)
            with freeze_time("2026-11-20"):
                crowd.works(10 * seconds + 10)
            crowd.judged(run, case)
            CROWDED.ends(run, case, path, crowd.said)
            CROWDED.again(run, case, path, crowd.said)


class Slow(Disk):
    """Is the machine's disk, on which a sync takes its time; no clock of this program tells how long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.syncs = 0

    def sync(self, fd: int) -> None:
        self.syncs += 1
        threading.Event().wait(self.seconds)
        super().sync(fd)


class Crowd:
    """Is threads that share a handle whose syncs are slow, and one more with a handle of its own."""

    def __init__(self, path: Path, seconds: float, wait: float) -> None:
        self.path, self.wait, self.disk = path, wait, Slow(seconds)
        self.said: list[Said] = []
        self.late: list[str] = []
        self.hanging = 0

    def works(self, patience: float) -> None:
        """Let all append at once, and wait for all of them."""
        shared, own = JsonlStore(self.path, disk=self.disk, wait=self.wait), JsonlStore(self.path, wait=self.wait)
        handles = [*[shared] * THREADS, own]
        threads = [threading.Thread(target=self._append, args=each, daemon=True) for each in enumerate(handles)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(patience)
        self.hanging = sum(thread.is_alive() for thread in threads)
        shared.close()
        own.close()

    def _append(self, number: int, store: JsonlStore) -> None:
        start = real_monotonic()
        do(number, CROWDED.steps[number], self.path, store, said := Heard())
        took = real_monotonic() - start
        if (said[-1][0] == "failed" or number == THREADS) and took > max(self.wait, self.disk.seconds) + SPARE:
            self.late.append(f"thread {number}, {said[-1][0]} after {took:.1f} s")
        self.said.extend(said)

    def judged(self, run: Run, case: str) -> None:
        """Hold that nobody hangs, that syncs are shared, and that who is not patient is Busy in time."""
        patient = self.wait > self.disk.seconds
        answered(run, case, self.said, *([] if patient else ["Busy"]))
        if self.hanging:
            run.breach("I6", case, f"{self.hanging} threads hang")
        if self.disk.syncs not in ((1, 2, 3) if patient else (1,)):
            run.breach("I6", case, f"{THREADS} appends that came at once took {self.disk.syncs} syncs")
        if self.late:
            run.breach("I6", case, f"waited for too long: {', '.join(self.late)}")
