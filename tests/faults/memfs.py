"""A machine in memory that loses power: files, processes that fail and die, and what a crash leaves on the medium.

What is assumed of the medium, and nothing more:

- A file is made of blocks. Those written since the last `sync` may each have any content that they had since, the old
  one included, or rubbish; the length may be any that the file had since, and what was never written is zeros.
- What was synced and not written since never changes. In a block that holds such bytes and newer ones the newer ones may
  become rubbish, the others not: the medium writes a sector whole or spoils only what was new in it.
- A name is there for sure once its folder was synced; to sync the file is not enough. Until then each operation on names
  is kept or lost by itself, a rename as a whole.
- After a `sync` that failed, the blocks in question count as written, although nobody knows; the next `sync` succeeds.
"""

import errno
import io
import os
import stat
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, pairwise
from pathlib import Path
from random import Random
from typing import Any, BinaryIO, Concatenate, Literal, NamedTuple, NoReturn, ParamSpec, TypeVar

from eventstore.disk import APPEND, BUFFER, NEW, READ, Disk
from eventstore.paths import AnyPath

How = Literal["any", "kept", "lost", "prefix", "zeros", "holes", "garbage"]
"""What a crash leaves of what was not synced.

`any`: whatever may be. `kept`: all. `lost`: nothing. `prefix`: its first `cut` bytes. In the others the length is there,
but the data is `zeros`, in each block kept or zeros (`holes`), or rubbish (`garbage`). Only in `any` and `lost` names are
lost, too.
"""
When = Literal["before", "after"]
"""Whether a call that goes wrong has its effect all the same."""

ROOT = Path("/")
ANY = ""
MOST_PAUSES = 20_000

P = ParamSpec("P")
S = TypeVar("S", bound="Process")
R = TypeVar("R")


class Died(BaseException):
    """Says that the process is dead; no `except Exception` survives it."""


class Call(NamedTuple):
    """Is a system call that a process made: its name, what it was about, and how many bytes it was to write."""

    name: str
    detail: str
    size: int = 0


# ---------------------------------------------------------------- files


