"""Continuing to read a log on disk from an anchor, without the records before it."""

import os
from collections.abc import Generator, Iterator

from eventstore import files
from eventstore.chain import START, Anchor, LogPosition
from eventstore.disk import Disk
from eventstore.ending import near_end, stands, unsettled
from eventstore.errors import CorruptLog, NotReadable, Rewritten
from eventstore.open_log import State, state_of
from eventstore.reading import Walk, opened, walk_on
from eventstore.record import Recorded

Seen = tuple[LogPosition, State]
"""The end of a log when it was last read or written, and the state of the file then."""


def resumed(
    disk: Disk, path: str, wait: float, anchor: Anchor, seen: Seen | None
) -> Generator[Recorded, None, Seen | None]:
    """Yield the records after an anchor, verified, and return the end; raise as reading does, and Rewritten.

    The records before the anchor are trusted while the file only grows. A file that changed otherwise than by growing at its
    end, or that took the place of another, was not appended to: then all of it is read again, so that damage is found.
    """
    if seen is not None and _is_unchanged(disk, path, anchor, *seen):
        return seen
    with opened(disk, path) as (fd, _):
        status, rest = unsettled(disk, fd, path, wait)
        try:
            grew = seen is None or _only_grew(disk, fd, status, *seen)
            start = near_end(disk, fd, status.st_size, anchor.seq) if grew else START
            walk = walk_on(disk, fd, path, status.st_size, start, rest)
            yield from _beyond(walk, anchor)
        except OSError as error:
            raise NotReadable(path, files.reason(error), files.hint_for(error)) from None
        return walk.place, state_of(status)


def _is_unchanged(disk: Disk, path: str, anchor: Anchor, end: LogPosition, state: State) -> bool:
    """Return whether the file is as it was when the log was read up to this anchor, its end."""
    try:
        return (end.seq, end.hash) == (anchor.seq, anchor.hash) and state == state_of(disk.stat(path))
    except (OSError, ValueError):  # opening it gives the reason
        return False


def _only_grew(disk: Disk, fd: int, status: os.stat_result, end: LogPosition, before: State) -> bool:
    """Return whether the file is as it was, or still the same but longer, and its former last record ends where it did."""
    if state_of(status) == before:
        return True
    device, number, size, *_ = before
    same = (status.st_dev, status.st_ino) == (device, number)
    return same and status.st_size > size and stands(disk, fd, end)


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
