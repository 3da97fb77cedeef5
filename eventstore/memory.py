"""The store in memory: the same lines, held only by this process. For folds, tests and what-if questions."""

import os
import threading
from collections.abc import Iterator, Sequence
from io import BytesIO

from eventstore.appending import Refusal, Tail, Written
from eventstore.chain import START, Anchor, LogPosition
from eventstore.damage import verify_walk
from eventstore.errors import Rewritten
from eventstore.reading import Walk, first_batch
from eventstore.record import Draft, Recorded, ends_batch
from eventstore.store import ATTENTION, Appended, Request, Store, Verified, put_key
from eventstore.writing import Entropy, Lines, make_lines


class MemoryStore(Store):
    """A store that keeps one encounter as the bytes of its lines. Threads may share it; `durable` means no more than `flushed` here."""

    path = "memory"
    """The name of the log in errors."""

    def __init__(
        self, drafts: Sequence[Draft], *, by: str, at: str, key: str | None = None, entropy: Entropy = os.urandom
    ) -> None:
        """Create a log whose first draft opens the encounter; raise Malformed, TooLarge."""
        self._entropy, self._change = entropy, threading.Condition()
        self._data, self._place = bytearray(), START
        self._keys: dict[str, LogPosition] = {}
        with self._change:
            self._add_lines(make_lines(put_key(drafts, key), START, by=by, at=at, entropy=entropy))

    def read(self, after: int | Anchor = 0) -> Iterator[Recorded]:
        """Yield the records after that one, verified; raise Rewritten."""
        first = after if isinstance(after, int) else self._seq_of_anchor(after)
        return (record for record in self._walk(START) if record.seq > first)

    def follow(self, after: int | Anchor = 0, *, stop: threading.Event | None = None) -> Iterator[Recorded]:
        """Yield the records after that one, then new ones, until `stop` is set; raise Rewritten."""
        stop = stop or threading.Event()
        first = after if isinstance(after, int) else self._seq_of_anchor(after)
        place = START
        while not stop.is_set():
            walk = self._walk(place)
            for record in walk:
                if record.seq > first:
                    yield record
                if stop.is_set() and ends_batch(record):
                    return
            place = walk.place
            with self._change:
                while self._place == place and not stop.is_set():
                    self._change.wait(ATTENTION)

    def _append(self, request: Request) -> Appended:
        with self._change:
            written = Written(
                self._place, self._keys, lambda place: first_batch(self._walk(place)), lambda seq: tuple(self.read(seq))
            )
            tail = Tail(written, self._entropy)
            try:
                done = tail.append(request)
            except Refusal as refusal:
                raise refusal.why from None
            for lines in tail.lines:
                self._add_lines(lines)
            return done

    def head(self) -> Anchor:
        """Return seq and hash of the last record."""
        place = self._place
        return Anchor(place.seq, place.hash)

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere."""
        return verify_walk(self._walk(START), anchor)

    @property
    def data(self) -> bytes:
        """The lines, as a file would hold them."""
        return bytes(self._data)

    def _walk(self, start: LogPosition) -> Walk:
        with self._change:
            return Walk(self.path, BytesIO(self._data[start.offset :]), len(self._data), start)

    def _seq_of_anchor(self, anchor: Anchor) -> int:
        found = next((record for record in self.read(anchor.seq - 1)), None)
        if anchor.seq and (found is None or found.hash != anchor.hash):
            raise Rewritten.at(self.path, anchor, found.hash if found else "")
        return anchor.seq

    def _add_lines(self, lines: Lines) -> None:
        self._data += lines.data
        self._place = lines.end
        for record in lines.records:
            if record.key is not None:
                self._keys[record.key] = lines.start
        self._change.notify_all()
