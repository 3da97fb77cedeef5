"""The embedded store: one file, one JSON line a record. FORMAT.md specifies the file, store.py the promises."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, Self
from weakref import WeakSet

from msgspec import Struct

from eventstore import files, network
from eventstore.appending import Request, Tail, Written
from eventstore.chain import START, Anchor, Place
from eventstore.disk import APPEND, MACHINE, Disk
from eventstore.ending import near_end, unsettled
from eventstore.errors import (
    Busy,
    CorruptLog,
    KeyReused,
    Malformed,
    NotReadable,
    NotThere,
    NotWritten,
    OutcomeUnknown,
    StoreError,
    TooLarge,
    WrongVersion,
)
from eventstore.events import Noted
from eventstore.reading import Walk, first_batch, opened, walk_on
from eventstore.record import Draft, Recorded
from eventstore.store import STORE, Appended, Mode, Verified
from eventstore.turns import Job, Turns
from eventstore.writing import Entropy, keyed, lines_of

if TYPE_CHECKING:
    from eventstore.watching import Watch

WAIT = 5.0
"""How long a lock is waited for, in seconds."""

File = tuple[int, int]
"""What makes a file the same one: device and inode."""
State = tuple[int, int, int, int]
"""What changes when anybody writes: device, inode, size, time of the last change."""


def create(
    path: Path | str,
    drafts: Sequence[Draft],
    *,
    by: str,
    at: str,
    key: str | None = None,
    entropy: Entropy = os.urandom,
    wait: float = WAIT,
    network_drive: bool = False,
    disk: Disk = MACHINE,
) -> "JsonlStore":
    """Make a log whose first draft opens the encounter, over no other file.

    Raises Malformed, TooLarge, NotWritten, and OutcomeUnknown where the log is there but the disk did not confirm it.
    """
    path = Path(path)
    lines = lines_of(keyed(drafts, key), START, by=by, at=at, entropy=entropy)
    data = [lines.data]
    if warning := network.check(disk, path, path.parent, allowed=network_drive):
        data.append(lines_of([Draft(Noted(text=warning))], lines.end, by=STORE, at=at, entropy=entropy).data)
    files.create(disk, path, data)
    return JsonlStore(path, entropy=entropy, wait=wait, network_drive=network_drive, disk=disk)


class _Known(Struct):
    """Is what a handle has verified: of which file, up to which place, with which keys.

    `state` is how this handle left the file, None where others wrote since; `synced` whether all of it is durable.
    `whole` is false where the beginning was trusted; `unended` says that the line before the place lacks its line feed,
    `warned` that the log need not say any more that it is on a network drive.
    """

    file: File
    place: Place
    keys: dict[str, Place]
    state: State | None = None
    synced: bool = False
    whole: bool = True
    unended: bool = False
    warned: bool = False


class _Closing(Job):
    """Is the wish to give the file back."""


class _Append(Job):
    """Is an append on its way: what is asked, and what came of it."""

    def __init__(self, request: Request, mode: Mode) -> None:
        super().__init__()
        self.request, self.mode = request, mode
        self.outcome: Appended | StoreError | None = None

    def decide(self, tail: Tail) -> None:
        try:
            self.outcome = tail.append(self.request)
        except StoreError as error:
            self.outcome = error

    def failed(self, error: StoreError) -> None:
        """Take part in what befell all; what is wrong with the facts themselves stays wrong."""
        if not isinstance(self.outcome, Malformed | TooLarge):
            self.outcome = error


class JsonlStore:
    """Keeps one encounter in one file. Threads may share a handle; processes share the file by `flock`.

    Appends of threads that come while one is being written are written together, with one sync for all of them.
    Before its first append a handle verifies the whole log, unless it has read it. With `trusting` it verifies only the
    last records: an append by itself is then as quick in a long log as in a short one. Keys always need the whole log, and
    so does a log that nobody wrote to since the machine was started, for a power cut may have spoiled it, or one that took
    the place of another.
    `network_drive` lets it write where locks may not hold; the log then says so.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        entropy: Entropy = os.urandom,
        wait: float = WAIT,
        trusting: bool = False,
        network_drive: bool = False,
        disk: Disk = MACHINE,
    ) -> None:
        self.path = Path(path) if isinstance(path, str) else path
        self._entropy, self._wait, self._trusting, self._network_drive = entropy, wait, trusting, network_drive
        self._disk = disk
        self._turns = Turns[_Append | _Closing]()
        self._fd = -1
        self._file: File = (0, 0)
        self._warning = ""
        self._known: _Known | None = None
        self._poison = ""
        _HANDLES.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        self._give_back()

    def close(self) -> None:
        """Give the file back, once what other threads append is done; the next append opens it again."""
        self._turns.take(_Closing(), self._wait, self._write_all_of)

    @property
    def waiting(self) -> int:
        """How many threads wait for another one that appends."""
        return self._turns.waiting

    def _give_back(self) -> None:
        fd, self._fd = getattr(self, "_fd", -1), -1
        if fd >= 0:
            with suppress(OSError):  # it is closed all the same, and what was to be on the disk was synced
                self._disk.close(fd)

    # ------------------------------------------------------------ reading

    def read(self, after: int = 0) -> Iterator[Recorded]:
        """Yield the records after that seq, verified; raise NotALog, NotReadable, CorruptLog or Busy."""
        with self._walking() as walk:
            yield from walk if after < 1 else (record for record in walk if record.seq > after)

    def head(self) -> Anchor:
        """Return seq and hash of the last record; raise as `read` does."""
        with self._walking() as walk:
            for _ in walk:
                pass
            return Anchor(walk.seq, walk.hash)

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere; faults come back as data."""
        from eventstore.verify import verification  # rarely asked for

        with self._walking() as walk:
            return verification(walk, anchor)

    def follow(
        self, after: int | Anchor = 0, *, stop: threading.Event | None = None, watch: "Watch | None" = None
    ) -> Iterator[Recorded]:
        """Yield the records after that one, then those that come; what it raises stands in store.py.

        `watch` makes what waits for changes: inotify where the system has it, else polling.
        """
        from eventstore.following import Follower  # rarely asked for

        return iter(Follower(self._disk, self.path, after, stop or threading.Event(), watch))

    @contextmanager
    def _walking(self) -> Iterator[Walk]:
        """Walk the log from the start; what a whole walk verified, an append need not verify again."""
        with opened(self._disk, self.path) as (fd, file):
            status, rest = unsettled(self._disk, fd, self.path, self._wait)
            walk, same = Walk(self.path, file, status.st_size, rest=rest), _file(status)
            try:
                yield walk
            except OSError as error:
                raise NotReadable(self.path, files.reason(error), files.hint_for(error)) from None
        known = self._known
        if walk.at_end and (known is None or known.file != same or known.place.offset < walk.offset):
            self._known = _Known(same, walk.place, walk.keys, unended=walk.unended, warned=walk.warned)

    # ------------------------------------------------------------ appending

    def append(
        self,
        drafts: Sequence[Draft],
        *,
        by: str,
        at: str,
        after: int | None = None,
        key: str | None = None,
        mode: Mode = "durable",
    ) -> Appended:
        """Append drafts as one batch, durable on return (`flushed`: given to the system); errors stand in store.py."""
        job = _Append(Request(keyed(drafts, key), by, at, after), mode)
        if not self._turns.take(job, self._wait, self._write_all_of):
            raise Busy(self.path, self._wait, ("another thread of this program",))
        return self._result(job)

    def _result(self, job: _Append) -> Appended:
        match job.outcome:
            case Appended() as done:
                return done
            case StoreError() as error:
                raise error
        raise OutcomeUnknown(self.path, "the thread that wrote for this one was interrupted")

    def _write_all_of(self, jobs: Sequence[_Append | _Closing]) -> None:
        """Do the appends of several threads together; every one of them learns what came of his."""
        appends = [job for job in jobs if isinstance(job, _Append)]
        try:
            if appends:
                self._write_together(appends)
            if len(appends) < len(jobs):
                self._give_back()
        except BaseException:  # interrupted: the lock goes with the file
            self._give_back()
            raise

    def _write_together(self, jobs: Sequence[_Append]) -> None:
        try:
            self._lock_and_write(jobs)
        except StoreError as error:
            for job in jobs:
                job.failed(error)
        except BaseException:
            for job in jobs:
                job.outcome = None
            raise

    def _lock_and_write(self, jobs: Sequence[_Append]) -> None:
        """Do what `alone` is for, without the generator that it costs."""
        try:
            self._append(jobs, self._locked())
        except OSError as error:  # of reading; whoever writes says it himself
            raise self._unread(error) from None
        finally:
            self._unlock()

    @contextmanager
    def alone(self) -> Iterator[tuple[int, os.stat_result]]:
        """Hold the log open and locked by a handle that no other thread uses, so that nobody writes; raise as `append` does."""
        try:
            status = self._locked()
            yield self._fd, status
        except OSError as error:
            raise self._unread(error) from None
        finally:
            self._unlock()

    def _unread(self, error: OSError) -> NotReadable:
        return NotReadable(self.path, files.reason(error), files.hint_for(error))

    def note(self, text: str, side: str, *, at: str) -> Recorded:
        """Let the store say, within `alone`, what became of the side file whose name ends so; raise as `append` does."""
        status = self._disk.fstat(self._fd)
        known = self._caught_up(status, with_keys=False)
        tail = self._decided((), known, [*self._prepared(known, status.st_size, side), text], at)
        self._write_tail(tail, known, durable=True)
        return tail.lines[-1].records[-1]

    def _append(self, jobs: Sequence[_Append], status: os.stat_result) -> None:
        known = self._caught_up(status, with_keys=any(job.request.keys for job in jobs))
        # what is malformed is refused here, before a torn tail is touched
        tail = self._decided(jobs, known)
        if not tail.lines:
            if not known.synced and any(_tells(job.outcome) for job in jobs):
                self._sync()  # who wrote this may have died before it was durable
                known.synced = True
            return
        if known.state is None and (notes := self._prepared(known, status.st_size)):
            at = next(job.request.at for job in jobs if isinstance(job.outcome, Appended) and not job.outcome.again)
            tail = self._decided(jobs, known, notes, at)
        self._write_tail(tail, known, durable=_is_awaited(jobs))

    def _write_tail(self, tail: Tail, known: _Known, *, durable: bool) -> None:
        size = known.place.offset - known.unended
        self._write(b"\n" * known.unended + tail.data, size, durable=durable)
        state = self._left(tail.place)
        known.keys.update({key: lines.start for key, lines in tail.keys.items()})
        self._known = _Known(self._file, tail.place, known.keys, state, durable, known.whole, warned=True)

    def _decided(self, jobs: Sequence[_Append], known: _Known, notes: Sequence[str] = (), at: str = "") -> Tail:
        """Decide on the appends in their order, after what the store itself has to say at that moment."""
        tail = Tail(
            Written(known.place, known.keys, self._batch_at, lambda after: self._since(known, after)), self._entropy
        )
        for note in notes:
            tail.note(note, at)
        for job in jobs:
            job.decide(tail)
        return tail

    def after_fork(self) -> None:
        """Begin anew in a child process: lock and descriptor that it inherited are its parent's."""
        self._turns = Turns[_Append | _Closing]()
        self._give_back()

    def _locked(self) -> os.stat_result:
        """Open the log where it is not open, and lock it; open it anew where another file has taken its name."""
        if self._poison:
            raise OutcomeUnknown(self.path, self._poison)
        if not self._disk.can_lock:
            raise NotWritten(
                self.path, "this system has no flock, without which writers would spoil each other's lines"
            )
        while True:
            try:
                if self._fd < 0:
                    self._open()
                files.lock(self._disk, self._fd, self.path, self._wait)
                status = self._disk.stat(self.path)
                files.settle_name(self._disk, self.path, status)
            except FileNotFoundError:
                self._give_back()
                raise NotThere(self.path, "is not there", "encounter new makes a log") from None
            except (OSError, ValueError) as error:
                self._give_back()
                raise NotWritten(self.path, files.reason(error), files.hint_for(error)) from None
            if _file(status) == self._file:
                return status
            self._give_back()

    def _unlock(self) -> None:
        """Give the lock back, and the file with it where the system does not take the lock alone."""
        try:
            if self._fd >= 0:
                self._disk.unlock(self._fd)
        except OSError:
            self._give_back()

    def _open(self) -> None:
        self._warning = network.warning(self._disk, self.path, self.path, allowed=self._network_drive)
        self._fd = self._disk.open(self.path, APPEND)
        self._file = _file(self._disk.fstat(self._fd))

    def _caught_up(self, status: os.stat_result, *, with_keys: bool) -> _Known:
        """Verify what came in since the last look, from the start where it is another file.

        Raises CorruptLog for everything but a torn tail, which then lies between the known place and the size.
        """
        known = self._known
        if known is not None and with_keys and not known.whole:
            known = None
        if known is not None and not (known.file == self._file and self._stands(known.place, status.st_size)):
            known = None
        if known is not None and known.state == _state(status):
            return known
        if known is None:
            trusting = self._trusting and self._known is None and not with_keys
            trusting = trusting and status.st_mtime_ns > self._disk.booted()
            start = near_end(self._disk, self._fd, status.st_size) if trusting else START
            known = _Known(self._file, start, {}, whole=not start.seq)
        walk = self._walk(status.st_size, known.place)
        try:
            for _ in walk:
                pass
        except CorruptLog as error:
            if not error.torn:
                raise
        known.keys.update(walk.keys)
        warned = known.warned or walk.warned
        self._known = _Known(self._file, walk.place, known.keys, None, False, known.whole, walk.unended, warned)
        return self._known

    def _stands(self, place: Place, size: int) -> bool:
        """Whether the record that was last verified still ends where it did."""
        if not place.seq:
            return True
        end = place.hash.encode() + b'"}\n'
        return size >= place.offset and self._disk.pread(self._fd, len(end), place.offset - len(end)) == end

    def _walk(self, size: int, start: Place) -> Walk:
        """Walk from a place on in the file that is locked."""
        return walk_on(self._disk, self._fd, self.path, size, start)

    def _batch_at(self, place: Place) -> tuple[Recorded, ...]:
        """Return the records of the batch after a place."""
        return first_batch(self._walk(self._disk.fstat(self._fd).st_size, place))

    def _since(self, known: _Known, after: int) -> tuple[Recorded, ...]:
        """Return the verified records after that seq."""
        size = known.place.offset - known.unended
        start = near_end(self._disk, self._fd, size, after)
        return tuple(record for record in self._walk(size, start) if record.seq > after)

    # ------------------------------------------------------------ writing

    def _prepared(self, known: _Known, size: int, told: str = "") -> list[str]:
        """Make the end of the log ready for the next line; return what the store has to say about it.

        A torn tail is kept beside the log and cut off. A side file without a record after it was left by a writer, or a
        repair, that died between the two; of `told` somebody else speaks.
        """
        place, notes = known.place, []
        if size > (end := place.offset - known.unended):
            self.put_aside(Place(end, place.seq, place.hash), size, "torn")
        if kept := [each for each in files.kept_aside(self._disk, self.path, place.seq + 1) if each != told]:
            names = ", ".join(f"*{ending}" for ending in kept[:9])
            notes.append(f"What stood here, unfinished or damaged, was cut off; it is kept beside the log: {names}")
        if self._warning and not known.warned:
            notes.append(self._warning)
        return notes

    def put_aside(self, place: Place, size: int, why: str) -> None:
        """Keep beside the log, within `alone`, what stands behind a place, `torn` or `damaged`, and cut it off."""
        try:
            files.keep_aside(self._disk, self._fd, place.offset, size, self.path, place.seq + 1, why)
            files.cut(self._disk, self._fd, place.offset)
        except OSError as error:
            says = f"the {why} end could not be put aside: {files.reason(error)}"
            raise NotWritten(self.path, says, files.hint_for(error)) from None

    def _write(self, data: bytes, size: int, *, durable: bool) -> None:
        """Write all lines in one call and bring them to the disk, or take them back."""
        try:
            files.write_all(self._disk, self._fd, data)
            if durable:
                self._sync(size)
        except OSError as error:
            self._take_back(size, error)
        except KeyboardInterrupt:
            self._poison = "it was interrupted"
            raise

    def _sync(self, size: int | None = None) -> None:
        """Bring the log to the disk; where that fails, take back what stands beyond `size`, so that nobody trusts it."""
        try:
            self._disk.sync(self._fd)
        except OSError as error:
            why = f"the disk did not confirm the append: {files.reason(error)}"
            with suppress(OSError):
                if size is not None:
                    self._disk.truncate(self._fd, size)
            self._poisoned(why)

    def _left(self, place: Place) -> State | None:
        """Return how the log is left after a write, None where somebody without the lock has added to it since.

        Raises OutcomeUnknown where the log does not end, or go on, after what was written: it is not to be found there.
        """
        try:
            status = self._disk.stat(self.path)
        except OSError as error:
            raise OutcomeUnknown(self.path, f"the log was taken away meanwhile: {files.reason(error)}") from None
        if _file(status) != self._file:
            raise OutcomeUnknown(self.path, "another file took the place of the log meanwhile")
        if status.st_size == place.offset:
            return _state(status)
        if self._stands(place, status.st_size):
            return None
        raise OutcomeUnknown(self.path, "somebody without the lock changed the log meanwhile")

    def _take_back(self, size: int, error: OSError) -> NoReturn:
        why = files.reason(error)
        try:
            files.cut(self._disk, self._fd, size)
        except OSError as second:
            self._poisoned(f"{why}; and what was written could not be taken back: {files.reason(second)}")
        raise NotWritten(self.path, why, files.hint_for(error)) from None

    def _poisoned(self, why: str) -> NoReturn:
        self._poison = why
        raise OutcomeUnknown(self.path, why) from None


_HANDLES: WeakSet[JsonlStore] = WeakSet()


def _in_a_child() -> None:
    """Let go of what a child process inherited at once: it would hold its parent's lock even after the parent's death."""
    for store in tuple(_HANDLES):
        store.after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_in_a_child)


def _is_awaited(jobs: Sequence[_Append]) -> bool:
    """Whether anybody waits for the disk: one is enough, for all share the sync."""
    return "durable" in [job.mode for job in jobs] or any(_tells(job.outcome) for job in jobs)


def _tells(outcome: Appended | StoreError | None) -> bool:
    """Whether an outcome tells of what others wrote: a former append, or where the log ends."""
    match outcome:
        case Appended(again=again):
            return again
    return isinstance(outcome, WrongVersion | KeyReused)


def _file(status: os.stat_result) -> File:
    return status.st_dev, status.st_ino


def _state(status: os.stat_result) -> State:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
