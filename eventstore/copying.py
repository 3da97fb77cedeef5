"""Copies of whole logs: the same lines in a new file or in a pipe; payloads may be withheld."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Protocol

from eventstore import files
from eventstore.address import LogAddress
from eventstore.disk import MACHINE, Disk
from eventstore.errors import CorruptLog, Malformed, NotReadable, NotWritten
from eventstore.paths import AnyPath, plain
from eventstore.reading import Walk
from eventstore.record import Recorded, written
from eventstore.spool import Once
from eventstore.verify import verification
from eventstore.withholding import NOTHING, Withhold

_PIECE = 1 << 20
"""The number of bytes that are written at once."""


class Source(Protocol):
    """A log to copy: a store, or anything else that is read."""

    def read(self) -> Iterator[Recorded]:
        """Yield the records, verified."""


class Spooled:
    """A log in an open file without a name, filled from a pipe; it is closed with this. Errors call it `path`."""

    def __init__(self, path: str, fd: int, disk: Disk = MACHINE) -> None:
        self.path, self._fd, self._disk = path, fd, disk

    def __del__(self) -> None:
        self._disk.close(self._fd)

    def read(self) -> Iterator[Recorded]:
        """Yield the records, verified."""
        return iter(Walk(self.path, self._disk.reader(self._fd), self._disk.fstat(self._fd).st_size))


class Copy:
    """A log on its way to be copied: read and strictly verified once, and never held in memory as a whole.

    `records` and `head` are the extent of the copy; later changes of the log do not matter. A torn tail is left out, and
    `found.problem` says where. `withhold` selects the payloads to leave out, and may be changed before a pass;
    `withheld` are the records that the last pass yielded without their payload.
    """

    def __init__(self, source: Source, path: LogAddress, withhold: Withhold = NOTHING) -> None:
        """Verify the log; raise CorruptLog if it has a fault, Malformed if a record cannot be withheld."""
        self._read = Once(source.read())
        self.path, self.found = path, verification(self._read)
        problem = self.found.problem
        if problem is not None and not problem.torn:
            raise CorruptLog(path, problem.line, problem.offset, problem.why, problem.hint)
        if self.found.head is None:
            raise NotReadable(path, "holds no record")
        self.records, self.head = self.found.records, self.found.head
        self.withheld: list[int] = []
        self.withhold = withhold
        self._check()

    def __iter__(self) -> Iterator[Recorded]:
        """Yield the records, the withheld ones without their payload."""
        self.withheld = []
        for record in self.withhold.applied(islice(self._read, self.records)):
            if record.withheld:
                self.withheld.append(record.seq)
            yield record

    def _check(self) -> None:
        for seq in sorted(self.withhold.seqs):
            if seq == 1:
                raise Malformed("withhold", "record 1 opens the encounter: without it there is no log")
            if seq not in range(2, self.records + 1):
                raise Malformed("withhold", f"there is no record {seq}", f"the log ends with record {self.records}")


def lines(records: Iterable[Recorded]) -> Iterator[bytes]:
    """Yield the lines of records, each with its newline."""
    return (written(record) + b"\n" for record in records)


def create(path: AnyPath, pieces: Iterable[bytes], disk: Disk = MACHINE) -> None:
    """Create a file of these bytes, whole or not at all, never over another; raise NotWritten, OutcomeUnknown."""
    files.create(disk, plain(path), _gathered(pieces))


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in fewer pieces; raise NotWritten where they need another file that cannot be written."""
    held = bytearray()
    try:
        for piece in pieces:
            held += piece
            if len(held) >= _PIECE:
                yield bytes(held)
                held.clear()
    except OSError as error:
        if error.filename is None:
            raise
        raise NotWritten(str(error.filename), files.reason(error), files.hint_for(error)) from None
    yield bytes(held)
