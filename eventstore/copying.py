"""Copies of whole logs: the same lines in a new file or in a pipe; payloads may be withheld. Forks, which get another opening."""

import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice

from eventstore import files
from eventstore.address import LogAddress
from eventstore.chain import DIGEST, START, TAIL, TO_CUT, LogPosition, chain_line, encode_metadata
from eventstore.damage import verify_walk
from eventstore.disk import MACHINE, Disk
from eventstore.errors import CorruptLog, Malformed, NotReadable, NotWritten
from eventstore.paths import AnyPath, plain_path
from eventstore.reading import Walk
from eventstore.record import Draft, Recorded, encode, encode_record
from eventstore.spool import Once
from eventstore.withholding import NOTHING, Withhold
from eventstore.writing import Entropy, make_lines

_PIECE = 1 << 20
"""The number of bytes that are written at once."""


def read_spooled(path: str, fd: int, disk: Disk = MACHINE) -> Iterator[Recorded]:
    """Yield the records, verified, of an open file without a name, filled from a pipe, and close it. Errors call it `path`."""
    try:
        yield from Walk(path, disk.reader(fd), disk.fstat(fd).st_size)
    finally:
        disk.close(fd)


class Copy:
    """A log on its way to be copied: read and strictly verified once, and never held in memory as a whole.

    `records` and `head` are the extent of the copy; later changes of the log do not matter. A torn tail is left out, and
    `found.problem` says where. `withhold` selects the payloads to leave out, and may be changed before a pass;
    `withheld` are the records that the last pass yielded without their payload.
    """

    def __init__(self, records: Iterable[Recorded], path: LogAddress, withhold: Withhold = NOTHING) -> None:
        """Verify the records of a log; raise CorruptLog if it has a fault, Malformed if a record cannot be withheld."""
        self._read = Once(records)
        self.path, self.found = path, verify_walk(self._read)
        problem = self.found.problem
        if problem is not None and not problem.torn:
            raise CorruptLog(path, problem.line, problem.offset, problem.why, problem.hint)
        if self.found.head is None:
            raise NotReadable(path, "holds no record")
        self.records, self.head = self.found.records, self.found.head
        self.withheld: list[int] = []
        self.withhold = withhold
        self._check_withheld()

    def __iter__(self) -> Iterator[Recorded]:
        """Yield the records, the withheld ones without their payload."""
        self.withheld = []
        for record in self.withhold.apply_to(islice(self._read, self.records)):
            if record.withheld:
                self.withheld.append(record.seq)
            yield record

    def _check_withheld(self) -> None:
        for seq in sorted(self.withhold.seqs):
            if seq == 1:
                raise Malformed("withhold", "record 1 opens the encounter: without it there is no log")
            if seq not in range(2, self.records + 1):
                raise Malformed("withhold", f"there is no record {seq}", f"the log ends with record {self.records}")


def encode_lines(records: Iterable[Recorded]) -> Iterator[bytes]:
    """Yield the lines of records, each with its newline."""
    return (encode_record(record) + b"\n" for record in records)


def create_file(path: AnyPath, pieces: Iterable[bytes], disk: Disk = MACHINE) -> None:
    """Create a file of these bytes, whole or not at all, never over another; raise NotWritten, OutcomeUnknown."""
    files.create_file(disk, plain_path(path), _gather_pieces(pieces))


def _gather_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
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
        raise NotWritten(str(error.filename), files.system_message(error), files.write_hint(error)) from None
    yield bytes(held)


def lines_of_fork(
    records: Iterable[Recorded],
    opening: Draft,
    drafts: Sequence[Draft] = (),
    *,
    by: str,
    at: str,
    entropy: Entropy = os.urandom,
) -> list[bytes]:
    """Return the lines of a log made from the records of another one under a new opening, with drafts after them.

    Raises Malformed, TooLarge, and whatever the records raise while they are read.
    """
    made, end = list[bytes](), START
    for record in records:
        if record.seq == 1:
            envelope, salt = encode_metadata(at, by), entropy(16).hex()
            line = chain_line(opening, encode(opening.event), 1, envelope, record.batch, salt, START.hash)
        else:
            line = _chained_again(record, end.hash)
        end = LogPosition(end.offset + len(line), record.seq, line[-len(b'"}\n') - 64 : -len(b'"}\n')].decode())
        made.append(line)
    if drafts:
        made += make_lines(drafts, end, by=by, at=at, entropy=entropy).data.splitlines(keepends=True)
    return made


def _chained_again(record: Recorded, previous: str) -> bytes:
    line = encode_record(record)
    head = line[: line.find(DIGEST) + TO_CUT]
    own = sha256(previous.encode() + head).hexdigest()
    return b'%b,"hash":"%b"}\n' % (line[: len(line) - TAIL], own.encode())
