"""The embedded store: one file, one JSON line a record. FORMAT.md specifies the file, store.py the promises."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self

from msgspec import Struct

from eventstore import files, keys
from eventstore.chain import Anchor
from eventstore.errors import Busy, CorruptLog, NotReadable, NotWritten, OutcomeUnknown, WrongVersion
from eventstore.reading import BUFFER, START, Place, Walk, near_end, opened
from eventstore.record import Draft, Recorded
from eventstore.store import Appended, Verified
from eventstore.writing import Entropy, Lines, keyed, lines_of, noting

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
) -> "JsonlStore":
    """Make a log whose first draft opens the encounter, over no other file; raise Malformed, TooLarge, NotWritten."""
    path = Path(path)
    files.create(path, lines_of(keyed(drafts, key), START, by=by, at=at, entropy=entropy).data)
    return JsonlStore(path, entropy=entropy, wait=wait)


class _Known(Struct):
    """Is what a handle has verified: of which file, up to which place, with which keys.

    `state` is how this handle left the file, None where it only read; `whole` is false where it trusted the beginning.
    """

    file: File
    place: Place
    keys: dict[str, Place]
    state: State | None = None
    whole: bool = True


class JsonlStore:
    """Keeps one encounter in one file. Threads may share a handle; processes share the file by `flock`.

    Before its first append a handle verifies the whole log, unless it has read it. With `trusting` it verifies only the
    last records: an append by itself is then as quick in a long log as in a short one. Keys always need the whole log.
    """

    def __init__(
        self, path: Path | str, *, entropy: Entropy = os.urandom, wait: float = WAIT, trusting: bool = False
    ) -> None:
        self.path = Path(path) if isinstance(path, str) else path
        self._entropy, self._wait, self._trusting = entropy, wait, trusting
        self._mutex = threading.Lock()
        self._fd, self._pid = -1, os.getpid()
        self._file: File = (0, 0)
        self._known: _Known | None = None
        self._poison = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back; the next append opens it again."""
        fd, self._fd = getattr(self, "_fd", -1), -1
        if fd >= 0:
            os.close(fd)

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

    @contextmanager
    def _walking(self) -> Iterator[Walk]:
        """Walk the log from the start; what a whole walk verified, an append need not verify again."""
        with opened(self.path) as file:
            status = files.durable(file.fileno(), self.path, self._wait)
            walk, same = Walk(self.path, file, status.st_size), _file(status)
            yield walk
        known = self._known
        if walk.offset == walk.size and (known is None or known.file != same or known.place.offset < walk.offset):
            self._known = _Known(same, walk.place, walk.keys)

    # ------------------------------------------------------------ appending

    def append(
        self, drafts: Sequence[Draft], *, by: str, at: str, after: int | None = None, key: str | None = None
    ) -> Appended:
        """Append drafts as one batch, durable on return; what it raises stands in store.py."""
        drafts = keyed(drafts, key)
        self._after_fork()
        if not self._mutex.acquire(timeout=self._wait):
            raise Busy(self.path, self._wait)
        try:
            if self._poison:
                raise OutcomeUnknown(self.path, self._poison)
            status = self._locked()
            try:
                return self._append(drafts, by, at, after, status)
            except OSError as error:  # of reading; whoever writes says it himself
                raise NotReadable(self.path, files.reason(error)) from None
            finally:
                files.unlock(self._fd)
        finally:
            self._mutex.release()

    def _append(self, drafts: Sequence[Draft], by: str, at: str, after: int | None, status: os.stat_result) -> Appended:
        used = [draft.key for draft in drafts if draft.key is not None]
        known = self._caught_up(status, with_keys=bool(used))
        if used and (again := keys.found(drafts, known.keys, self._batch_at)):
            return again
        place = known.place
        if after is not None and after != place.seq:
            raise WrongVersion(after, place.seq, self._between(after, place.offset))
        # what is malformed is refused here, before a torn tail is touched
        lines = lines_of(drafts, place, by=by, at=at, entropy=self._entropy)
        if known.state is None and (text := self._recovered(place, status.st_size)):
            lines = noting(text, drafts, place, by=by, at=at, entropy=self._entropy)
        self._write(lines, place.offset)
        known.keys.update(dict.fromkeys(used, lines.start))
        self._known = _Known(self._file, lines.end, known.keys, _state(os.fstat(self._fd)), known.whole)
        return Appended(lines.records[0].seq, lines.records[-1].seq, lines.records)

    def _after_fork(self) -> None:
        """Begin anew in a child process: lock and descriptor that it inherited are its parent's."""
        if self._pid != os.getpid():
            self._pid, self._mutex = os.getpid(), threading.Lock()
            self.close()

    def _locked(self) -> os.stat_result:
        """Open the log where it is not open, and lock it; open it anew where another file has taken its name."""
        if not files.can_lock():
            raise NotWritten(
                self.path, "this system has no flock, without which writers would spoil each other's lines"
            )
        while True:
            try:
                if self._fd < 0:
                    self._fd = files.open_for_append(self.path)
                    self._file = _file(os.fstat(self._fd))
                files.lock(self._fd, self.path, self._wait)
                status = self.path.stat()
            except FileNotFoundError:
                self.close()
                raise NotReadable(self.path, "is not there", "encounter new makes a log") from None
            except (OSError, ValueError) as error:
                raise NotWritten(self.path, files.reason(error), files.hint_for(error)) from None
            if _file(status) == self._file:
                return status
            self.close()

    def _caught_up(self, status: os.stat_result, *, with_keys: bool) -> _Known:
        """Verify what came in since the last look, from the start where it is another file.

        Raises CorruptLog for everything but a torn tail, which then lies between the known place and the size.
        """
        known = self._known
        if known is not None and with_keys and not known.whole:
            known = None
        if known is not None and known.state == _state(status):
            return known
        if known is None or known.file != self._file or not _stands(self._fd, known.place, status.st_size):
            trusting = self._trusting and not with_keys
            start = near_end(self._fd, status.st_size) if trusting else START
            known = _Known(self._file, start, {}, whole=not start.seq)
        walk = self._walk(status.st_size, known.place)
        try:
            for _ in walk:
                pass
        except CorruptLog as error:
            if not error.torn:
                raise
        known.keys.update(walk.keys)
        self._known = _Known(self._file, walk.place, known.keys, whole=known.whole)
        return self._known

    def _walk(self, size: int, start: Place) -> Walk:
        """Walk from a place on in the file that is locked; what is short is read at once."""
        if size - start.offset <= BUFFER:
            return Walk(self.path, BytesIO(os.pread(self._fd, size - start.offset, start.offset)), size, start)
        os.lseek(self._fd, start.offset, os.SEEK_SET)
        return Walk(self.path, open(self._fd, "rb", buffering=BUFFER, closefd=False), size, start)

    def _batch_at(self, place: Place) -> tuple[Recorded, ...]:
        """Return the records of the batch after a place."""
        walk = iter(self._walk(os.fstat(self._fd).st_size, place))
        first = next(walk)
        return (first, *islice(walk, first.batch[1] - 1 if first.batch else 0))

    def _between(self, after: int, size: int) -> tuple[Recorded, ...]:
        return tuple(record for record in self._walk(size, START) if record.seq > after)

    def _recovered(self, place: Place, size: int) -> str:
        """Keep a torn tail beside the log and cut it off; return what the next record shall say of it, if anything.

        A side file without a record after it was left by a writer that died between the two.
        """
        if size > place.offset:
            try:
                files.keep_aside(self._fd, place.offset, size, self.path, place.seq + 1)
                files.cut(self._fd, place.offset)
            except OSError as error:
                why = f"the torn tail could not be put aside: {files.reason(error)}"
                raise NotWritten(self.path, why, files.hint_for(error)) from None
        kept = files.kept_aside(self.path, place.seq + 1)
        names = ", ".join(f"*{ending}" for ending in kept[:9])
        return f"An unfinished append was cut off here; it is kept beside the log: {names}" if kept else ""

    def _write(self, lines: Lines, size: int) -> None:
        """Write all lines in one call and bring them to the disk, or take them back."""
        try:
            files.write_all(self._fd, lines.data)
        except OSError as error:
            self._take_back(size, error)
        try:
            files.sync(self._fd)
        except OSError as error:
            self._poisoned(f"the disk did not confirm the append: {files.reason(error)}")

    def _take_back(self, size: int, error: OSError) -> NoReturn:
        why = files.reason(error)
        try:
            files.cut(self._fd, size)
        except OSError as second:
            self._poisoned(f"{why}; and what was written could not be taken back: {files.reason(second)}")
        raise NotWritten(self.path, why, files.hint_for(error)) from None

    def _poisoned(self, why: str) -> NoReturn:
        self._poison = why
        raise OutcomeUnknown(self.path, why) from None


def _file(status: os.stat_result) -> File:
    return status.st_dev, status.st_ino


def _state(status: os.stat_result) -> State:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _stands(fd: int, place: Place, size: int) -> bool:
    """Whether the record that was last verified still ends where it did."""
    end = place.hash.encode() + b'"}\n'
    return not place.seq or (size >= place.offset and os.pread(fd, len(end), place.offset - len(end)) == end)
