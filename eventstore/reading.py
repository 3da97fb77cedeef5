"""Reading a log: line by line, each verified against the one before, whole batches only."""

import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import islice
from typing import BinaryIO

from eventstore import damage, files, form
from eventstore.address import LogAddress
from eventstore.chain import START, LogPosition, follows_hash
from eventstore.disk import BUFFER, READ, Disk
from eventstore.errors import CorruptLog, Malformed, NotALog, NotReadable, NotThere
from eventstore.events import EncounterOpened, Noted
from eventstore.form import LONGEST_LINE, are_proper
from eventstore.record import (
    Recorded,
    RecordedUnknown,
    decode,
    encode_into,
    encode_record,
    event_text,
    newest,
    size_of_batch,
)
from eventstore.store import MOST_EVENTS, STORE

FORMAT = 1
"""The log format that is read and written here."""
_ABOUT_THE_LOG = frozenset({EncounterOpened, Noted})
"""The types of events that may be about the log itself."""


@contextmanager
def open_for_reading(disk: Disk, path: str) -> Iterator[tuple[int, BinaryIO]]:
    """Open a log for reading; raise NotThere, NotReadable if the system refuses, NotALog for a folder."""
    try:
        kind = disk.stat(path).st_mode
        if stat.S_ISDIR(kind):
            raise NotALog(path, "is a folder", "name a log in it")
        if not stat.S_ISREG(kind):  # opening a pipe could wait for ever
            raise NotALog(path, "is not an ordinary file", "put it into one first")
        fd = disk.open(path, READ)
    except FileNotFoundError:
        raise NotThere(path, "is not there", files.hint_for_absent(path)) from None
    except (OSError, ValueError) as error:
        hint = "" if isinstance(error, NotADirectoryError) else files.write_hint(error)
        raise NotReadable(path, files.system_message(error), hint) from None
    try:
        try:
            file = disk.reader(fd)
        except OSError as error:
            raise NotReadable(path, files.system_message(error), files.write_hint(error)) from None
        with file:
            yield fd, file
    finally:
        with suppress(OSError):  # nothing was written
            disk.close(fd)


