"""The promises of every store of an encounter, whatever its implementation.

- A log is a sequence of records, numbered from 1 without gaps. Nothing in it ever changes; it only grows.
- `append` is all or nothing: several drafts are one batch, whole in the log or absent. An append that returned is durable.
- `after` makes an append conditional: the log must end there, else WrongVersion has what came in between.
- `again` lets the writer decide such an append again instead, under the lock: it waits its turn, at most for the store's patience
  (Busy), and no other writer comes first.
- A key makes an append idempotent. The same drafts under the same key add nothing and give the same seqs; other drafts,
  or only some of them, are refused. The key is looked up before `after` is compared, so a retry needs no new `after`.
- Readers see whole, verified, durable batches only. A fault ends the reading with an error that says where and why;
  the records before it are intact.
- Reading changes nothing. Each call of `read` starts from the beginning.
- A follower gets every record once and in order, whatever happens to the log meanwhile, or an error.
"""

from collections.abc import Callable, Iterator, Sequence
from threading import Event
from typing import Literal, Protocol

from msgspec import Struct, structs

from eventstore.chain import Anchor
from eventstore.malformed import Malformed
from eventstore.record import Draft, Recorded

MOST_EVENTS = 10_000
"""The most events of one append."""
LARGEST_APPEND = 1 << 26
"""The most bytes of one append."""


ATTENTION = 0.2
"""The time in which a follower notices that it is to stop, and the interval of its looks for new records, in seconds."""

STORE = "encounterlog"
"""The writer's name of a store's own notes."""
Mode = Literal["durable", "flushed"]
"""The durability of an append on return: `durable` survives the machine, `flushed` (given to the system) the process.

A power cut may undo appends that were only flushed, though none that a reader was shown. A disk that fails to write
them may take what was appended after them as well.
"""


class Appended(Struct, frozen=True):
    """The place of an append in the log: its first and last seq and its records; `again` if a retry found it there."""

    first: int
    last: int
    records: tuple[Recorded, ...]
    again: bool = False


Again = Callable[[tuple[Recorded, ...]], Sequence[Draft]]
"""A function that decides an append again, from the records that others appended since it was decided. It is called while no other
writer can append, so it never loses to one; it may raise anything, and must not look at the log, whose lock is held."""


class Problem(Struct, frozen=True):
    """The place where a log stops being whole: line (from 1), byte offset, why, a hint; `torn` for a mere torn tail."""

    line: int
    offset: int
    why: str
    hint: str = ""
    torn: bool = False


Compared = Literal["unanchored", "matches", "cut off", "rewritten", "not reached"]
"""The result of comparing a log with an anchor. Without one a chain cannot show a cut-off tail; `rewritten` says that
the anchor's seq has another hash, `not reached` that a problem comes before it."""


class Verified(Struct, frozen=True):
    """The result of checking a whole log; with a problem, the figures are those of the good part before it."""

    records: int
    batches: int
    head: Anchor | None
    withheld: tuple[int, ...]
    unknown: tuple[int, ...]
    problem: Problem | None = None
    anchor: Compared = "unanchored"

    @property
    def sound(self) -> bool:
        """Whether the log is whole and does not contradict the anchor."""
        return self.problem is None and self.anchor in ("unanchored", "matches")


class Request(Struct, frozen=True):
    """The request of one call of `append`; its key is on the first draft."""

    drafts: Sequence[Draft]
    by: str
    at: str
    after: int | None = None
    mode: Mode = "durable"
    again: Again | None = None

    @property
    def keys(self) -> list[str]:
        """The keys under which the append can be repeated."""
        return [draft.key for draft in self.drafts if draft.key is not None]


class Store(Protocol):
    """A keeper of the records of one encounter."""

    def read(self, after: int | Anchor = 0) -> Iterator[Recorded]:
        """Yield the records after that one, verified; raise NotALog, CorruptLog or Busy.

        With an anchor, the records before it are not read again: the holder of the anchor has verified them. Raises
        Rewritten if the record of the anchor is no longer in the log.
        """

    def follow(self, after: int | Anchor = 0, *, stop: Event | None = None) -> Iterator[Recorded]:
        """Yield the records after that one, then those that are appended while it goes on, until `stop` is set.

        It waits for a torn tail or a held lock to go away. Raises as `read` does, after the records before the fault;
        from the last seq seen, another follower can continue once the log is repaired. Raises Rewritten if the last
        record seen, or the given anchor, is no longer in the log.
        """

    def append(
        self,
        drafts: Sequence[Draft],
        *,
        by: str,
        at: str,
        after: int | None = None,
        key: str | None = None,
        mode: Mode = "durable",
        again: Again | None = None,
    ) -> Appended:
        """Append drafts as one batch, which on return is as safe as `mode` says.

        If the log does not end with `after` and there is `again`, the append is not refused: it is decided `again`, under the lock.
        `by` says who writes; `at` when (RFC 3339, UTC, microseconds), for drafts without their own; `key` goes on the
        first record. Raises, with nothing written: Malformed, TooLarge, WrongVersion, KeyReused, Busy, NotALog,
        CorruptLog, NotWritten. Raises OutcomeUnknown if nobody can know whether it was written. Raises Rewritten, once
        and with nothing written, if a record that this handle has seen is gone; a condition or a key that holds
        nevertheless is followed.
        """
        return self._append(Request(put_key(drafts, key), by, at, after, mode, again))

    def _append(self, request: Request) -> Appended:
        raise TypeError(request)

    def head(self) -> Anchor:
        """Return seq and hash of the last record; raise as `read` does."""

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere; faults come back as data."""


def put_key(drafts: Sequence[Draft], key: str | None) -> Sequence[Draft]:
    """Put the key of an append on its first draft; raise Malformed if that has its own."""
    if key is None or not drafts:
        return drafts
    if drafts[0].key not in (None, key):
        raise Malformed("key", "the first fact has a key of its own")
    return [structs.replace(drafts[0], key=key), *drafts[1:]]
