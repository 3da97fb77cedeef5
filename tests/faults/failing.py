"""Faults 28 to 30 and 33: disks that fail when they are written, synced or read."""

import errno
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from pathlib import Path

import eventstore.damage  # noqa: F401 – loaded when it is first needed, which then would fail, too
from eventstore.disk import Disk
from eventstore.errors import StoreError
from eventstore.jsonl import JsonlStore
from tests.eventstore.logs import OPENING, drafts, log_of, rounds
from tests.faults.campaign import Run, fault
from tests.faults.lives import (
    EVERY,
    GOOD,
    GROWING,
    LATER,
    LOG,
    MAKING,
    NEW,
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
)
from tests.faults.processes import Child, Heard, Said, Say, straced
from tests.faults.recovering import after_failing_syncs, gone_on_after_a_failed_sync, opened_again_after_a_failed_sync

CALLS = ["openat", "flock", "pread64", "ftruncate", "lseek", "close", "read"]
CALLS += ["?link,?linkat", "?unlink,?unlinkat", "?fstat,?newfstatat,?statx"]
"""What a writer calls beside `write`, `fdatasync` and `fsync`."""


class ReportingDisk(Disk):
    """Is the machine's disk, which says how each sync ended."""

    def __init__(self, say: Say) -> None:
        self.say = say

    def sync(self, fd: int) -> None:
        try:
            super().sync(fd)
        except OSError:
            self.say("synced", None, False)
            raise
        self.say("synced", None, True)


def each_time(run: Run, life: Life, errors: Sequence[str], *injections: str, matters: bool = True) -> None:
    """Let the nth of some calls fail, for n = 1, 2, 3 … until there is no nth; `=N` in an injection stands for n.

    Where it `matters`, somebody must be told.
    """
    for number in count(1):
        asked = [each.replace("=N", f"={number}") for each in injections]
        if not _harmed(run, life, errors, asked, matters):
            break


def _harmed(run: Run, life: Life, errors: Sequence[str], injections: Sequence[str], matters: bool) -> int:
    """Let a life take its course in a child with these injections, and return how many calls failed."""
    case = f"{life.name}, {' and '.join(injections)}"
    with run.folder() as folder:
        path = life.begins(folder)
        child = Child(lambda say: act(path, life.steps, say, ReportingDisk(say), wait=0.1), waits=True)
        traced = straced(child, *injections)
        if traced.code:
            run.breach("I6", case, f"the writer ended with {traced.code}")
        answered(run, case, child.said, *errors)
        _trusted(run, case, life, child.said)
        if matters and traced.harmed and not set(errors) & set(came(child.said)):
            run.breach("I6", case, "nobody was told")
        life.ends(run, case, path, child.said)
        life.again(run, case, path, child.said)
        return traced.harmed


def _trusted(run: Run, case: str, life: Life, said: Iterable[Said]) -> None:
    """Hold that no handle syncs again after a sync that failed and left it unable to tell."""
    doubtful = failed = False
    for word, number, *rest in said:
        if word == "about":
            doubtful = doubtful and not life.steps[number].anew
        elif word == "synced":
            failed = not rest[0]
            if doubtful:
                run.breach("I6", case, "a handle synced again after a sync that failed")
        elif word == "failed":
            doubtful = doubtful or (failed and rest[0] == "OutcomeUnknown")


# ---------------------------------------------------------------- writing


@fault(28, "EIO on write")
def writing_fails(run: Run) -> None:
    parts(run, _each_write_fails, _a_write_breaks_off, _each_call_fails)


def _each_write_fails(run: Run) -> None:
    for life in [MAKING, GROWING, TORN[0]] if run.short else EVERY:
        each_time(run, life, ["NotWritten"], "write:error=EIO:when=N")
    for second in ("ftruncate:error=EIO:when=1+", "fdatasync:error=EIO:when=N"):
        each_time(run, GROWING, ["OutcomeUnknown", "NotWritten"], "write:error=EIO:when=N", second)


