"""Forks: a log under a new opening, whose other records keep their payloads, salts and digests; only the chain is new."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from eventstore.chain import DIGEST, GENESIS, TAIL, TO_CUT, Place, chained, metadata
from eventstore.record import Draft, Recorded, encode, written


class Forked:
    """The lines of a fork, made while they are read; afterwards `end` is the place where it ends."""

    def __init__(self, records: Iterable[Recorded], opening: Draft, *, by: str, at: str, salt: str) -> None:
        """Take the records of the log that is forked, and the draft that opens the fork, with its salt (32 hex digits)."""
        self._records, self._opening, self._envelope, self._salt = records, opening, metadata(at, by), salt
        self.end = Place(0, 0, GENESIS)

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines, each with its newline."""
        for record in self._records:
            line = self._first(record) if record.seq == 1 else self._next(record)
            own = line[-len(b'"}\n') - 64 : -len(b'"}\n')].decode()
            self.end = Place(self.end.offset + len(line), record.seq, own)
            yield line

    def _first(self, record: Recorded) -> bytes:
        return chained(self._opening, encode(self._opening.event), 1, self._envelope, record.batch, self._salt, GENESIS)

    def _next(self, record: Recorded) -> bytes:
        """Return a record's line with the hash that it has behind the line before it in the fork."""
        line = written(record)
        head = line[: line.find(DIGEST) + TO_CUT]
        own = sha256(self.end.hash.encode() + head).hexdigest()
        return b'%b,"hash":"%b"}\n' % (line[: len(line) - TAIL], own.encode())
