"""Faults 25 to 35: disks that are full, that fail, that are slow, and that may not be written."""

import errno
import fcntl
import os
import resource
import shutil
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import count, islice
from pathlib import Path

import msgspec
from freezegun import freeze_time
from freezegun.api import real_monotonic

from eventstore.disk import MACHINE, Disk
from eventstore.errors import Busy, StoreError
from eventstore.events import Noted
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft
from tests.eventstore.logs import AT, OPENING, drafts, log_of, read, rounds
from tests.faults.campaign import NotTried, Run, fault
from tests.faults.judging import Story, judge
from tests.faults.killing import errands
from tests.faults.processes import (
    GOOD,
    GROWING,
    LOG,
    NEW,
    RETURNING,
    TORN,
    UNENDED,
    VOLLEY,
    WHOLE,
    Child,
    Life,
    Said,
    Say,
    Step,
    act,
    answered,
    as_nobody,
    came,
    attached,
    ext4,
    limit,
    mounted,
    story_of,
    straced,
    tmpfs,
)

PAGE = 4096
ONE, MANY = Step(rounds(1, 1)), Step(rounds(20, 100), key="many")
MAKING = Life("making a log", None, b"", NEW.steps[:1])


def parts(run: Run, *tries: Callable[[Run], None]) -> None:
    """Try the parts of a fault, each for itself, and note which cannot be tried here."""
    reasons = []
    for each in tries:
        try:
            each(run)
        except NotTried as reason:
            reasons.append(str(reason))
    run.counts.untried = "; ".join(dict.fromkeys(reasons))


def lived(
    run: Run,
    case: str,
    life: Life,
    path: Path,
    errors: Sequence[str] = ("NotWritten",),
    disk: Disk = MACHINE,
    during: AbstractContextManager[None] | None = None,
) -> list[Said]:
    """Let a life take its course in this process, `during` a fault, judge the log, and return what was said."""
    said: list[Said] = []
    with during or nullcontext():
        act(path, life.steps, lambda *words: said.append([*words]), disk)
    answered(run, case, said, *errors)
    found = path.read_bytes() if path.exists() else None
    if not {"acked", "OutcomeUnknown"} & {*came(said)} and found not in (life.found, life.good or None):
        run.breach("I2", case, "nothing was written, and yet the log is another")
    life.ends(run, case, path, said)
    return said


def must(run: Run, case: str, said: Iterable[Said], *expected: str) -> None:
    """Hold what came of each step against what must."""
    if (found := came(said)) != list(expected):
        run.breach("I6", case, f"it ended with {', '.join(found)}, not with {', '.join(expected)}")


# ---------------------------------------------------------------- full disks

Medium = Callable[[Run], AbstractContextManager[Path]]


@contextmanager
def small_tmpfs(_run: Run) -> Iterator[Path]:
    """Give 64 KiB in memory."""
    with tmpfs(64 << 10) as folder:
        yield folder


@contextmanager
def small_ext4(run: Run) -> Iterator[Path]:
    """Give a real file system of 16 MiB."""
    with run.folder() as folder, ext4(16 << 20, folder / "image") as disk:
        yield disk


def media(run: Run) -> list[Medium]:
    return [small_tmpfs] if run.short else [small_tmpfs, small_ext4]


