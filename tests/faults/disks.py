"""Faults 25 to 27 and 35: disks that are full, files that may not grow, and room that comes back."""

import errno
import os
import resource
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from eventstore.disk import MACHINE, Disk
from eventstore.events import Noted
from tests.eventstore.logs import OPENING, drafts, log_of
from tests.faults.campaign import NotTried, Run, fault
from tests.faults.lives import (
    EVERY,
    GOOD,
    GROWING,
    LATER,
    MAKING,
    MANY,
    ONE,
    TORN,
    UNENDED,
    VOLLEY,
    WHOLE,
    Cues,
    Life,
    again,
    answered,
    came,
    lived,
    must,
    parts,
)
from tests.faults.processes import Child, ext4, limit, straced, tmpfs

PAGE = 4096
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


class Full:
    """Is a small disk that is filled up; a file `filler` takes what the log leaves."""

    def __init__(self, disk: Path) -> None:
        self.disk, self.folder = disk, disk / "logs"

    @contextmanager
    def filled(self, life: Life, pages: int = 0) -> Iterator[Path]:
        """Give the log of a life on the disk that is full, but for so many pages."""
        self.folder.mkdir()
        path = life.begins(self.folder)
        if path.exists():
            with path.open("rb") as log:
                os.fsync(log.fileno())  # until then more is set aside for it than it needs
        self.fill(pages)
        yield path
        self.make_room()
        shutil.rmtree(self.folder)

    def fill(self, pages: int = 0) -> None:
        """Fill it up, but for so many pages."""
        with (self.disk / "filler").open("wb", buffering=0) as filler:
            times_full = 0
            while times_full < 3:  # what was deleted may take its place for a moment
                before = filler.tell()
                for size in (1 << 16, PAGE):
                    with suppress(OSError):
                        while filler.write(bytes(size)) == size:
                            pass
                with suppress(OSError):
                    os.fsync(filler.fileno())
                MACHINE.sync_folder(str(self.disk))
                time.sleep(0.002)
                times_full = times_full + 1 if filler.tell() == before else 0
            filler.truncate((filler.tell() // PAGE - pages) * PAGE)

    def make_room(self) -> None:
        """Take the filler away."""
        (self.disk / "filler").unlink(missing_ok=True)


def each_medium(run: Run, tries: Callable[[Run, str, Full], None]) -> None:
    """Try it on every small disk that can be had."""

    def on(medium: Medium) -> Callable[[Run], None]:
        def there(run: Run) -> None:
            with medium(run) as disk:
                tries(run, medium.__name__, Full(disk))

        return there

    parts(run, *map(on, [small_tmpfs] if run.short else [small_tmpfs, small_ext4]))


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


class Scarce(Disk):
    """Stands in for a small disk: it has room for so many bytes more, and what is cut off or taken away makes room."""

    def __init__(self, room: int) -> None:
        self.room = room

    def write(self, fd: int, data: bytes | memoryview) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = super().write(fd, data[: self.room])
        self.room -= written
        return written

    def truncate(self, fd: int, size: int) -> None:
        self.room += max(self.fstat(fd).st_size - size, 0)
        super().truncate(fd, size)

    def unlink(self, path: str) -> None:
        status = self.stat(str(path))
        self.room += status.st_size if status.st_nlink == 1 else 0
        super().unlink(str(path))


def _with_a_stand_in(run: Run, rooms: Iterable[int]) -> None:
    for room in rooms:
        for life in [MAKING, Life("a log", GOOD, GOOD, [MANY, ONE, again(VOLLEY)]), UNENDED, *TORN[:3]]:
            case = f"a stand-in with room for {room} bytes, {life.name}"
            with run.folder(real=False) as folder:
                path = life.begins(folder)
                said = lived(run, case, life, path, "NotWritten", disk=Scarce(room))
                if not room:
                    must(run, case, said[:2], "NotWritten")
                life.again(run, case, path, said)


# ---------------------------------------------------------------- no room


@fault(25, "ENOSPC: zero bytes written")
def nothing_fits(run: Run) -> None:
    parts(run, lambda run: each_medium(run, _nothing_fits), lambda run: _with_a_stand_in(run, [0]))


def _nothing_fits(run: Run, medium: str, full: Full) -> None:
    even, more = log_of_size(2 * PAGE), log_of_size(2 * PAGE + 1)
    lives = [
        Life("a log that ends where its page does", even, even, [MANY, ONE, again(VOLLEY)]),
        Life("a line feed missing", more[:-1], more, [ONE, MANY]),
    ]
    zeros = 0
    for life in [*lives, MAKING, *TORN[:3]]:
        case = f"{medium}, {life.name}"
        with full.filled(life) as path:
            said = lived(run, case, life, path, "NotWritten", disk=(disk := Watched()))
            if disk.ends[:1] in ([], ["ENOSPC"]):  # else a real disk found a block after all
                zeros += 1
                must(run, case, said[:2], "NotWritten")
            full.make_room()
            life.again(run, case, path, said)
    if not zeros:
        raise NotTried(f"{medium} is never full")


@fault(26, "ENOSPC after a short write")
def a_part_fits(run: Run) -> None:
    rooms = range(1, 2000, run.some(400, 17))
    parts(run, lambda run: each_medium(run, _a_part_fits), lambda run: _with_a_stand_in(run, rooms))


def _a_part_fits(run: Run, medium: str, full: Full) -> None:
    shorts = 0
    for room in range(1, PAGE, run.some(450, 45)):
        log = log_of_size(2 * PAGE - room)
        life = Life("a log", log, log, [MANY, ONE, again(MANY)])
        for pages in range(run.some(2, 4)):
            case = f"{medium}, room for {room} bytes and {pages} pages"
            with full.filled(life, pages) as path:
                said = lived(run, case, life, path, "NotWritten", disk=(disk := Watched()))
                must(run, case, said[:2], "NotWritten")
                shorts += disk.ends[:2] == ["short", "ENOSPC"]
                full.make_room()
                life.again(run, case, path, said)
    for life in TORN[:3]:
        for pages in range(1, run.some(2, 4)):
            case = f"{medium}, {life.name}, room for {pages} pages"
            with full.filled(life, pages) as path:
                said = lived(run, case, life, path, "NotWritten")
                full.make_room()
                life.again(run, case, path, said)
    if not shorts:
        raise NotTried(f"{medium} writes nothing of what does not fit")


@fault(27, "EFBIG after a short write (RLIMIT_FSIZE)")
def a_limit_is_reached(run: Run) -> None:
    size = len(WHOLE) - len(GOOD)
    life = Life("a log", GOOD, GOOD, [VOLLEY, ONE, again(VOLLEY)])
    for room in range(0, size + 1, run.some(31, 1)):
        _limited(run, life, len(GOOD) + room, "acked" if room == size else "NotWritten")
    for life in [MAKING, UNENDED, *TORN]:
        largest = len(life.found or b"") + 500
        for most in range(0, largest, largest // run.some(5, 100)):
            _limited(run, life, most)


def _limited(run: Run, life: Life, most: int, *first: str) -> None:
    """Let no file grow beyond a size while a life takes its course."""
    case = f"{life.name}, no file beyond {most} bytes"
    with run.folder(real=False) as folder:
        path = life.begins(folder)
        said = lived(run, case, life, path, "NotWritten", during=limit(resource.RLIMIT_FSIZE, most))
        if first:
            must(run, case, said[:2], *first)
        life.again(run, case, path, said)


# ---------------------------------------------------------------- room again

AFTER = [MANY, ONE, VOLLEY, again(MANY), LATER]
"""What is done once there is room again; MANY was tried before."""


@fault(35, "room comes back")
def room_comes_back(run: Run) -> None:
    parts(run, lambda run: each_medium(run, _room_on_a_disk), _room_under_a_limit, _room_in_a_quota)


def _refused_twice(life: Life) -> Life:
    """Return the life of a writer who finds the same, but no room for his first two steps."""
    first = life.steps[0] if life.found is None else MANY
    return Life(life.name, life.found, life.good, [first, first, first, *AFTER])


def _room_on_a_disk(run: Run, medium: str, full: Full) -> None:
    even = log_of_size(2 * PAGE)
    for life in map(_refused_twice, [Life("a log", even, even, []), MAKING, *TORN[:3]]):
        with full.filled(life) as path:
            _goes_on(run, f"{medium}, {life.name}", life, path, {2: full.make_room})


def _room_under_a_limit(run: Run) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    life = _refused_twice(GROWING)
    for room in range(0, 1000, run.some(300, 20)):
        with run.folder() as folder:
            none = limit(resource.RLIMIT_FSIZE, len(GOOD) + room)
            cues = {2: lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)}
            _goes_on(run, f"room for {room} bytes, then more", life, life.begins(folder), cues, none)


def _goes_on(
    run: Run, case: str, life: Life, path: Path, cues: Cues, during: AbstractContextManager[None] | None = None
) -> None:
    """Hold that a handle that found no room goes on once there is, and so does a new one, without any repair."""
    refused = run.counts.refused
    said = lived(run, case, life, path, "NotWritten", during=during, cues=cues)
    must(run, case, said[:2], "NotWritten")
    if (after := came(said)[2:]) != ["acked"] * len(after):
        run.breach("I6", case, f"with room again it ended with {', '.join(after)}")
    if run.counts.refused > refused:
        run.breach("I6", case, "with room again it is refused")
    life.again(run, case, path, said)


def _room_in_a_quota(run: Run) -> None:
    injection = "write:error=EDQUOT:when=1..2"
    for life in map(_refused_twice, EVERY):
        case = f"{life.name}, {injection}"
        with run.folder() as folder:
            path = life.begins(folder)
            child = Child(life.work(path), waits=True)
            straced(child, injection)
            answered(run, case, child.said, "NotWritten")
            must(run, case, child.said, "NotWritten", "NotWritten", *["acked"] * (len(AFTER) + 1))
            life.ends(run, case, path, child.said)
            life.again(run, case, path, child.said)