class Breaking(Disk):
    """Is the machine's disk, which breaks off a write after so many bytes, and perhaps `keeps` what it has."""

    def __init__(self, most: int, *, keeps: bool) -> None:
        self.left: int | None = most
        self.keeps = keeps

    def write(self, fd: int, data: bytes | memoryview) -> int:
        if self.left is None:
            return super().write(fd, data)
        if self.left:
            self.left, most = 0, self.left
            return super().write(fd, data[:most])
        self.left = None
        raise OSError(errno.EIO, "Input/output error")

    def truncate(self, fd: int, size: int) -> None:
        if self.keeps:
            raise OSError(errno.EIO, "Input/output error")
        super().truncate(fd, size)


def _a_write_breaks_off(run: Run) -> None:
    life = Life("a log", GOOD, GOOD, [VOLLEY, ONE, again(VOLLEY)])
    for most in range(0, len(WHOLE) - len(GOOD), run.some(150, 7)):
        for keeps, error, then in ((False, "NotWritten", "acked"), (True, "OutcomeUnknown", "NotWritten")):
            case = f"a write breaks off after {most} bytes, which {'stay' if keeps else 'are taken back'}"
            with run.folder() as folder:
                path = life.begins(folder)
                said = lived(run, case, life, path, error, "NotWritten", disk=Breaking(most, keeps=keeps))
                must(run, case, said[:4], error, then)
                life.again(run, case, path, said)


def _each_call_fails(run: Run) -> None:
    errors = ["NotWritten", "NotReadable", "OutcomeUnknown"]
    for life in [GROWING] if run.short else EVERY:
        for calls in ("ftruncate", "?fstat,?newfstatat,?statx") if run.short else CALLS:
            each_time(run, life, errors, f"{calls}:error=EIO:when=N", matters=False)


# ---------------------------------------------------------------- syncing


@fault(29, "EIO on fdatasync, the next one succeeds")
def syncing_fails(run: Run) -> None:
    parts(
        run,
        the_system_is_asked_once,
        each_sync_fails,
        after_failing_syncs,
        gone_on_after_a_failed_sync,
        opened_again_after_a_failed_sync,
    )


class FailsOnce(Disk):
    """The machine's disk, where the first sync fails and every later one succeeds, as systems do."""

    _full = None

    def __init__(self) -> None:
        self.asked = 0

    def _data(self, fd: int) -> None:  # type: ignore[override]
        self.asked += 1
        if self.asked == 1:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        os.fsync(fd)


def the_system_is_asked_once(run: Run) -> None:
    """What the system says of a sync counts the first time: the append is not acked, and the handle writes no more."""
    with run.folder() as folder:
        path, disk, said = GROWING.begins(folder), FailsOnce(), Heard()
        act(path, [ONE, VOLLEY], said, disk)
        run.counts.cases += 1
        must(run, "the first sync fails", said, "OutcomeUnknown", "NotWritten")
        if disk.asked != 1:
            run.breach("I6", "the first sync fails", f"the system was asked {disk.asked} times")


def each_sync_fails(run: Run) -> None:
    life = Life("a log", GOOD, GOOD, [ONE, VOLLEY, VOLLEY, ONE, again(VOLLEY), LATER, ONE, again(ONE)])
    for error in ("EIO", "ENOSPC", "EDQUOT"):
        each_time(run, life, ["OutcomeUnknown", "NotWritten"], f"fdatasync:error={error}:when=N")
    each_time(run, life, ["OutcomeUnknown", "NotWritten"], "fdatasync:error=EIO:when=N", "ftruncate:error=EIO:when=1+")
    each_time(run, MAKING, ["NotWritten"], "fdatasync:error=EIO:when=N")
    for torn in TORN[: run.some(1, 9)]:
        each_time(run, torn, ["OutcomeUnknown", "NotWritten"], "fdatasync:error=EIO:when=N")