class Full:
    """Is a small disk on which logs lie until it is full; each has a folder of its own."""

    def __init__(self, disk: Path) -> None:
        self.disk, self.folder = disk, disk / "logs"

    @contextmanager
    def filled(self, life: Life, pages: int = 0) -> Iterator[Path]:
        """Give the log of a life on the disk that is full, but for so many pages."""
        self.folder.mkdir()
        path = life.begins(self.folder)
        self.fill(pages)
        yield path
        self.make_room()
        shutil.rmtree(self.folder)

    def fill(self, pages: int = 0) -> None:
        """Fill the disk up to so many pages."""
        MACHINE.sync_folder(self.folder)  # until then what was deleted may take its place
        with (self.disk / "filler").open("wb", buffering=0) as filler:
            for size in (1 << 16, PAGE):
                with suppress(OSError):
                    while filler.write(bytes(size)) == size:
                        pass
                with suppress(OSError):
                    os.fsync(filler.fileno())
            filler.truncate(filler.tell() // PAGE * PAGE - pages * PAGE)

    def make_room(self) -> None:
        (self.disk / "filler").unlink(missing_ok=True)


def log_of_size(size: int) -> bytes:
    """Return a log of exactly that many bytes."""
    batches = [drafts(OPENING)]
    while (rest := size - len(log_of(*batches, drafts(Noted(text="x"))))) >= 1900:
        batches.append(drafts(Noted(text="x" * 1000)))
    return log_of(*batches, drafts(Noted(text="x" * (rest + 1))))


class Watched(Disk):
    """Is the machine's disk, and keeps how each write ended: all there, short, or an error."""

    def __init__(self) -> None:
        self.ends: list[str] = []

    def write(self, fd: int, data: bytes | memoryview) -> int:
        try:
            written = super().write(fd, data)
        except OSError as error:
            self.ends.append(errno.errorcode[error.errno or 0])
            raise
        self.ends.append("all" if written == len(data) else "short")
        return written


def each_medium(run: Run, tries: Callable[[Run, str, Full], None]) -> None:
    """Try it on every small disk that can be had."""

    def on(medium: Medium) -> Callable[[Run], None]:
        def tried(run: Run) -> None:
            with medium(run) as disk:
                tries(run, medium.__name__, Full(disk))

        return tried

    parts(run, *map(on, media(run)))


@fault(25, "ENOSPC: zero bytes written")
def nothing_fits(run: Run) -> None:
    each_medium(run, _nothing_fits)


def _nothing_fits(run: Run, medium: str, full: Full) -> None:
    even, more = log_of_size(2 * PAGE), log_of_size(2 * PAGE + 1)
    lives = [
        MAKING,
        Life("a log that ends where its page does", even, even, [MANY, ONE, Step(rounds(2, 1), anew=True)]),
        Life("a line feed missing", more[:-1], more, [ONE, MANY]),
        *TORN[:3],
    ]
    for life in lives:
        with full.filled(life) as path:
            case = f"{medium}, {life.name}"
            said = lived(run, case, life, path)
            must(run, case, said[:2], "NotWritten")
            full.make_room()
            life.again(run, case, path, said)


@fault(26, "ENOSPC after a short write")
def a_part_fits(run: Run) -> None:
    each_medium(run, _a_part_fits)


def _a_part_fits(run: Run, medium: str, full: Full) -> None:
    line = len(log_of(drafts(OPENING), ONE.drafts)) - len(log_of(drafts(OPENING)))
    shorts = 0
    for pages in range(run.some(2, 4)):
        for room in [*range(1, PAGE, run.some(450, 45)), line - 1, line, line + 1]:
            log = log_of_size(2 * PAGE - room)
            life = Life("a log", log, log, [MANY, ONE, Step(MANY.drafts, MANY.key, anew=True)])
            with full.filled(life, pages) as path:
                case = f"{medium}, room for {room} bytes and {pages} pages"
                said = lived(run, case, life, path, disk=(disk := Watched()))
                must(run, case, said[:2], "NotWritten")
                shorts += disk.ends[:2] == ["short", "ENOSPC"]
                full.make_room()
                life.again(run, case, path, said)
    for life in TORN[:3]:
        for pages in range(1, run.some(2, 4)):
            with full.filled(life, pages) as path:
                case = f"{medium}, {life.name}, room for {pages} pages"
                said = lived(run, case, life, path)
                full.make_room()
                life.again(run, case, path, said)
    if not shorts:
        raise NotTried(f"{medium} writes nothing of what does not fit")


@fault(27, "EFBIG after a short write (RLIMIT_FSIZE)")
def a_limit_is_reached(run: Run) -> None:
    size = len(WHOLE) - len(GOOD)
    for room in range(0, size + 1, run.some(31, 1)):
        life = Life("a log", GOOD, GOOD, [VOLLEY, ONE, Step(VOLLEY.drafts, VOLLEY.key, anew=True)])
        _limited(run, life, len(GOOD) + room, "acked" if room == size else "NotWritten")
    for life in [MAKING, *TORN, UNENDED]:
        largest = len(life.found or b"") + 500
        for most in range(0, largest, largest // run.some(5, 100)):
            _limited(run, life, most)


def _limited(run: Run, life: Life, most: int, *first: str) -> None:
    """Let no file grow beyond a size while a life takes its course."""
    case = f"{life.name}, no file beyond {most} bytes"
    with run.folder() as folder:
        path = life.begins(folder)
        said = lived(run, case, life, path, during=limit(resource.RLIMIT_FSIZE, most))
        if first:
            must(run, case, said[:2], *first)
        life.again(run, case, path, said)


# ---------------------------------------------------------------- disks that fail

CALLS = (
    ("openat", "flock", "pread64", "ftruncate", "lseek", "close", "read")
    + ("?link,?linkat", "?unlink,?unlinkat", "?fstat,?newfstatat,?statx")
)  # fmt: skip
"""What a writer calls beside `write`, `fdatasync` and `fsync`."""


class Telling(Disk):
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


def each_time(run: Run, life: Life, errors: Sequence[str], *injections: str) -> None:
    """Let the nth of some calls fail, for n = 1, 2, 3 … until there is no nth; `N` in an injection stands for n."""
    for number in count(1):
        asked = [each.replace("=N", f"={number}") for each in injections]
        case = f"{life.name}, {' and '.join(asked)}"
        with run.folder() as folder:
            path = life.begins(folder)
            child = Child(lambda say, path=path: act(path, life.steps, say, Telling(say), wait=0.1), waits=True)
            traced = straced(child, *asked)
            if traced.code:
                run.breach("I6", case, f"the writer ended with {traced.code}")
            answered(run, case, child.said, *errors)
            trusted(run, case, life, child.said)
            life.ends(run, case, path, child.said)
            life.again(run, case, path, child.said)
        if not traced.harmed:
            return


def trusted(run: Run, case: str, life: Life, said: Iterable[Said]) -> None:
    """Hold that no handle syncs again after a sync that failed and left it unable to tell."""
    doubtful = failed = False
    for word, number, *rest in said:
        if word == "about" and life.steps[number].anew:
            doubtful = False
        elif word == "synced":
            failed = not rest[0]
            if doubtful:
                run.breach("I6", case, "a handle synced again after a sync that failed")
        elif word == "failed":
            doubtful = doubtful or (failed and rest[0] == "OutcomeUnknown")


class Breaking(Disk):
    """Is the machine's disk, which once writes only so many bytes, and then nothing more."""

    def __init__(self, bytes_written: int, *, keeps: bool) -> None:
        self.left: int | None = bytes_written
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
        """Cut a file off, where it does not keep what it has."""
        if self.keeps:
            raise OSError(errno.EIO, "Input/output error")
        super().truncate(fd, size)


@fault(28, "EIO on write")
def writing_fails(run: Run) -> None:
    parts(run, _each_write_fails, _a_write_breaks_off, _each_call_fails, _the_disk_goes_away)


def _each_write_fails(run: Run) -> None:
    for life in [MAKING, GROWING, TORN[0]] if run.short else [MAKING, GROWING, *TORN, UNENDED]:
        each_time(run, life, ["NotWritten"], "write:error=EIO:when=N")
    for second in ("ftruncate:error=EIO:when=1+", "fdatasync:error=EIO:when=N"):
        each_time(run, GROWING, ["OutcomeUnknown"], "write:error=EIO:when=N", second)


def _a_write_breaks_off(run: Run) -> None:
    for count_ in range(0, len(WHOLE) - len(GOOD), run.some(150, 7)):
        for keeps in (False, True):
            case = f"a write breaks off after {count_} bytes, which {'stay' if keeps else 'are taken back'}"
            life = Life("a log", GOOD, GOOD, [VOLLEY, ONE, Step(rounds(2, 1), anew=True)])
            with run.folder() as folder:
                path = life.begins(folder)
                error = "OutcomeUnknown" if keeps else "NotWritten"
                said = lived(run, case, life, path, [error, "NotWritten"], Breaking(count_, keeps=keeps))
                must(run, case, said[:4], error, error if keeps else "acked")
                life.again(run, case, path, said)


def _each_call_fails(run: Run) -> None:
    errors = ["NotWritten", "NotReadable", "OutcomeUnknown"]
    for life in [GROWING] if run.short else [MAKING, GROWING, *TORN, UNENDED]:
        for calls in ("ftruncate", "?fstat,?newfstatat,?statx") if run.short else CALLS:
            each_time(run, life, errors, f"{calls}:error=EIO:when=N")


def _the_disk_goes_away(run: Run) -> None:
    """Shut a real file system down under two writers, as a power cut would; only what its journal has comes back."""
    for number in range(run.some(0, 25)):
        case = f"the disk goes away, time {number}"
        with run.folder() as folder:
            image = folder / "image"
            with ext4(32 << 20, image) as disk:
                path = disk / LOG
                with create(path, drafts(OPENING), by="gm", at=AT) as store:
                    whole = Story(list(store.read()))
                names = [f"{run.seed} {number} {place}" for place in range(2)]
                writers = [Child(lambda say, name=name: act(path, endured(name), say)) for name in names]
                time.sleep(run.chance.uniform(0.01, 0.1) + number / 500)
                for writer in writers:
                    writer.stop()  # a sync that is under way would report success, whatever it lost
                shut_down(disk)
                for writer in writers:
                    writer.go_on()
                for name, writer in zip(names, writers, strict=True):
                    writer.end()
                    answered(run, case, writer.said, "NotWritten", "NotReadable", "OutcomeUnknown")
                    story = story_of(list(endured(name)), writer.said)
                    whole.acked += story.acked
                    whole.flying += story.flying
            whole.acked.sort(key=lambda record: record.seq)
            with attached(image) as disk, JsonlStore(disk / LOG) as store:
                judge(run, case, whole, store, (disk / LOG).read_bytes())


def endured(name: str) -> Iterator[Step]:
    """Yield what a writer of that name does, all of it durable."""
    return (msgspec.structs.replace(step, mode="durable") for step in islice(errands(name), 1000))


def shut_down(disk: Path) -> None:
    """Let a file system of type ext4 stop at once (EXT4_IOC_SHUTDOWN); nothing more of it reaches its medium."""
    fd = os.open(disk, os.O_RDONLY)
    try:
        fcntl.ioctl(fd, 0x8004587D, struct.pack("I", 2))
    except OSError as error:
        raise NotTried(f"no file system can be shut down: {error}") from None
    finally:
        os.close(fd)


@fault(29, "EIO on fdatasync, the next one succeeds")
def syncing_fails(run: Run) -> None:
    parts(run, _each_sync_fails, _a_real_sync_fails)


def _each_sync_fails(run: Run) -> None:
    retried = [VOLLEY, VOLLEY, ONE, Step(VOLLEY.drafts, VOLLEY.key, anew=True), Step(rounds(2, 1)), Step(rounds(3, 1))]
    life = Life("a log", GOOD, GOOD, [ONE, *retried, Step(rounds(4, 1), anew=True)])
    for error in ("EIO", "ENOSPC", "EDQUOT"):
        each_time(run, life, ["OutcomeUnknown"], f"fdatasync:error={error}:when=N")
    each_time(run, life, ["OutcomeUnknown"], "fdatasync:error=EIO:when=N", "ftruncate:error=EIO:when=1+")
    each_time(run, MAKING, ["NotWritten"], "fdatasync:error=EIO:when=N")
    for torn in TORN[: run.some(1, 9)]:
        each_time(run, torn, ["OutcomeUnknown", "NotWritten"], "fdatasync:error=EIO:when=N")


def _a_real_sync_fails(run: Run) -> None:
    """Let a real file system lie in a file that has holes, on a disk that is full: its blocks cannot be written."""
    for number in range(run.some(0, 5)):
        case = f"a file system whose own disk is full, time {number}"
        steps = [ONE, *(Step(rounds(place, 40)) for place in range(number)), VOLLEY, ONE, Step(ONE.drafts, anew=True)]
        life = Life("a log", GOOD, GOOD, steps)
        with tmpfs(16 << 20) as below:
            image = below / "image"
            with ext4(64 << 20, image) as disk:
                path = life.begins(disk)
                os.sync()
                said: list[Said] = []

                def until_full(full: Full) -> Iterator[Step]:
                    for place, step in enumerate(steps):
                        if place == number + 1:
                            full.fill()
                        yield step

                full = Full(below)
                full.folder.mkdir()
                act(path, until_full(full), lambda *words: said.append([*words]))
                answered(run, case, said, "OutcomeUnknown", "NotWritten")
                if came(said)[number + 1] != "OutcomeUnknown":
                    raise NotTried(f"a full disk below a file system is not noticed by a sync: {came(said)}")
            full.make_room()
            with attached(image) as disk:
                life.ends(run, case, disk / LOG, said)
                life.again(run, case, disk / LOG, said)


@fault(30, "EIO on the sync of a folder")
def syncing_a_folder_fails(run: Run) -> None:
    each_time(run, NEW, ["OutcomeUnknown"], "fsync:error=EIO:when=N")
    for torn in TORN[: run.some(2, 9)]:
        each_time(run, torn, ["NotWritten"], "fsync:error=EIO:when=N")
        each_time(run, torn, ["NotWritten"], "fsync:error=EIO:when=N", "?unlink,?unlinkat:error=EIO:when=1+")


# ---------------------------------------------------------------- disks that dawdle


class Dribbling(Disk):
    """Is the machine's disk, which writes only so many bytes at once."""

    def __init__(self, most: int) -> None:
        self.most = most

    def write(self, fd: int, data: bytes | memoryview) -> int:
        return super().write(fd, data[: self.most])


INTERRUPTIBLE = ("openat", "write", "fdatasync", "fsync", "ftruncate", "flock", "pread64", "read", "close")


@fault(31, "EINTR and short writes, again and again")
def interrupted(run: Run) -> None:
    parts(run, _in_dribbles, _each_call_interrupted, _bombarded)


def _in_dribbles(run: Run) -> None:
    for most in (1, 7, 100) if run.short else (1, 2, 3, 7, 100, 512, 4095):
        for life in [MAKING, GROWING, UNENDED, *TORN[:3]]:
            case = f"{life.name}, {most} bytes at once"
            with run.folder() as folder:
                path = life.begins(folder)
                said = lived(run, case, life, path, [], Dribbling(most))
                life.again(run, case, path, said)


def _each_call_interrupted(run: Run) -> None:
    """Let every other call of a kind be interrupted by a signal, so that it has to be made again."""
    for life in [GROWING] if run.short else [NEW, GROWING, UNENDED, *TORN]:
        for call in INTERRUPTIBLE:
            case = f"{life.name}, every other {call} is interrupted"
            with run.folder() as folder:
                path = life.begins(folder)
                child = Child(lambda say, path=path: act(path, life.steps, say), waits=True)
                straced(child, f"{call}:error=EINTR:when=1+2")
                answered(run, case, child.said)
                life.ends(run, case, path, child.said)
                life.again(run, case, path, child.said)


def _bombarded(run: Run) -> None:
    """Let a writer be interrupted by signals all the time; its system calls do not go on by themselves."""
    steps = list(islice(errands(str(run.seed)), run.some(30, 600)))
    life = Life("a log", GOOD, GOOD, steps)
    for seconds in (0.001, 0.0002):

        def work(say: Say, seconds: float = seconds) -> None:
            signal.signal(signal.SIGALRM, lambda *_: None)
            signal.siginterrupt(signal.SIGALRM, True)
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
            act(path, life.steps, say, Dribbling(1000))

        case = f"a signal every {seconds * 1000} ms"
        with run.folder() as folder:
            path = life.begins(folder)
            child = Child(work)
            if code := child.end():
                run.breach("I6", case, f"the writer ended with {code}")
            answered(run, case, child.said)
            life.ends(run, case, path, child.said)


# ---------------------------------------------------------------- what may not be opened, written, read


@fault(32, "EMFILE on open, EACCES and EROFS on reopen")
def not_permitted(run: Run) -> None:
    parts(run, _no_more_files, _no_permission, _read_only)


def _no_more_files(run: Run) -> None:
    """Leave a process only so many files to open; once it has more again, it goes on."""
    lives = [MAKING, GROWING, TORN[0]] if run.short else [MAKING, GROWING, UNENDED, *TORN]
    for life in lives:
        for free in range(4):
            case = f"{life.name}, {free} more files may be opened"
            with run.folder() as folder:
                path = life.begins(folder)
                child = Child(lambda say, path=path, free=free, life=life: _short_of_files(path, life, free, say))
                child.end()
                answered(run, case, child.said, "NotWritten", "NotReadable", "OutcomeUnknown")
                honest(run, case, child.said, looked_at(path))
                life.ends(run, case, path, child.said)
                life.again(run, case, path, child.said)


def _short_of_files(path: Path, life: Life, free: int, say: Say) -> None:
    os.close(lowest := os.dup(0))
    with limit(resource.RLIMIT_NOFILE, lowest + free):
        act(path, life.steps, say)
        look(path, say)


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
    said: list[Said] = []
    look(path, lambda *words: said.append([*words]))
    return {way: seen for _, way, *seen in said}


def honest(run: Run, case: str, said: Iterable[Said], whole: dict[str, Seen]) -> None:
    """Hold what was seen while something failed against the whole: all of it, or an error that says why."""
    for word, way, *seen in said:
        if word == "broke":
            run.breach("I6", case, f"{way}: {seen[0]} came out of the store")
        elif word == "looked" and seen != whole[way]:
            if seen[0] != "NotReadable":
                run.breach("I1", case, f"{way} gives {seen}, not {whole[way]}")
            elif not all(seen):
                run.breach("I6", case, f"{way}: {seen[0]} without a {'hint' if seen[1] else 'reason'}: {seen[1]}")


def _no_permission(run: Run) -> None:
    """Take permissions from log and folder; a handle that has the log open keeps it."""
    refused = ["NotWritten"] * len(GROWING.steps)
    for life, log, folder, expected in (
        (GROWING, 0o444, 0o755, refused),
        (GROWING, 0o000, 0o755, refused),
        (MAKING, None, 0o555, ["NotWritten"]),
        (TORN[0], 0o666, 0o555, ["NotWritten"] * 2),
        (Life("an open log", GOOD, GOOD, [ONE, VOLLEY, Step(rounds(2, 1), anew=True)]), 0o666, 0o755, ()),
    ):
        _without(run, life, log, folder, expected)


def _without(run: Run, life: Life, log: int | None, folder: int, expected: Sequence[str]) -> None:
    case = f"{life.name}, permissions {log or 0:o} in a folder with {folder:o}"
    with run.folder() as place:
        path = life.begins(place)
        if log is not None:
            path.chmod(log)
        place.chmod(folder)

        def steps() -> Iterator[Step]:
            for number, step in enumerate(life.steps):
                if number == 1 and not expected:
                    path.chmod(0o444)
                    as_nobody()
                yield step

        def work(say: Say) -> None:
            if expected:
                as_nobody()
            act(path, steps(), say)
            look(path, say)

        child = Child(work)
        child.end()
        place.chmod(0o755)
        if path.exists():
            path.chmod(0o644)
        answered(run, case, child.said, "NotWritten")
        must(run, case, child.said, *(expected or ("acked", "acked", "NotWritten")))
        honest(run, case, child.said, looked_at(path))
        life.ends(run, case, path, child.said)
        life.again(run, case, path, child.said)


def _read_only(run: Run) -> None:
    """Let a file system be mounted anew so that it can only be read, and then for writing again."""

    def tries(run: Run, medium: str, full: Full) -> None:
        for life in [MAKING, GROWING, TORN[0], UNENDED]:
            case = f"{medium}, {life.name}, read-only"
            with full.filled(life, 4) as path:
                said: list[Said] = []
                with mounted_anew(full.disk):
                    act(path, life.steps, lambda *words, said=said: said.append([*words]))
                    look(path, lambda *words, said=said: said.append([*words]))
                answered(run, case, said, "NotWritten")
                must(run, case, said, *["NotWritten"] * len(life.steps))
                honest(run, case, said, looked_at(path))
                full.make_room()
                life.ends(run, case, path, said)
                life.again(run, case, path, said)

    each_medium(run, tries)


@contextmanager
def mounted_anew(folder: Path) -> Iterator[None]:
    ran("mount", "-o", "remount,ro", folder)
    try:
        yield
    finally:
        ran("mount", "-o", "remount,rw", folder)


@fault(33, "a read error in the middle is not the end")
def reading_fails(run: Run) -> None:
    batches = [rounds(number, 100) for number in range(run.some(20, 45))]
    long = log_of(drafts(OPENING), *batches)
    zeros = bytes(-len(long) % 512 + 512)
    logs = {
        "a short log": WHOLE,
        "a long log": long,
        "a long log and zeros": long + bytes(2 << 20),
        "a long log, whose last append lacks its first block": long + zeros + b"x" * 300_000,
        "a line cut short": WHOLE[:-100],
        "a long batch cut short": long[:-100],
    }
    calls = ["read", "pread64"] if run.short else ["read", "pread64", "lseek", "openat", "?fstat,?newfstatat,?statx", "flock"]
    for name, log in logs.items():
        with run.folder() as folder:
            path = folder / LOG
            path.write_bytes(log)
            whole = looked_at(path)
            for call in [*calls, "fdatasync"]:
                _each_look_fails(run, name, path, call, whole)
    for call in ("read", "pread64"):
        life = Life("a long log", long, long, [ONE, VOLLEY, Step(ONE.drafts, anew=True)])
        each_time(run, life, ["NotReadable"], f"{call}:error=EIO:when=N")


def _each_look_fails(run: Run, name: str, path: Path, call: str, whole: dict[str, Seen]) -> None:
    """Let the nth of some calls fail while a log is read, for n = 1, 2, 3 … until there is no nth."""
    for number in count(1):
        child = Child(lambda say: look(path, say), waits=True)
        traced = straced(child, f"{call}:error=EIO:when={number}", only=path)
        case = f"{name}, {call}:error=EIO:when={number}"
        run.counts.cases += 1
        honest(run, case, child.said, whole)
        if len(child.said) != len(WAYS):
            run.breach("I6", case, f"the reader ended with {traced.code}")
        if not traced.harmed:
            return


# ---------------------------------------------------------------- slow disks


class Slow(Disk):
    """Is the machine's disk, on which a sync takes its time; no clock of this program tells how long."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.syncs = 0

    def sync(self, fd: int) -> None:
        self.syncs += 1
        threading.Event().wait(self.seconds)
        super().sync(fd)


THREADS = 8


@fault(34, "a sync that takes long")
def syncing_is_slow(run: Run) -> None:
    seconds = 0.4 if run.short else 10.0
    _crowd(run, seconds, wait=seconds * 4)
    _crowd(run, seconds, wait=seconds / 4)


def _crowd(run: Run, seconds: float, wait: float) -> None:
    """Let threads share a handle, and another handle and a reader come in between, while the program's clock stands still."""
    case = f"a sync of {seconds:g} s, a wait of {wait:g} s"
    with run.folder() as folder:
        path = folder / LOG
        path.write_bytes(GOOD)
        disk = Slow(seconds)
        with JsonlStore(path, disk=disk, wait=wait) as shared, JsonlStore(path, wait=wait) as other:
            said: list[Said] = []
            came_to: list[tuple[str, float]] = []

            def one(number: int, store: JsonlStore) -> None:
                start = real_monotonic()
                try:
                    done = store.append(crowd[number].drafts, by="gm", at=AT, key=crowd[number].key)
                except StoreError as error:
                    said.extend([["about", number], ["failed", number, type(error).__name__, str(error), error.hint]])
                else:
                    lines = [written(record).decode() for record in done.records]
                    said.extend([["about", number], ["acked", number, lines]])
                came_to.append((said[-1][0], real_monotonic() - start))

            with freeze_time("2026-11-20"):
                threads = [threading.Thread(target=one, args=(number, shared), daemon=True) for number in range(THREADS)]
                threads.append(threading.Thread(target=one, args=(THREADS, other), daemon=True))
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(10 * seconds + 10)
            hang = sum(thread.is_alive() for thread in threads)
