"""Copies of whole logs: the same lines in a new file or in a pipe; payloads may be withheld."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from eventstore import files
from eventstore.chain import Anchor, withheld
from eventstore.disk import MACHINE, Disk
from eventstore.errors import CorruptLog, Malformed, NotReadable
from eventstore.reading import Walk
from eventstore.record import Recorded, decode, event_text, written
from eventstore.store import Verified
from eventstore.verify import verification

_AMENDED = re.compile(r"amended(\.[0-9]+)?")
_PIECE = 1 << 20
"""How many bytes are written at once."""


class _About(Struct, frozen=True):
    """What is asked of an event of any type, also of a later version."""

    type: str
    event: object = 0


_about = msgspec.json.Decoder(_About).decode


class Source(Protocol):
    """A log to copy: a store, or anything else that can be read repeatedly."""

    def read(self, after: int = 0) -> Iterator[Recorded]:
        """Yield the records after that seq, verified."""

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly."""


class Spooled:
    """A log in an open file without a name, perhaps filled from a pipe; it is closed with this. Errors call it `path`."""

    def __init__(self, path: Path, fd: int, disk: Disk = MACHINE) -> None:
        self.path, self._fd, self._disk = path, fd, disk

    def __del__(self) -> None:
        self._disk.close(self._fd)

    def read(self, after: int = 0) -> Iterator[Recorded]:
        """Yield the records after that seq, verified."""
        return (record for record in self._walk() if record.seq > after)

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere."""
        return verification(self._walk(), anchor)

    def _walk(self) -> Walk:
        return Walk(self.path, self._disk.reader(self._fd), self._disk.fstat(self._fd).st_size)


class Withhold(Struct, frozen=True):
    """The records whose payloads a copy leaves out: these, and perhaps all secret ones.

    An amendment of a secret record is secret, too, even if it is not marked.
    """

    seqs: frozenset[int] = frozenset()
    secrets: bool = False


NOTHING = Withhold()


class Copy:
    """A log on its way to be copied: verified line by line, twice, and never held as a whole.

    `records` and `head` say what is copied; what is appended later is not. A torn tail is left out: `found.problem`
    says where. `withheld` are the records that the last pass yielded without their payload.
    """

    def __init__(self, source: Source, path: Path, withhold: Withhold = NOTHING) -> None:
        """Verify the log; raise CorruptLog if it has a fault, Malformed if a record cannot be withheld."""
        self.path, self.found = path, source.verify()
        problem = self.found.problem
        if problem is not None and not problem.torn:
            raise CorruptLog(path, problem.line, problem.offset, problem.why, problem.hint)
        if self.found.head is None:
            raise NotReadable(path, "holds no record")
        self.records, self.head = self.found.records, self.found.head
        self.withheld: list[int] = []
        self._source, self._withhold = source, withhold
        self._check()

    def __iter__(self) -> Iterator[Recorded]:
        """Yield the records, those that are to be withheld without their payload; raise as reading does."""
        last, secret = "", set[int]()
        self.withheld = []
        for record in islice(self._source.read(), self.records):
            last = record.hash
            out = self._without_payload(record) if self._hides(record, secret) else record
            if out.withheld:
                self.withheld.append(out.seq)
            yield out
        if last != self.head.hash:
            raise NotReadable(self.path, "was changed while it was copied", "copy it again")

    def _check(self) -> None:
        for seq in sorted(self._withhold.seqs):
            if seq == 1:
                raise Malformed("withhold", "record 1 opens the encounter: without it there is no log")
            if seq not in range(2, self.records + 1):
                raise Malformed("withhold", f"there is no record {seq}", f"the log ends with record {self.records}")

    def _hides(self, record: Recorded, secret: set[int]) -> bool:
        """Return whether a record's payload is withheld; `secret` collects secret records and their amendments."""
        if self._withhold.secrets and (record.secret or secret.intersection(_amends(record))):
            secret.add(record.seq)
        return record.seq in self._withhold.seqs or record.seq in secret

    @staticmethod
    def _without_payload(record: Recorded) -> Recorded:
        return decode(withheld(written(record) + b"\n"))


def lines(records: Iterable[Recorded]) -> Iterator[bytes]:
    """Yield the lines of records, each with its newline."""
    return (written(record) + b"\n" for record in records)


def create(path: Path, pieces: Iterable[bytes], disk: Disk = MACHINE) -> None:
    """Create a file of these bytes, whole or not at all, never over another; raise NotWritten, OutcomeUnknown."""
    files.create(disk, path, _gathered(pieces))


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in fewer pieces."""
    held = bytearray()
    for piece in pieces:
        held += piece
        if len(held) >= _PIECE:
            yield bytes(held)
            held.clear()
    yield bytes(held)


def _amends(record: Recorded) -> tuple[int, ...]:
    """Return which seqs the record may have in whose place this one puts another fact; none where it does not."""
    if record.withheld:
        return ()
    about = _about(event_text(written(record)))
    if not isinstance(about.event, int) or not _AMENDED.fullmatch(about.type):
        return ()
    return (
        about.event,
        record.seq + about.event,
    )  # of a seq and a count of lines back, only one leads to an earlier record