@dataclass(eq=False)
class Inode:
    """Is a file: what processes see of it, and what may be on the medium.

    `since` has the contents since the last sync: the first is the medium's, the last is what processes see. `loose` are the
    blocks that may differ on the medium, each with the number of its first bytes that surely do not. Of these the `dirty`
    will be written by the next sync; the others were given up by one that failed.
    """

    number: int
    block: int
    mtime: int = 0
    since: list[bytes] = field(default_factory=lambda: [b""])
    loose: dict[int, int] = field(default_factory=dict)
    dirty: set[int] = field(default_factory=set)

    @property
    def data(self) -> bytes:
        return self.since[-1]

    @property
    def stable(self) -> int:
        """Up to which byte all is on the medium."""
        return min((len(self.data), *(block * self.block + solid for block, solid in self.loose.items())))

    def copy(self) -> "Inode":
        return replace(self, since=self.since[:], loose=dict(self.loose), dirty=set(self.dirty))

    def write(self, start: int, data: bytes) -> None:
        old = self.data.ljust(start, b"\0")
        self._become(old[:start] + data + old[start + len(data) :], min(start, len(self.data)), start + len(data))

    def truncate(self, size: int) -> None:
        self._become(self.data[:size].ljust(size, b"\0"), *sorted((size, len(self.data))))

    def _become(self, data: bytes, start: int, end: int) -> None:
        """Have another content, which differs only between these places."""
        if start == end:
            return
        for block in range(start // self.block, (end - 1) // self.block + 1):
            self.loose[block] = min(self.loose.get(block, self.block), max(start - block * self.block, 0))
            self.dirty.add(block)
        self.since.append(data)

    def sync(self) -> None:
        for block in self.dirty:
            del self.loose[block]
        self.dirty.clear()
        medium, old = bytearray(self.data), self.since[0].ljust(len(self.data), b"\0")
        for part in self._parts(len(medium)):
            medium[part] = old[part]
        self.since = [bytes(medium), self.data] if self.loose else [self.data]

    def forget(self) -> None:
        """Take for written what is dirty, as the system does when that fails."""
        self.dirty.clear()

    def crashed(self, random: Random, how: How, cut: int | None) -> bytes:
        found = self._found(random, how, cut)
        assert all(found[part] == self.data[part] for part in self._solid()), "what was synced has changed"
        return found

    def _found(self, random: Random, how: How, cut: int | None) -> bytes:
        new, old = self.data, self.since[0]
        if how == "kept":
            return new
        if how == "lost":
            return old
        if how == "prefix":
            end = self.stable + (random.randint(0, len(new) - self.stable) if cut is None else cut)
            return new[:end] + old[end : self._shortest()]
        content = bytearray(new.ljust(max(map(len, self.since)), b"\0"))
        earlier = random.choice(self.since)
        bias = [9 ** random.randrange(3) for _ in range(3)]  # not alike in every crash
        for part in self._parts(len(content)):
            size = part.stop - part.start
            anything = random.choices((earlier, random.choice(self.since), None), bias)[0]
            kept = {"any": anything, "zeros": b"", "holes": random.choice((new, b"")), "garbage": None}[how]
            content[part] = self._rubbish(random, size) if kept is None else kept[part].ljust(size, b"\0")
        return bytes(content[: self._length(random, earlier) if how == "any" else len(new)])

    def _rubbish(self, random: Random, size: int) -> bytes:
        """Return random bytes, or another block of this file, or lines that it has or had elsewhere."""
        kind, old = random.choice(("bytes", "block", "lines")), random.choice(self.since)
        if kind == "bytes" or not old:
            return random.randbytes(size)
        start = random.randrange(0, len(old), self.block)
        if kind == "lines":
            start = old.find(b"\n", start) + 1
        return old[start : start + size].ljust(size, b"\0")

    def _length(self, random: Random, earlier: bytes) -> int:
        """Return any length since the last sync; while a file grows, it has every whole number of blocks."""
        lengths = [len(data) for data in self.since]
        growing = [at for a, b in pairwise(lengths) for at in range((a // self.block + 1) * self.block, b, self.block)]
        return random.choice((len(earlier), len(earlier), random.choice(lengths), random.choice(growing or lengths)))

    def _shortest(self) -> int:
        return min(map(len, self.since))

    def _parts(self, length: int) -> Iterator[slice]:
        for block, solid in sorted(self.loose.items()):
            start, end = block * self.block + solid, min((block + 1) * self.block, length)
            if start < end:
                yield slice(start, end)

    def _solid(self) -> Iterator[slice]:
        start, end = 0, self._shortest()
        for block, solid in sorted(self.loose.items()):
            yield slice(start, min(block * self.block + solid, end))
            start = (block + 1) * self.block
        yield slice(start, end)


@dataclass(eq=False)
class Handle:
    inode: Inode
    path: Path
    flags: int
    offset: int = 0
    lock: Literal["", "shared", "exclusive"] = ""


Names = dict[Path, Inode]
Change = dict[Path, Inode | None]
"""What an operation on names changes, at once: a name that is taken away has no file."""


# ---------------------------------------------------------------- faults


@dataclass(frozen=True)
class Mishap:
    """Is something that goes wrong with some calls of a name: which, how, and what it brings to an end."""

    call: str
    first: int
    last: int
    error: BaseException | None
    when: When = "before"
    short: int | None = None
    end: Callable[[], None] = lambda: None


class Plan:
    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._mishaps: list[Mishap] = []

    def add(self, call: str, nth: int, times: int, error: BaseException | None, **how: Any) -> None:
        assert nth > 0, "calls are counted from 1"
        first = self._seen[call] + nth
        self._mishaps.append(Mishap(call, first, first + times - 1, error, **how))

    def due(self, name: str) -> Mishap | None:
        self._seen.update((name, ANY))
        return next((each for each in self._mishaps if self._hits(each, name)), None)

    def _hits(self, mishap: Mishap, name: str) -> bool:
        return mishap.call in (name, ANY) and mishap.first <= self._seen[mishap.call] <= mishap.last


# ---------------------------------------------------------------- the machine


class MemFS:
    """Is a machine with its files, for as many processes as are asked of it; relative paths begin at the root."""

    def __init__(self, *, block: int = 512) -> None:
        self.block = block
        self.kind = "ext4"
        self.clock, self.tick = 10**18, 10**6
        """The time, and how far each change moves it, in nanoseconds; a tick of 0 is a clock too coarse to tell."""
        self.on = True
        self.guard = threading.RLock()
        self.plan = Plan()
        self.processes: list[Process] = []
        self._first_pid = 101
        self.folders = {ROOT}
        self._names: Names = {}
        self._durable: Names = {}
        self._pending: list[Change] = []
        """What happened to names and may be lost, each with all that it changes at once."""

    def process(self, kind: "type[Process] | None" = None) -> "Process":
        assert self.on, "the power is off; crash() returns the machine that comes back"
        self.processes.append((kind or Process)(self, self._first_pid + len(self.processes)))
        return self.processes[-1]

    def clone(self) -> "MemFS":
        """Return the same machine once more, without its processes: no open files, no locks, no faults."""
        with self.guard:
            twins = {inode: inode.copy() for inode in self._inodes()}
            return self._again(twins, self._names, self._durable, self._pending)

    def crash(self, seed: int = 0, how: How = "any", *, cut: int | None = None) -> "MemFS":
        """Return the machine after a power cut now; what was not synced is left to the seed, in the way that is named."""
        assert cut is None or how == "prefix", "only a prefix is cut"
        random = Random(seed)
        with self.guard:
            chance = {"any": random.choice((0.0, 0.5, 1.0)), "lost": 0.0}.get(how, 1.0)
            names = self._applied(self._durable, [each for each in self._pending if random.random() < chance])
            twins = {}
            for inode in sorted(self._inodes(), key=lambda inode: inode.number):
                twins[inode] = Inode(inode.number, self.block, inode.mtime, [inode.crashed(random, how, cut)])
            other = self._again(twins, names, names, [])
            other.clock = self.clock + 10**9
            return other

    def cut_power(self) -> None:
        with self.guard:
            self.on = False
            for process in self.processes:
                process.die()

    def power_cut_at(self, nth: int, *, when: When = "before", short: int | None = None) -> None:
        """Lose power at the nth call of all processes from now on; a write gets `short` bytes done."""
        self.plan.add(ANY, nth, 1, Died("the power went"), when=when, short=short, end=self.cut_power)

    # ------------------------------------------------------------ from outside

    def folder(self, path: Path | str) -> Path:
        self.folders |= {ROOT / path, *(ROOT / path).parents}
        return ROOT / path

    def put(self, path: Path | str, data: bytes) -> Path:
        path = ROOT / path
        with self.guard:
            self.folder(path.parent)
            inode = self._names[path] if path in self._names else self._new(path)
            inode.truncate(0)
            inode.write(0, data)
            inode.sync()
            self.touch(inode)
            self.settle(path.parent)
        return path

    def get(self, path: Path | str) -> bytes:
        return self.file(ROOT / path).data

    def medium(self, path: Path | str) -> bytes:
        """Return what is on the medium for sure under a name that is there for sure, as after `lost`."""
        if ROOT / path not in self._durable:
            fails(errno.ENOENT, path)
        return self._durable[ROOT / path].since[0]

    def unsynced(self, path: Path | str) -> int:
        """Return how many bytes at the end of a file may be lost: the largest `cut` that makes sense."""
        inode = self.file(ROOT / path)
        return len(inode.data) - inode.stable

    def names(self, folder: Path | str = ROOT) -> list[str]:
        return sorted(path.name for path in self._names if path.parent == ROOT / folder)

    # ------------------------------------------------------------ for processes

    def find(self, path: Path) -> Inode | None:
        """Return the file of that name; raise what a path fails with that leads nowhere."""
        if path.parent not in self.folders:
            fails(errno.ENOTDIR if path.parent in self._names else errno.ENOENT, path)
        return self._names.get(path)

    def file(self, path: Path) -> Inode:
        if path in self.folders:
            fails(errno.EISDIR, path)
        return self.find(path) or fails(errno.ENOENT, path)

    def create(self, path: Path) -> Inode:
        """Make a file whose name must be free."""
        if path in self.folders or self.find(path):
            fails(errno.EEXIST, path)
        return self._new(path)

    def change(self, change: Change) -> None:
        if len({path.parent for path in change}) > 1:
            fails(errno.EXDEV, next(iter(change)))
        self._names = self._applied(self._names, [change])
        self._pending.append(change)

    def settle(self, folder: Path) -> None:
        settled = [change for change in self._pending if next(iter(change)).parent == folder]
        self._durable = self._applied(self._durable, settled)
        self._pending = [change for change in self._pending if change not in settled]

    def touch(self, inode: Inode) -> None:
        self.clock += self.tick
        inode.mtime = self.clock

    def handles(self) -> Iterator[Handle]:
        return (handle for process in self.processes for handle in process.handles.values())

    def status(self, inode: Inode | None) -> os.stat_result:
        if inode is None:
            return os.stat_result((stat.S_IFDIR | 0o755, 2, 77, 2, 0, 0, 0, 0, 0, 0))
        links = list(self._names.values()).count(inode)
        seconds = inode.mtime // 10**9
        row = (stat.S_IFREG | 0o644, inode.number, 77, links, 0, 0, len(inode.data), seconds, seconds, seconds)
        return os.stat_result(row, dict.fromkeys(("st_atime_ns", "st_mtime_ns", "st_ctime_ns"), inode.mtime))

    def _new(self, path: Path) -> Inode:
        used = {inode.number for inode in self._inodes()}
        inode = Inode(next(number for number in count(12) if number not in used), self.block)
        self.touch(inode)
        self.change({path: inode})
        return inode

    def _inodes(self) -> set[Inode]:
        pending = {inode for change in self._pending for inode in change.values() if inode}
        return {*self._names.values(), *self._durable.values(), *pending, *(each.inode for each in self.handles())}

    def _applied(self, names: Names, changes: list[Change]) -> Names:
        found: Change = {**names}
        for change in changes:
            found |= change
        return {path: inode for path, inode in found.items() if inode}

    def _again(self, twins: dict[Inode, Inode], names: Names, durable: Names, pending: list[Change]) -> "MemFS":
        other = MemFS(block=self.block)
        other.kind, other.clock, other.tick = self.kind, self.clock, self.tick
        other._first_pid = self._first_pid + len(self.processes)
        other.folders = set(self.folders)
        other._names = {path: twins[inode] for path, inode in names.items()}
        other._durable = {path: twins[inode] for path, inode in durable.items()}
        other._pending = [{path: inode and twins[inode] for path, inode in change.items()} for change in pending]
        return other


def fails(number: int, about: object) -> NoReturn:
    raise OSError(number, os.strerror(number), str(about))


# ---------------------------------------------------------------- processes


def call(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """Make a method a system call: it is written down, and may fail or be the last."""
    name = method.__name__.strip("_")

    def made(self: S, /, *args: P.args, **named: P.kwargs) -> R:
        return self._made(name, args, lambda: method(self, *args, **named))

    return made


class Process(Disk):
    """Is the disk of one process of a machine, with open files of its own; it can fail and end."""

    buffer = BUFFER

    def __init__(self, machine: MemFS, pid: int) -> None:
        self.machine, self.pid = machine, pid
        self.can_lock = True
        self.dead = False
        self.calls: list[Call] = []
        self.handles: dict[int, Handle] = {}
        self.pauses = 0
        self.meanwhile: Callable[[str], object] | None = None
        """What others do before each call of this process."""
        self._plan = Plan()
        self._fds = count(1_000_000)  # numbers that the system itself does not know
        self._in_a_row = 0
        self._short: int | None = None

    # ------------------------------------------------------------ what goes wrong

    def fail(
        self,
        name: str,
        nth: int = 1,
        error: OSError | None = None,
        *,
        when: When = "before",
        short: int | None = None,
        times: int = 1,
    ) -> None:
        """Let the nth call of a name from now on fail, and those that follow it up to so many times.

        A write with `short` writes so many bytes; it returns their number or, where an error is given, raises that.
        """
        if error is None and short is None:
            error = OSError(errno.EIO, os.strerror(errno.EIO))
        when = "after" if name == "close" else when  # the system closes a file in any case
        self._plan.add(name, nth, times, error, when=when, short=short)

    def die_at(self, nth: int, *, when: When = "before", short: int | None = None) -> None:
        """Die at the nth call from now on; a write gets `short` bytes done."""
        self._plan.add(ANY, nth, 1, Died(f"process {self.pid} died"), when=when, short=short, end=self.die)

    def die(self) -> None:
        """Die now: locks are given back, and no later call changes anything."""
        with self.machine.guard:
            self.dead = True
            self.handles.clear()

    def _made(self, name: str, args: tuple[object, ...], effect: Callable[[], R]) -> R:
        if self.meanwhile is not None and not self.dead:
            self.meanwhile(name)
        with self.machine.guard:
            if self.dead:
                raise Died(f"process {self.pid} is dead")
            self.calls.append(self._told(name, args))
            own, common = self._plan.due(name), self.machine.plan.due(name)  # both count
            mishap = own or common
            self._short = mishap.short if mishap and name == "write" else None
            if mishap is None or mishap.error is None:
                return effect()
            with suppress(OSError):
                if mishap.when == "after" or self._short is not None:
                    effect()
                elif name == "sync" and not isinstance(mishap.error, Died):
                    self._handle(args[0]).inode.forget()
            mishap.end()
            raise mishap.error

    def _told(self, name: str, args: tuple[object, ...]) -> Call:
        about = self.handles[args[0]].path if args[:1] and args[0] in self.handles else (args or ("",))[0]
        rest = [str(arg) for arg in args[1:] if not isinstance(arg, bytes | memoryview)]
        size = next((len(arg) for arg in args if isinstance(arg, bytes | memoryview)), 0)
        return Call(name, " ".join([str(about), *rest]), size)

    # ------------------------------------------------------------ files

    @call
    def open(self, path: AnyPath, flags: int) -> int:
        assert flags in (READ, APPEND, NEW), f"unknown flags {flags:#o}"
        place = ROOT / path
        inode = self.machine.create(place) if flags == NEW else self.machine.file(place)
        fd = next(self._fds)
        self.handles[fd] = Handle(inode, place, flags)
        return fd

    def close(self, fd: int) -> None:
        """Close a file; one of a dead process is closed already, which finalizers need not be told."""
        if not self.dead:
            self._close(fd)

    @call
    def _close(self, fd: int) -> None:
        self._handle(fd)
        del self.handles[fd]

    def reader(self, fd: int) -> BinaryIO:
        self.seek(fd, 0, io.SEEK_SET)
        return io.BufferedReader(_Reading(self, fd), self.buffer)

    @call
    def read(self, fd: int, count: int) -> bytes:
        handle = self._handle(fd, NEW)
        data = handle.inode.data[handle.offset : handle.offset + count]
        handle.offset += len(data)
        return data

    def seek(self, fd: int, offset: int, whence: int) -> int:
        handle = self._handle(fd)
        handle.offset = offset + (0, handle.offset, len(handle.inode.data))[whence]
        return handle.offset

    @call
    def pread(self, fd: int, count: int, offset: int) -> bytes:
        return self._handle(fd, NEW).inode.data[offset : offset + count]

    @call
    def write(self, fd: int, data: bytes | memoryview) -> int:
        handle = self._handle(fd, READ)
        done = bytes(data)[: self._short]
        handle.offset = len(handle.inode.data) if handle.flags == APPEND else handle.offset
        if done:
            handle.inode.write(handle.offset, done)
            self.machine.touch(handle.inode)
        handle.offset += len(done)
        return len(done)

    @call
    def truncate(self, fd: int, size: int) -> None:
        if (handle := self._handle(fd)).flags == READ or size < 0:
            fails(errno.EINVAL, fd)
        handle.inode.truncate(size)
        self.machine.touch(handle.inode)

    @call
    def sync(self, fd: int) -> None:
        self._handle(fd).inode.sync()

    @call
    def fstat(self, fd: int) -> os.stat_result:
        return self.machine.status(self._handle(fd).inode)

    def _handle(self, fd: Any, unfit: int | None = None) -> Handle:
        """Return an open file, which must not have been opened with flags that are unfit."""
        if self.dead:
            raise Died(f"process {self.pid} is dead")
        handle = self.handles.get(fd)
        return handle if handle and handle.flags != unfit else fails(errno.EBADF, fd)

    # ------------------------------------------------------------ names

    @call
    def sync_folder(self, path: AnyPath) -> None:
        if ROOT / path not in self.machine.folders:
            self.machine.file(ROOT / path)
            fails(errno.ENOTDIR, path)
        self.machine.settle(ROOT / path)

    @call
    def stat(self, path: AnyPath) -> os.stat_result:
        place = ROOT / path
        return self.machine.status(None if place in self.machine.folders else self.machine.file(place))

    @call
    def exists(self, path: AnyPath) -> bool:
        try:
            return ROOT / path in self.machine.folders or self.machine.find(ROOT / path) is not None
        except OSError:
            return False

    @call
    def link(self, old: AnyPath, new: AnyPath) -> None:
        inode = self.machine.file(ROOT / old)
        if ROOT / new in self.machine.folders or self.machine.find(ROOT / new):
            fails(errno.EEXIST, new)
        self.machine.change({ROOT / new: inode})

    @call
    def rename(self, old: AnyPath, new: AnyPath) -> None:
        inode = self.machine.file(ROOT / old)
        if ROOT / new in self.machine.folders:
            fails(errno.EISDIR, new)
        if self.machine.find(ROOT / new) is not inode:
            self.machine.change({ROOT / old: None, ROOT / new: inode})

    @call
    def unlink(self, path: AnyPath) -> None:
        self.machine.file(ROOT / path)
        self.machine.change({ROOT / path: None})

    @call
    def kind(self, path: AnyPath) -> str:
        place = ROOT / path
        return self.machine.kind if place in self.machine.folders or self.machine.file(place) else ""

    # ------------------------------------------------------------ locks

    @call
    def try_lock(self, fd: int, *, shared: bool) -> None:
        mine = self._handle(fd)
        mine.lock = ""  # as on Linux, the old lock is gone even where the new one is refused
        others = {each.lock for each in self.machine.handles() if each.inode is mine.inode} - {""}
        if "exclusive" in others or (others and not shared):
            fails(errno.EWOULDBLOCK, fd)
        mine.lock = "shared" if shared else "exclusive"
        self._in_a_row = 0

    @call
    def unlock(self, fd: int) -> None:
        self._handle(fd).lock = ""

    @call
    def holders(self, fd: int) -> list[int]:
        inode = self._handle(fd).inode
        files = ((process.pid, handle) for process in self.machine.processes for handle in process.handles.values())
        return sorted({pid for pid, handle in files if handle.inode is inode and handle.lock})

    def pause(self, seconds: float) -> None:
        self._pause(seconds)
        time.sleep(0)

    @call
    def _pause(self, seconds: float) -> None:  # noqa: ARG002  # it takes none
        self.pauses, self._in_a_row = self.pauses + 1, self._in_a_row + 1
        assert self._in_a_row <= MOST_PAUSES, f"paused {MOST_PAUSES:,} times without getting a lock"


class _Reading(io.RawIOBase):
    """Reads an open file, which stays open, where the file itself stands: one reader at a time."""

    def __init__(self, process: Process, fd: int) -> None:
        self._process, self._fd = process, fd

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._fd

    def readinto(self, buffer: Any) -> int:
        data = self._process.read(self._fd, len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._process.seek(self._fd, offset, whence)