class Walk:
    """A walk through a log up to a size that was durable, from the start or from a place that was verified before.

    `file` is positioned at that place. `offset`, `seq` and `hash` are the end of the last whole batch; `keys` maps an
    idempotency key to the place before its batch. `unended` says that the last line lacks its line feed; then `offset` is
    its end with one. `warned` says that the log has a note about a network drive. `rest` is the end of the log as it was
    found, since a writer may cut it off meanwhile.
    """

    def __init__(
        self, path: LogAddress, file: damage.Stream, size: int, start: LogPosition = START, rest: bytes = b""
    ) -> None:
        self.path, self.size = path, size
        self.offset, self.seq, self.hash = start.offset, start.seq, start.hash
        self.keys: dict[str, LogPosition] = {}
        self.unended = self.warned = False
        self._spoiled: CorruptLog | None = None
        """The fault after a last record that is whole except for its line feed."""
        self._file, self._rest = file, rest
        self._until = size - len(rest)
        """The place up to which lines are read from the file itself."""
        self._batch: list[Recorded] = []
        self._next = start.offset
        """The beginning of the next line; beyond `offset` while a batch is not whole."""

    @property
    def place(self) -> LogPosition:
        """The end of the last whole batch."""
        return LogPosition(self.offset, self.seq, self.hash)

    def __iter__(self) -> Iterator[Recorded]:
        """Yield verified records, a batch once it is whole; raise CorruptLog, NotALog or NotReadable."""
        if not self.size:
            raise NotALog(self.path, "is empty", "encounter new makes a log, under a name that is free")
        seq, previous, again = self.seq, self.hash, bytearray()
        while self._next < self.size and self._spoiled is None:
            try:
                line = self._file.readline(LONGEST_LINE)
            except OSError as error:
                why = f"{files.system_message(error)} after byte {self._next}"
                raise NotReadable(self.path, why, files.write_hint(error)) from None
            if self._next + len(line) > self._until or line[-1:] != b"\n":
                line = self._read_last_line(line)
            record = _decode_usual(line, seq + 1, previous, again)
            if record is None:
                line, record = self._read_unusual(line)
            if type(record.event) in _ABOUT_THE_LOG or record.seq == 1:
                self._check_note(record)
            self._next += len(line)
            seq, previous = record.seq, record.hash
            if record.batch is not None or self._batch:
                if self._add_to_batch(record, len(line)):
                    yield from self._take_batch()
                continue
            if record.key is not None:
                self.keys[record.key] = self.place
            self.offset, self.seq, self.hash = self._next, seq, previous
            yield record
        self._raise_at_end()

    def _raise_at_end(self) -> None:
        if self._spoiled is not None:
            raise self._spoiled
        if self._batch:
            raise self._torn_error(f"{len(self._batch)} of {size_of_batch(self._batch[0])} facts are there")

    def _read_last_line(self, line: bytes) -> bytes:
        """Return a line from the end of the log, with its line feed; empty if there is none."""
        if self._next >= self._until:
            self._file, self._rest, self._until = BytesIO(self._rest), b"", self.size
            line = self._file.readline(LONGEST_LINE)
        line = line[: self.size - self._next]
        return line if line[-1:] == b"\n" else self._unended_line(line)

    def _unended_line(self, line: bytes) -> bytes:
        """Return the last line with its line feed, if it lacks only that; raise the fault of any other such line."""
        at_end = len(line) < LONGEST_LINE
        if at_end and self._next + len(line) < self.size:
            raise self._corrupt_error("the file became shorter while it was read", "read it again")
        if at_end and self._is_record(line + b"\n"):
            self.unended = True
            return line + b"\n"
        if other := self._not_a_log(line, more=not at_end):
            raise other
        if self._is_record(line[:-1] + b"\n"):
            return self._record_in_line(line, self._corrupt_error(damage.NO_LINE_FEED, damage.CHANGED_HINT))
        if at_end or (not line.strip(b"\0") and damage.only_zeros(self._file, self.size - self._next)):
            return self._record_in_line(line, self._torn_error())
        raise self._corrupt_error(f"is longer than {LONGEST_LINE:,} bytes")

    def _read_unusual(self, line: bytes) -> tuple[bytes, Recorded]:
        """Return a line, or the part of it that is a record, and that record; raise the fault if it is none."""
        try:
            return line, self._check_record(line)
        except CorruptLog as error:
            whole = self._record_in_line(line, error)
            return whole, self._check_record(whole)

    def _record_in_line(self, line: bytes, error: CorruptLog) -> bytes:
        """Return the record that a line begins with, if something else follows instead of a line feed; else raise."""
        if not self._is_record(whole := damage.whole_part(line)):
            raise error
        self.unended = True
        why, hint = (error.why, error.hint) if error.torn else (damage.NO_LINE_FEED, damage.CHANGED_HINT)
        number, offset = self.seq + len(self._batch) + 1, self._next + len(whole) - 1
        self._spoiled = CorruptLog(self.path, number, offset, why, hint, error.torn)
        return whole

    def _is_record(self, line: bytes) -> bool:
        try:
            self._check_record(line)
        except (CorruptLog, NotALog):
            return False
        return True

    def _check_record(self, line: bytes) -> Recorded:
        """Return a line as the record that must come next, whatever its event; raise the fault if it is not."""
        last = self._batch[-1] if self._batch else self
        try:
            record = _decode_unusual(line[:-1])
        except (ValueError, Malformed):
            rest = iter(lambda: self._file.readline(LONGEST_LINE), b"")
            if damage.is_unwritten(line, self._next, rest, self.seq, frozenset({self.offset, self.size})):
                raise self._torn_error("a block of it never reached the disk") from None
            raise self._diagnose_line(line, last.seq + 1, last.hash) from None
        if record.seq != last.seq + 1 or not follows_hash(line[:-1], record, last.hash):
            raise self._diagnose_line(line, last.seq + 1, last.hash)
        return record

    def _check_note(self, record: Recorded) -> None:
        """Check a record about the log itself: its opening, which comes only once, and its note on the file system."""
        if record.seq == 1:
            self._check_opening(record)
            return
        match record.event:
            case EncounterOpened():
                raise self._corrupt_error("an encounter is opened here a second time")
            case Noted(text=text) if record.by == STORE and text.startswith(files.NOTED):
                self.warned = True

    def _check_opening(self, record: Recorded) -> None:
        event = record.event
        if not isinstance(event, EncounterOpened):
            raise self._corrupt_error("the first record does not open an encounter, or its event is withheld")
        if record.secret:
            raise self._corrupt_error("the opening of an encounter cannot be secret")
        if event.format != FORMAT:
            why = f"is a log of format {event.format}; this version reads format {FORMAT}"
            raise NotALog(self.path, why, "a later version of encounterlog reads it" if event.format else "")

    def _add_to_batch(self, record: Recorded, length: int) -> bool:
        """Add a record, with the length of its line, to the current batch; return whether that completes it."""
        batch = self._batch
        place, size = len(batch) + 1, size_of_batch(batch[0] if batch else record)
        if record.batch != (place, size) or not 2 <= size <= MOST_EVENTS:
            self._next -= length
            raise self._corrupt_error(damage.batch_fault(record.batch, place, size))
        batch.append(record)
        return place == size

    def _take_batch(self) -> list[Recorded]:
        whole, self._batch = self._batch, []
        for record in whole:
            if record.key is not None:
                self.keys[record.key] = self.place
        self.offset, self.seq, self.hash = self._next, whole[-1].seq, whole[-1].hash
        return whole

    def _torn_error(self, more: str = "") -> CorruptLog:
        if not self.seq:
            hint = "there is nothing in it to keep; make the log again, or bring back a copy"
            return CorruptLog(self.path, 1, 0, "the first append was cut short", hint)
        self.unended = False  # of the record that lacks its line feed the batch is not whole
        why = f"{damage.TORN}: {more}" if more else damage.TORN
        return CorruptLog(self.path, self.seq + 1, self.offset, why, damage.TORN_HINT, torn=True)

    def _corrupt_error(self, why: str, hint: str = "") -> CorruptLog:
        return CorruptLog(self.path, self.seq + len(self._batch) + 1, self._next, why, hint or damage.REPAIR)

    def _not_a_log(self, line: bytes, *, more: bool) -> NotALog | None:
        """Return the error of a file that is something else, by its first line."""
        at_start = not self.seq and not self._batch
        kind = damage.describe_foreign_file(line, more=more) if at_start else None
        return NotALog(self.path, *kind) if kind else None

    def _diagnose_line(self, line: bytes, seq: int, previous: str) -> CorruptLog | NotALog:
        other = self._not_a_log(line, more=len(line) < self.size)
        return other or self._corrupt_error(*damage.line_fault(line, seq, previous))


