"""The verified part of a log, remembered by a handle so that it need not be read again before each append."""

import os

from msgspec import Struct

from eventstore.chain import START, LogPosition
from eventstore.ending import near_end
from eventstore.errors import CorruptLog
from eventstore.holding import File, Held, State, state_of
from eventstore.reading import Walk, first_batch, walk_on
from eventstore.record import Recorded


class Known(Struct):
    """The verified part of a log: of which file, up to which place, with which keys.

    `state` is how this handle left the file, None where others wrote since; `synced` whether all of it is durable.
    `whole` is false where the beginning was trusted; `unended` says that the line before the place lacks its line feed,
    `warned` that the log need not say any more that it is on a network drive.
    """

    file: File
    place: LogPosition
    keys: dict[str, LogPosition]
    state: State | None = None
    synced: bool = False
    whole: bool = True
    unended: bool = False
    warned: bool = False

    @property
    def end(self) -> int:
        """The end of the last record, or of its line feed if that is missing."""
        return self.place.offset - self.unended


class Knowledge:
    """What a handle knows of its log; it grows by reading, by looking at what others wrote, and by writing.

    With `trusting` the beginning is not looked at before the first append, unless a key is asked for, or nobody wrote
    since the machine was started.
    """

    def __init__(self, held: Held, *, trusting: bool) -> None:
        self.known: Known | None = None
        self._held, self._trusting = held, trusting

    def learn(self, walk: Walk, file: File) -> None:
        """Take over what a walk from the start of the log has verified, if that is more than is known."""
        known = self.known
        if known is None or known.file != file or known.place.offset < walk.offset:
            self.known = Known(file, walk.place, walk.keys, unended=walk.unended, warned=walk.warned)

    def caught_up(self, status: os.stat_result, *, with_keys: bool) -> Known:
        """Verify what came in since the last look at the log, which is locked; from the start where it is another file.

        Raises CorruptLog for everything but a torn tail, which then lies between the known place and the size.
        """
        known = self.known
        if known is None or not self._goes_on(known, with_keys=with_keys):
            known = self._anew(status, with_keys=with_keys)
        elif known.state == state_of(status):
            return known
        walk = self._walk(status.st_size, known.place)
        try:
            for _ in walk:
                pass
        except CorruptLog as error:
            if not error.torn:
                raise
        known.keys.update(walk.keys)
        warned = known.warned or walk.warned
        self.known = Known(self._held.file, walk.place, known.keys, None, False, known.whole, walk.unended, warned)
        return self.known

    def wrote(self, known: Known, place: LogPosition, state: State | None, *, durable: bool) -> None:
        """Record the new end of the log, and the state in which it was left."""
        self.known = Known(self._held.file, place, known.keys, state, durable, known.whole, warned=True)

    def _goes_on(self, known: Known, *, with_keys: bool) -> bool:
        """Return whether what is known is still of this log, and enough."""
        return (known.whole or not with_keys) and known.file == self._held.file and self._held.stands(known.place)

    def _anew(self, status: os.stat_result, *, with_keys: bool) -> Known:
        held = self._held
        trusting = self._trusting and self.known is None and not with_keys
        trusting = trusting and status.st_mtime_ns > held.disk.booted()
        start = near_end(held.disk, held.fd, status.st_size) if trusting else START
        return Known(held.file, start, {}, whole=not start.seq)

    def batch_at(self, place: LogPosition) -> tuple[Recorded, ...]:
        """Return the records of the batch after a place."""
        return first_batch(self._walk(self._held.disk.fstat(self._held.fd).st_size, place))

    def since(self, known: Known, after: int) -> tuple[Recorded, ...]:
        """Return the verified records after that seq."""
        start = near_end(self._held.disk, self._held.fd, known.end, after)
        return tuple(record for record in self._walk(known.end, start) if record.seq > after)

    def _walk(self, size: int, start: LogPosition) -> Walk:
        """Return a walk from a place on in the locked file."""
        return walk_on(self._held.disk, self._held.fd, self._held.path, size, start)
