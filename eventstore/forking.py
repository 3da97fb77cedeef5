"""Forks: a log under a new opening, whose other records keep their payloads, salts and digests; only the chain is new."""

import os
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from eventstore import copying
from eventstore.chain import DIGEST, START, TAIL, TO_CUT, LogPosition, chained, metadata
from eventstore.disk import MACHINE, Disk
from eventstore.paths import AnyPath
from eventstore.record import Draft, Recorded, encode, written
from eventstore.writing import Entropy, lines_of


def create(
    path: AnyPath,
    records: Iterable[Recorded],
    opening: Draft,
    drafts: Sequence[Draft] = (),
    *,
    by: str,
    at: str,
    entropy: Entropy = os.urandom,
    disk: Disk = MACHINE,
) -> None:
    """Create a log from the records of another one under a new opening, with drafts after them; whole or not at all.

    Raises Malformed, TooLarge, NotWritten, OutcomeUnknown, and whatever the records raise while they are read.
    """
    copying.create(path, lines(records, opening, drafts, by=by, at=at, entropy=entropy), disk)


def lines(
    records: Iterable[Recorded],
    opening: Draft,
    drafts: Sequence[Draft] = (),
    *,
    by: str,
    at: str,
    entropy: Entropy = os.urandom,
) -> list[bytes]:
    """Return the lines of a fork, each with its newline; raise as `create` does."""
    forked = Forked(records, opening, by=by, at=at, salt=entropy(16).hex())
    made = list(forked)
    if drafts:
        made += lines_of(drafts, forked.end, by=by, at=at, entropy=entropy).data.splitlines(keepends=True)
    return made


class Forked:
    """The lines of a fork, made while they are read; afterwards `end` is the place where it ends."""

    def __init__(self, records: Iterable[Recorded], opening: Draft, *, by: str, at: str, salt: str) -> None:
        """Take the records of the log that is forked, and the draft that opens the fork, with its salt (32 hex digits)."""
        self._records, self._opening, self._envelope, self._salt = records, opening, metadata(at, by), salt
        self.end = START

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines, each with its newline."""
        for record in self._records:
            line = self._first(record) if record.seq == 1 else self._next(record)
            own = line[-len(b'"}\n') - 64 : -len(b'"}\n')].decode()
            self.end = LogPosition(self.end.offset + len(line), record.seq, own)
            yield line

    def _first(self, record: Recorded) -> bytes:
        return chained(
            self._opening, encode(self._opening.event), 1, self._envelope, record.batch, self._salt, START.hash
        )

    def _next(self, record: Recorded) -> bytes:
        """Return a record's line with its hash after the line before it in the fork."""
        line = written(record)
        head = line[: line.find(DIGEST) + TO_CUT]
        own = sha256(self.end.hash.encode() + head).hexdigest()
        return b'%b,"hash":"%b"}\n' % (line[: len(line) - TAIL], own.encode())
