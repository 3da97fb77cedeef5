"""The part of a log that a handle has verified: it is not read again before each append, nor by a reader who continues from its end."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress

from msgspec import Struct

from eventstore.chain import START, Anchor, LogPosition
from eventstore.disk import Disk
from eventstore.ending import near_end, record_still_stands, unsettled_end
from eventstore.errors import CorruptLog, Rewritten
from eventstore.open_log import File, OpenLog, State, changing_state, file_identity
from eventstore.reading import Walk, first_batch, open_for_reading, walk_from
from eventstore.record import Recorded

_SIZE = 2
"""The place of the size in a state."""


class VerifiedPart(Struct):
    """The verified part of a log: of which file, up to which place, with which keys.

    `state` is how the file was when it was last verified or written, None where that is not known; `clean` says that this handle
    wrote its end, `synced` that all of it is durable, `unended` that the line before the place lacks its line feed, `warned`
    that the log already says that it is on a network drive.
    """

    file: File
    place: LogPosition
    keys: dict[str, LogPosition]
    state: State | None = None
    clean: bool = False
    synced: bool = False
    unended: bool = False
    warned: bool = False

    @property
    def end(self) -> int:
        """The end of the last record, or of its line feed if that is missing."""
        return self.place.offset - self.unended


class Knowledge:
    """The verified part of a log that a handle knows; it grows by reading, by catching up with others, and by writing."""

    def __init__(self, held: OpenLog) -> None:
        self.known: VerifiedPart | None = None
        self.seen: tuple[LogPosition, State] | None = None
        """The end of the log when it was last read, or written durably, and the state of the file then: readers go on from there."""
        self._held = held

    def keep_walked(self, walk: Walk, fd: int, status: os.stat_result) -> None:
        """Take over the part that a walk from the start of the log has verified, if it is larger. If the known part is gone, it
        stays known: the next append says so.
        """
        known, file, state = self.known, file_identity(status), changing_state(status)
        if known is None or (
            known.file == file
            and known.place.offset < walk.offset
            and record_still_stands(self._held.disk, fd, known.place)
        ):
            self.known = VerifiedPart(file, walk.place, walk.keys, state, unended=walk.unended, warned=walk.warned)
        if walk.place.offset == status.st_size:
            self.seen = walk.place, state

    def caught_up(self, status: os.stat_result) -> VerifiedPart:
        """Verify the new records of a locked log since the last look; from the start if it is another file.

        Raises CorruptLog for everything but a torn tail, which then lies between the known place and the size; and
        Rewritten, once, if the last record that was known is not there any more: the log as it is now is known then.
        """
        known, before = self.known, self.known
        if known is None or not self._is_current(known, status):
            known = VerifiedPart(self._held.file, START, {})
        elif known.state == changing_state(status) and known.end == status.st_size:  # no walk ended before, at a fault
            return known
        walk = self._walk_from(status.st_size, known.place)
        last = before.place if before is not None and before is not known else START
        records = iter(walk)
        found = hash_of_record(records, last.seq)
        hash_of_record(records, 0)  # to the end
        known.keys.update(walk.keys)
        warned = known.warned or walk.warned
        self.known = VerifiedPart(
            self._held.file, walk.place, known.keys, changing_state(status), unended=walk.unended, warned=warned
        )
        if last.seq and found != last.hash:
            raise Rewritten.at(self._held.path, Anchor(last.seq, last.hash), found)
        return self.known

    def keep_written(self, known: VerifiedPart, place: LogPosition, state: State | None, *, durable: bool) -> None:
        """Record the new end of the log, and the state in which it was left."""
        clean = state is not None
        self.known = VerifiedPart(self._held.file, place, known.keys, state, clean, durable, warned=True)
        if durable and state is not None:
            self.seen = place, state

    def _is_current(self, known: VerifiedPart, status: os.stat_result) -> bool:
        """Return whether the known part still belongs to this log.

        A file that changed otherwise than by growing was not appended to: it is verified from the start.
        """
        if known.file != self._held.file or not self._held.has_record(known.place):
            return False
        return known.state is None or known.state == changing_state(status) or status.st_size > known.state[_SIZE]

    def batch_at(self, place: LogPosition) -> tuple[Recorded, ...]:
        """Return the records of the batch after a place."""
        return first_batch(self._walk_from(self._held.disk.fstat(self._held.fd).st_size, place))

    def since(self, known: VerifiedPart, after: int) -> tuple[Recorded, ...]:
        """Return the verified records after that seq."""
        start = near_end(self._held.disk, self._held.fd, known.end, after)
        return tuple(record for record in self._walk_from(known.end, start) if record.seq > after)

    def _walk_from(self, size: int, start: LogPosition) -> Walk:
        return walk_from(self._held.disk, self._held.fd, self._held.path, size, start)

    def read_on(self, anchor: Anchor) -> Iterator[Recorded]:
        """Yield the records after an anchor, verified; raise as reading does, and Rewritten.

        The records before the anchor are trusted while the file only grows. A file that changed otherwise than by growing at its
        end, or that took the place of another, was not appended to: then all of it is read again, so that damage is found.
        """
        disk, path, seen = self._held.disk, self._held.path, self.seen
        if seen is not None and (seen[0].seq, seen[0].hash) == (anchor.seq, anchor.hash):
            with suppress(OSError, ValueError):  # opening it gives the reason
                if seen[1] == changing_state(disk.stat(path)):
                    return
        with open_for_reading(disk, path) as (fd, _):
            status, rest = unsettled_end(disk, fd, path, self._held.wait)
            try:
                grew = seen is None or _only_grew(disk, fd, status, *seen)
                start = near_end(disk, fd, status.st_size, anchor.seq) if grew else START
                walk = walk_from(disk, fd, path, status.st_size, start, rest)
                records = iter(walk)
                found = walk.hash if walk.seq == anchor.seq else hash_of_record(records, anchor.seq)
                if found != anchor.hash:
                    raise Rewritten.at(path, anchor, found)
                yield from records
            except OSError as error:
                raise self._held.read_error(error) from None
        self.seen = walk.place, changing_state(status)


def hash_of_record(records: Iterable[Recorded], seq: int) -> str:
    """Pass over records up to one, and return its hash; "" if it is not among them, where a torn tail is left aside."""
    try:
        return next((record.hash for record in records if record.seq == seq), "")
    except CorruptLog as error:
        if error.torn:
            return ""
        raise


def _only_grew(disk: Disk, fd: int, status: os.stat_result, end: LogPosition, before: State) -> bool:
    """Return whether the file is as it was, or still the same but longer, and its former last record ends where it did."""
    if changing_state(status) == before:
        return True
    return file_identity(status) == before[:2] and status.st_size > before[_SIZE] and record_still_stands(disk, fd, end)
