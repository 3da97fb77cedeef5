"""Stores that are wrong in one thing each; the campaign must notice every one of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from eventstore import files
from eventstore.jsonl import JsonlStore
from eventstore.reading import Place, Walk, opened
from eventstore.record import Draft
from eventstore.store import Appended
from tests.faults.memfs import Process, call

# ---------------------------------------------------------------- wrong with the disk


class NeverSyncs(Process):
    @call
    def sync(self, fd: int) -> None:
        """Say that all is on the disk."""


class SyncsAgain(Process):
    """Repeats a sync that failed, and believes the second answer."""

    def sync(self, fd: int) -> None:
        try:
            super().sync(fd)
        except OSError:
            super().sync(fd)


class NeverSyncsFolders(Process):
    @call
    def sync_folder(self, path: Path) -> None:
        """Say that all names are on the disk."""


class CutsMore(Process):
    """Cuts off one record more than it should."""

    def truncate(self, fd: int, size: int) -> None:
        super().truncate(fd, self.pread(fd, size, 0).rfind(b"\n", 0, size - 1) + 1)


class NeverCuts(Process):
    @call
    def truncate(self, fd: int, size: int) -> None:
        """Leave a torn tail where it is."""


class NeverLocks(Process):
    @call
    def try_lock(self, fd: int, *, shared: bool) -> None:
        """Say that nobody else has the lock."""


# ---------------------------------------------------------------- wrong with the log


class Hasty(JsonlStore):
    """Acks before it syncs."""

    def append(self, drafts: Sequence[Draft], **how: Any) -> Appended:
        return super().append(drafts, **{**how, "mode": "flushed"})


class LineByLine(JsonlStore):
    """Writes a batch record by record, and nothing that says that they belong together."""

    def append(self, drafts: Sequence[Draft], **how: Any) -> Appended:
        first = super().append(drafts[:1], **how)
        if first.again:
            return first
        rest = {**how, "key": None, "after": None}
        done = [first, *(super(LineByLine, self).append([draft], **rest) for draft in drafts[1:])]
        records = tuple(record for each in done for record in each.records)
        return Appended(records[0].seq, records[-1].seq, records)


class Forgetful(JsonlStore):
    """Takes every key for a new one."""

    _used = count()

    def append(self, drafts: Sequence[Draft], **how: Any) -> Appended:
        key = how.get("key")
        return super().append(drafts, **{**how, "key": key and f"{key} {next(self._used)}"})


class ReadsUnsynced(JsonlStore):
    """Shows what is in the file: takes no lock, and brings nothing to the disk."""

    @contextmanager
    def _walking(self) -> Iterator[Walk]:
        with opened(self._disk, self.path) as (fd, file):
            yield Walk(self.path, file, self._disk.fstat(fd).st_size)


class ThrowsAway(JsonlStore):
    """Cuts a torn tail off, and keeps nothing of it."""

    def put_aside(self, place: Place, size: int, why: str) -> None:
        del size, why
        files.cut(self._disk, self._fd, place.offset)
