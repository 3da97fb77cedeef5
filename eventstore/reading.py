"""Reading a log: line by line, each verified against the one before, whole batches only."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from eventstore import diagnosis, files, form, network
from eventstore.chain import GENESIS, fits
from eventstore.disk import BUFFER, READ, SPURIOUS, Disk
from eventstore.errors import CorruptLog, Malformed, NotALog, NotReadable, NotThere
from eventstore.events import Amended, CombatantJoined, EncounterOpened, Inserted, Noted, SheetChanged
from eventstore.form import LONGEST_LINE
from eventstore.record import Recorded, RecordedUnknown, decode, encode, ends_batch, event_text, written
from eventstore.shapes import LARGEST
from eventstore.store import LARGEST_APPEND, MOST_EVENTS, STORE

_WINDOW = 1 << 10
_BLOCK = 512
FORMAT = 1
"""The format of log that is read and written here."""

_WITH_SHEETS = frozenset({CombatantJoined, SheetChanged, Amended, Inserted})
"""The events in which a sheet may stand, whose values have no types."""

_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL})
_FARTHEST = LARGEST_APPEND + LONGEST_LINE

_RECORD_END = re.compile(rb'"(?:salt":"[0-9a-f]{32}|digest":"[0-9a-f]{64})","hash":"[0-9a-f]{64}"\}')
_BEGINS = b'{"seq":'
_ZEROS = re.compile(rb"\0+")
_TORN = "the last append was cut short"
_NO_LINE_FEED = "ends with something else where its line feed was"
_CHANGED_HINT = "the record itself is whole; encounter repair FILE --dry-run shows what can be kept"
_TORN_HINT = "the next append cuts it off and keeps it beside the log"


class Place(Struct, frozen=True, gc=False):
    """Is where a log stands after a record: byte offset, seq, hash."""

    offset: int
    seq: int
    hash: str


START = Place(0, 0, GENESIS)


@contextmanager
def opened(disk: Disk, path: Path) -> Iterator[tuple[int, BinaryIO]]:
    """Open a log for reading; raise NotThere, NotReadable where the system does not let us, NotALog for a folder."""
    try:
        kind = disk.stat(path).st_mode
        if stat.S_ISDIR(kind):
            raise NotALog(path, "is a folder", "name a log in it")
        if not stat.S_ISREG(kind):  # to open a pipe could wait for ever
            raise NotALog(path, "is no ordinary file", "put it into one first")
        fd = disk.open(path, READ)
    except FileNotFoundError:
        raise NotThere(path, "is not there", "encounter new makes a log") from None
    except (OSError, ValueError) as error:
        hint = "" if isinstance(error, NotADirectoryError) else files.hint_for(error)
        raise NotReadable(path, files.reason(error), hint) from None
    try:
        with _reader(disk, fd, path) as file:
            yield fd, file
    finally:
        with suppress(OSError):  # nothing was written
            disk.close(fd)


def _reader(disk: Disk, fd: int, path: Path) -> BinaryIO:
    try:
        return disk.reader(fd)
    except OSError as error:
        raise NotReadable(path, files.reason(error), files.hint_for(error)) from None


def unsettled(disk: Disk, fd: int, path: Path, wait: float) -> tuple[os.stat_result, bytes]:
    """Return the state of a log while nobody writes, and the bytes at its end which a writer might still cut off.

    Up to its size the log is on the disk then, even where its writer died before he had seen to that: what is shown
    now, no power cut takes back. Raises Busy and NotReadable.
    """
    try:
        files.lock(disk, fd, path, wait, shared=True)
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise NotReadable(path, files.reason(error), files.hint_for(error)) from None
        # where there are no locks, there are no writers of ours either
    try:
        status = disk.fstat(fd)
        rest = _end(disk, fd, status.st_size)
    except OSError as error:
        raise NotReadable(path, files.reason(error), files.hint_for(error)) from None
    finally:
        with suppress(OSError):
            disk.unlock(fd)
    try:  # no longer under the lock: many readers would keep writers out
        _sync(disk, fd)
        files.settle_name(disk, path, status)
    except OSError as error:
        hint = "the disk does not confirm what it shows; copy the log elsewhere and read the copy"
        raise NotReadable(path, files.reason(error), hint) from None
    return status, rest


def _sync(disk: Disk, fd: int) -> None:
    try:
        disk.sync(fd)
    except OSError as error:
        if error.errno not in SPURIOUS:
            raise


def _end(disk: Disk, fd: int, size: int) -> bytes:
    """Return what stands after the last whole batch, nothing where that is more than an append cut short."""
    window = _WINDOW
    while True:
        tail = disk.pread(fd, window, max(size - window, 0))
        end, misses = len(tail), 0
        for _ in range(MOST_EVENTS + 2):
            if not end:
                break
            start = tail.rfind(b"\n", 0, end - 1) + 1
            if not start and window < size:
                break
            ends = _ends_batch(tail[start:end])
            whole = _is_whole(tail, start, end) if ends else False
            if whole:
                return tail[end:]
            if whole is None and window < size:
                break
            misses += ends is None and b"\0" not in tail[start:end]
            if misses > 2:
                return b""
            end = start
        else:
            return b""
        if window >= size or window > _FARTHEST:
            return tail
        window *= 8


def _is_whole(tail: bytes, start: int, end: int) -> bool | None:
    """Whether there is no hole in the batch whose last record stands between these places; None if it begins before."""
    size, first = _size(decode(tail[start : end - 1])), start
    for _ in range(size - 1):
        if not first:
            return None
        first = tail.rfind(b"\n", 0, first - 1) + 1
    try:
        record = decode(tail[first : tail.index(b"\n", first)])
    except ValueError:
        return False if first else None
    return size == 1 or (record.batch == (1, size) and tail.find(b"\0", first, end) < 0)


def _ends_batch(line: bytes) -> bool | None:
    """Whether a record is the last one of its batch; None where a line is no whole record."""
    if not line.startswith(_BEGINS):
        return None
    try:
        record = decode(line[:-1])
    except ValueError:
        return None
    return None if line[-1:] != b"\n" else ends_batch(record)


def near_end(disk: Disk, fd: int, size: int, latest: int = LARGEST) -> Place:
    """Return the place after a whole batch a few records before the end, and not behind the record `latest`.

    What stands before it is taken on trust.
    """
    window = _WINDOW
    while window < size:
        offset = size - window
        piece, *lines = disk.pread(fd, window, offset).split(b"\n")[:-1] or [b""]
        offset += len(piece) + 1
        for line in lines[:-1]:
            offset += len(line) + 1
            with suppress(ValueError):
                record = decode(line)
                if ends_batch(record):
                    if record.seq > latest:
                        break
                    return Place(offset, record.seq, record.hash)
        window *= 8
    return START


class Walk:
    """Goes through a log up to a size that was durable, from the start or from a place that was verified before.

    `file` stands at that place.
    `offset`, `seq` and `hash` say where the last whole batch ended; `keys` leads from an idempotency key to the place
    before its batch. `unended` says that the last line lacks its line feed: then `offset` is where it will end once it has
    one. `warned` says that the log is told to be on a network drive. `rest` is the end of the log as it was found, which
    somebody may cut off meanwhile.
    """

    def __init__(self, path: Path, file: BinaryIO, size: int, start: Place = START, rest: bytes = b"") -> None:
        self.path, self.size = path, size
        self.offset, self.seq, self.hash = start.offset, start.seq, start.hash
        self.keys: dict[str, Place] = {}
        self.unended = self.warned = False
        self._spoiled: CorruptLog | None = None
        """What is wrong behind a last record that is whole but for its line feed."""
        self._file = file
        self._rest, self._rest_at = rest, size - len(rest)
        self._batch: list[Recorded] = []
        self._next = start.offset
        """Where the next line begins; beyond `offset` while a batch is not whole."""

    @property
    def place(self) -> Place:
        """Where the last whole batch ended."""
        return Place(self.offset, self.seq, self.hash)

    @property
    def at_end(self) -> bool:
        """Whether all of the log was gone through, and all of it was whole."""
        return self.offset >= self.size

    def __iter__(self) -> Iterator[Recorded]:
        """Yield verified records, a batch once it is whole; raise CorruptLog, NotALog or NotReadable."""
        if not self.size:
            raise NotALog(self.path, "is empty", "encounter new makes a log, under a name that is free")
        while self._next < self.size and self._spoiled is None:
            line = self._line()
            try:
                record = self._record(line)
            except CorruptLog as error:
                record = self._record(line := self._spared(line, error))
            if record.batch is None and not self._batch:
                if record.key is not None:
                    self.keys[record.key] = self.place
                self.offset = self._next = self._next + len(line)
                self.seq, self.hash = record.seq, record.hash
                yield record
            elif self._whole(record):
                self._next += len(line)
                yield from self._take()
            else:
                self._next += len(line)
        if self._spoiled is not None:
            raise self._spoiled
        if self._batch:
            raise self._torn(f"{_TORN}: {len(self._batch)} of {_size(self._batch[0])} facts are there")

    def _line(self) -> bytes:
        if self._rest and self._next >= self._rest_at:
            self._file, self._rest = BytesIO(self._rest), b""
        try:
            line = self._file.readline(LONGEST_LINE)
        except OSError as error:
            why = f"{files.reason(error)} after byte {self._next}"
            raise NotReadable(self.path, why, files.hint_for(error)) from None
        if self._next + len(line) > self.size:
            line = line[: self.size - self._next]
        return line if line[-1:] == b"\n" else self._endless(line)

    def _endless(self, line: bytes) -> bytes:
        """Return the last line with the line feed that alone it lacks; say what else a line without an end is."""
        if not line:
            raise self._corrupt("the file became shorter while it was read", "read it again")
        at_end = len(line) < LONGEST_LINE and self._next + len(line) >= self.size
        if at_end and self._is_record(line + b"\n"):
            self.unended = True
            return line + b"\n"
        if self._at_start and (kind := diagnosis.kind(line, more=self._next + len(line) < self.size)):
            raise NotALog(self.path, *kind)
        if at_end and self._is_record(line[:-1] + b"\n"):
            return self._spared(line, self._corrupt(_NO_LINE_FEED, _CHANGED_HINT))
        if at_end or (not line.strip(b"\0") and self._only_zeros()):
            return self._spared(line, self._torn(_TORN))
        raise self._corrupt(f"is longer than {LONGEST_LINE:,} bytes")

    def _spared(self, line: bytes, error: CorruptLog) -> bytes:
        """Return the record that a line begins with where something else than its line feed follows; raise what is wrong.

        So looks the last record of a log, shown without its line feed, once the power went while the next was written.
        """
        end = found.end() if (found := _RECORD_END.search(line)) else 0
        whole = line[:end] + b"\n"
        if not line[end:].strip() or not _ends_batch(whole) or not self._is_record(whole):
            raise error
        self.unended = True
        why, hint = (error.why, _TORN_HINT) if error.torn else (_NO_LINE_FEED, _CHANGED_HINT)
        number, offset = self.seq + len(self._batch) + 1, self._next + end
        self._spoiled = CorruptLog(self.path, number, offset, why, hint, error.torn)
        return whole

    def _is_record(self, line: bytes) -> bool:
        """Whether a line would be the record that comes next."""
        try:
            self._record(line)
        except (CorruptLog, NotALog):
            return False
        return True

    def _record(self, line: bytes) -> Recorded:
        """Turn a line into the record that must come next."""
        last = self._batch[-1] if self._batch else self
        seq, previous = last.seq, last.hash
        bare = line[:-1]
        try:
            record = decode(bare)
            event = record.event
            kind = type(event)
            if type(record) is Recorded:
                again = encode(record)
            else:
                again = written(record)
                if isinstance(record, RecordedUnknown):
                    form.check_unknown(record.text)
            if kind in _WITH_SHEETS:
                form.check(event_text(bare), event if type(record) is Recorded else None)
        except (ValueError, Malformed):
            if self._is_unwritten(line):
                raise self._torn(f"{_TORN}: a block of it never reached the disk") from None
            raise self._diagnosed(line, seq + 1, previous) from None
        if again != bare or record.seq != seq + 1 or not fits(bare, record, previous):
            raise self._diagnosed(line, seq + 1, previous)
        if seq == 0:
            self._check_opening(record)
        elif kind is EncounterOpened:
            raise self._corrupt("an encounter is opened here a second time")
        elif isinstance(event, Noted) and record.by == STORE and event.text.startswith(network.NOTED):
            self.warned = True
        return record

    def _is_unwritten(self, line: bytes) -> bool:
        """Whether zeros stand in the place of blocks, and from there on nothing but the rest of one append.

        So looks an append of which a block was lost while a later one was kept. Zeros elsewhere tell of other damage.
        """
        at, rest = self._next, iter(lambda: self._file.readline(LONGEST_LINE), b"")
        if not self._has_hole(line, at):
            return False
        for each in rest:
            at += len(line)
            line = each
            if each[-1:] == b"\n" and not self._continues(each) and not self._has_hole(each, at):
                return False
        return True

    def _continues(self, line: bytes) -> bool:
        """Whether a line may be part of the append that begins after the last whole one."""
        try:
            record = decode(line[:-1])
        except ValueError:
            return False
        return record.batch is not None and record.batch[0] > 1 and record.seq - record.batch[0] == self.seq

    def _has_hole(self, line: bytes, at: int) -> bool:
        """Whether zeros stand in a line, which begins at that byte, all of them instead of blocks that were to be written."""
        holes = [(at + zeros.start(), at + zeros.end()) for zeros in _ZEROS.finditer(line)]
        borders = {self.offset, self.size}
        return bool(holes) and all(not each % _BLOCK or each in borders for hole in holes for each in hole)

    def _check_opening(self, record: Recorded) -> None:
        event = record.event
        if not isinstance(event, EncounterOpened):
            raise self._corrupt("the first record does not open an encounter, or its event is withheld")
        if record.secret:
            raise self._corrupt("the opening of an encounter cannot be secret")
        if event.format != FORMAT:
            hint = "a later version of encounterlog reads it" if event.format > FORMAT else ""
            raise NotALog(self.path, f"is a log of format {event.format}; this version reads format {FORMAT}", hint)

    def _whole(self, record: Recorded) -> bool:
        """Add a record to the batch that is being gathered; say whether that makes it whole."""
        place, size = record.batch or (1, 1)
        expected = len(self._batch) + 1
        if place != expected or not 2 <= size <= MOST_EVENTS or (self._batch and size != _size(self._batch[0])):
            raise self._corrupt(diagnosis.batch(record.batch, expected, _size((self._batch or [record])[0])))
        self._batch.append(record)
        return place == size

    def _take(self) -> list[Recorded]:
        whole, self._batch = self._batch, []
        self.keys.update((record.key, self.place) for record in whole if record.key is not None)
        self.offset, self.seq, self.hash = self._next, whole[-1].seq, whole[-1].hash
        return whole

    @property
    def _at_start(self) -> bool:
        return not self.seq and not self._batch

    def _only_zeros(self) -> bool:
        """Whether the rest of the file is zeros: the length reached the disk, the data did not."""
        if self.size - self._next > _FARTHEST:
            return False  # no append is so long
        return all(not block.strip(b"\0") for block in iter(lambda: self._file.read(BUFFER), b""))

    def _torn(self, why: str) -> CorruptLog:
        if not self.seq:
            hint = "there is nothing in it to keep; make the log anew, or bring back a copy"
            return CorruptLog(self.path, 1, 0, "the first append was cut short", hint)
        self.unended = False  # of the record that lacks its line feed the batch is not whole
        return CorruptLog(self.path, self.seq + 1, self.offset, why, _TORN_HINT, torn=True)

    def _corrupt(self, why: str, hint: str = diagnosis.REPAIR) -> CorruptLog:
        return CorruptLog(self.path, self.seq + len(self._batch) + 1, self._next, why, hint)

    def _diagnosed(self, line: bytes, seq: int, previous: str) -> CorruptLog | NotALog:
        if self._at_start and (kind := diagnosis.kind(line, more=self._next + len(line) < self.size)):
            return NotALog(self.path, *kind)
        return self._corrupt(*diagnosis.line(line, seq, previous))


def walk_on(disk: Disk, fd: int, path: Path, size: int, start: Place, rest: bytes = b"") -> Walk:
    """Walk from a place on in an open file; what is short is read at once."""
    more = max(size - start.offset, 0)
    if more <= BUFFER:
        return Walk(path, BytesIO(disk.pread(fd, more, start.offset)), size, start, rest)
    file = disk.reader(fd)
    file.seek(start.offset)
    return Walk(path, file, size, start, rest)


def first_batch(walk: Walk) -> tuple[Recorded, ...]:
    """Return the records of the batch that a walk comes to first."""
    records = iter(walk)
    first = next(records)
    return (first, *islice(records, first.batch[1] - 1 if first.batch else 0))


def _size(record: Recorded) -> int:
    return record.batch[1] if record.batch else 1
