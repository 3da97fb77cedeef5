"""Reading on in a log on disk from an anchor, without reading what comes before it."""

import os
from collections.abc import Iterator

from eventstore import files
from eventstore.chain import START, Anchor, Place
from eventstore.disk import Disk
from eventstore.ending import near_end, stands, unsettled
from eventstore.errors import CorruptLog, NotReadable, Rewritten
from eventstore.holding import State, state_of
from eventstore.reading import Walk, opened, walk_on
from eventstore.record import Recorded


class Rest:
    """The rest of a log after an anchor. What was read before it is trusted while the file only grows.

    A file that changed otherwise than by growing at its end, or that took the place of another, was not appended to: then
    all of it is read again, so that damage is found.
    """

    def __init__(self, disk: Disk, path: str, wait: float, seen: tuple[Place, State] | None = None) -> None:
        self._disk, self._path, self._wait, self._seen = disk, path, wait, seen
        """Where the log ended when it was last read to its end, and the state of the file then."""

    def wrote(self, place: Place, state: State) -> None:
        """Take over where the log ended after an append of this handle, and the state in which that left the file."""
        self._seen = (place, state)

    def after(self, anchor: Anchor) -> Iterator[Recorded]:
        """Yield the records after an anchor, verified; raise as reading does, and Rewritten if the anchor is gone."""
        if self._is_unchanged(anchor):
            return
        with opened(self._disk, self._path) as (fd, _):
            status, rest = unsettled(self._disk, fd, self._path, self._wait)
            try:
                start = self._start(fd, status, anchor)
                walk = walk_on(self._disk, fd, self._path, status.st_size, start, rest)
                yield from _beyond(walk, anchor)
            except OSError as error:
                raise NotReadable(self._path, files.reason(error), files.hint_for(error)) from None
            self._seen = (walk.place, state_of(status))

    def _is_unchanged(self, anchor: Anchor) -> bool:
        """Return whether the file is as it was when the log was read up to this anchor, its end."""
        if self._seen is None or (self._seen[0].seq, self._seen[0].hash) != (anchor.seq, anchor.hash):
            return False
        try:
            return self._seen[1] == state_of(self._disk.stat(self._path))
        except (OSError, ValueError):  # opening it says what is wrong
            return False

    def _start(self, fd: int, status: os.stat_result, anchor: Anchor) -> Place:
        """Return from where to read: near the end, or from the start if what was read before may have been changed."""
        if self._seen is not None and not self._only_grew(fd, status, *self._seen):
            return START
        return near_end(self._disk, fd, status.st_size, anchor.seq)

    def _only_grew(self, fd: int, status: os.stat_result, end: Place, before: State) -> bool:
        """Return whether it is still the same file, but longer, and what was its last record ends where it did."""
        device, number, size, *_ = before
        same = (status.st_dev, status.st_ino) == (device, number)
        return same and status.st_size > size and stands(self._disk, fd, end)


def _beyond(walk: Walk, anchor: Anchor) -> Iterator[Recorded]:
    """Yield the records of a walk that come after an anchor; raise Rewritten if the walk does not pass it."""
    found = walk.hash if walk.seq == anchor.seq else ""
    records = iter(walk)
    try:
        while not found:
            record = next(records)
            found = record.hash if record.seq == anchor.seq else ""
    except StopIteration:
        raise Rewritten(walk.path, anchor, "the log ends before it") from None
    except CorruptLog as error:
        if error.torn:
            raise Rewritten(walk.path, anchor, "the log ends before it") from None
        raise
    if found != anchor.hash:
        raise Rewritten(walk.path, anchor, "another stands there")
    yield from records