def _decode_usual(line: bytes, seq: int, previous: str, again: bytearray) -> Recorded | None:
    """Return a line as the record of that seq, fully verified; None in any unusual case.

    Into `again` it is encoded again. Unusual are: a fault, an event that is withheld or of another version, text beyond ASCII, a sheet.
    """
    bare = line[:-1]
    try:
        record = newest.decode(bare)
    except (ValueError, RecursionError):
        return None
    event = record.event
    if record.seq != seq or event is None or record.salt is None:
        return None
    encode_into(record, again)
    usual = again == bare and bare.isascii() and are_proper(event)
    return record if usual and follows_hash(bare, record, previous) else None


def _decode_unusual(bare: bytes) -> Recorded:
    """Turn a line, without its line feed, into a record in its canonical form; raise ValueError or Malformed."""
    record = decode(bare)
    if encode_record(record) != bare:
        raise ValueError("not in the canonical form")
    if isinstance(record, RecordedUnknown):
        form.check_unknown(record.text)
    elif not record.withheld:
        form.check_canonical(event_text(bare), record.plain)
    return record


def walk_from(disk: Disk, fd: int, path: str, size: int, start: LogPosition, rest: bytes = b"") -> Walk:
    """Return a walk from a place on in an open file; a short rest is read at once."""
    more = max(size, start.offset) - start.offset
    if more <= BUFFER:
        return Walk(path, BytesIO(disk.pread(fd, more, start.offset)), size, start, rest)
    file = disk.reader(fd)
    file.seek(start.offset)
    return Walk(path, file, size, start, rest)


def first_batch(walk: Iterable[Recorded]) -> tuple[Recorded, ...]:
    """Return the records of the first batch of a walk."""
    records = iter(walk)
    first = next(records)
    return (first, *islice(records, size_of_batch(first) - 1))