@fault(30, "EIO on the sync of a folder")
def syncing_a_folder_fails(run: Run) -> None:
    each_time(run, NEW, ["OutcomeUnknown"], "fsync:error=EIO:when=N")
    for torn in TORN[: run.some(2, 9)]:
        each_time(run, torn, ["NotWritten"], "fsync:error=EIO:when=N")
        each_time(run, torn, ["NotWritten"], "fsync:error=EIO:when=N", "?unlink,?unlinkat:error=EIO:when=1+")


# ---------------------------------------------------------------- reading

Seen = list[object]
"""What came of reading a log: how many records and what is wrong behind them, or an error with reason and hint."""
WAYS: dict[str, Callable[[JsonlStore], Seen]] = {
    "read": lambda store: [sum(1 for _ in store.read())],
    "head": lambda store: [store.head().seq],
    "verify": lambda store: [(found := store.verify()).records, found.problem.why if found.problem else ""],
}


def look(path: Path, say: Say) -> None:
    """Read a log in every way, and say what was seen."""
    for way, reads in WAYS.items():
        with JsonlStore(path, wait=0.1) as store:
            try:
                say("looked", way, *reads(store))
            except StoreError as error:
                say("looked", way, type(error).__name__, str(error), error.hint)
            except Exception as error:  # noqa: BLE001 – no other may come out of a store, which is to be found out
                say("broke", way, repr(error))


def looked_at(path: Path) -> dict[str, Seen]:
    """Return what is seen of a log where nothing fails."""
    look(path, said := Heard())
    return {way: seen for _, way, *seen in said}


def honest(run: Run, case: str, said: Iterable[Said], whole: dict[str, Seen]) -> None:
    """Hold what was seen while something failed against the whole: all of it, or an error that says why."""
    for word, way, *seen in said:
        if word == "looked" and seen != whole[way]:
            if seen[0] != "NotReadable":
                run.breach("I1", case, f"{way} gives {seen}, not {whole[way]}")
            elif not all(seen):
                run.breach("I6", case, f"{way}: {seen[0]} without a {'hint' if seen[1] else 'reason'}: {seen[1]}")


@fault(33, "a read error in the middle is not the end")
def reading_fails(run: Run) -> None:
    long = log_of(drafts(OPENING), *(rounds(number, 100) for number in range(run.some(10, 45))))
    zeros = bytes(-len(long) % 512 + 512)
    logs = {
        "a short log": WHOLE,
        "a line cut short": WHOLE[:-100],
        "a long log": long,
        "a long log, zeros and lines": long + zeros + (b"x" * 300_000 + b"\n") * 4,
        "a long log, whose last append lacks its first block": long + zeros + b"x" * 300_000,
        "a long log and zeros": long + bytes(2 << 20),
        "a long batch cut short": long[:-100],
    }
    more = [] if run.short else ["lseek", "openat", "?fstat,?newfstatat,?statx", "flock"]
    for name, log in list(logs.items())[: run.some(4, 9)]:
        with run.folder(real=False) as folder:
            (path := folder / LOG).write_bytes(log)
            whole = looked_at(path)
            for call in ["read", "pread64", "fdatasync", *more]:
                _each_look_fails(run, name, path, call, whole)
    life = Life("a long log", long, long, [ONE, VOLLEY, again(ONE)])
    for call in ("read", "pread64"):
        each_time(run, life, ["NotReadable"], f"{call}:error=EIO:when=N")


def _each_look_fails(run: Run, name: str, path: Path, call: str, whole: dict[str, Seen]) -> None:
    """Let the nth call that concerns a log fail while it is read, for n = 1, 2, 3 … until there is no nth."""
    for number in count(1):
        case = f"{name}, {call}:error=EIO:when={number}"
        child = Child(partial(look, path), waits=True)
        traced = straced(child, f"{call}:error=EIO:when={number}", only=path)
        run.counts.cases += 1
        answered(run, case, child.said)
        honest(run, case, child.said, whole)
        if len(child.said) != len(WAYS):
            run.breach("I6", case, f"the reader ended with {traced.code}")
        if not traced.harmed:
            break
