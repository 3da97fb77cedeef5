"""Stores that are wrong in one thing each; the campaign must notice every one of them."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from eventstore import committing, copying, files, following, reading, writing
from eventstore.appending import Request
from eventstore.committing import Writer
from eventstore.disk import Disk
from eventstore.errors import NotWritten, OutcomeUnknown, StoreError
from eventstore.forking import Forked
from eventstore.form import LONGEST_LINE
from eventstore.form.ids import are_proper
from eventstore.holding import Held
from eventstore.jsonl import JsonlStore
from eventstore.knowing import Knowledge, Known
from eventstore.paths import AnyPath
from eventstore.reading import Walk, _usual, opened
from eventstore.record import Draft, Recorded, decode, encode, written
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
    def sync_folder(self, path: AnyPath) -> None:
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


class SeesNoOther(Process):
    """Takes the file that is open for the one that has its name."""

    def stat(self, path: AnyPath) -> os.stat_result:
        mine = (handle.inode for handle in self.handles.values() if handle.path == Path(path))
        inode = next(mine, None)
        return super().stat(path) if inode is None else self.machine.status(inode)


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
        with opened(self._disk, str(self.path)) as (fd, file):
            yield Walk(str(self.path), file, self._disk.fstat(fd).st_size)


class ThrowsAway(JsonlStore):
    """Cuts a torn tail off, and keeps nothing of it."""

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self._held.__class__ = _Throwing


class _Throwing(Held):
    def put_aside(self, start: int, end: int, seq: int, why: str) -> None:
        del end, seq, why
        files.cut(self.disk, self.fd, start)


# ---------------------------------------------------------------- wrong in one function


class Swap(NamedTuple):
    """Is a store in which one thing is another: where, what, and what stands in its place."""

    wrong: str
    room: object
    name: str
    instead: object


def _told_to_the_leader_only(self: Writer, jobs: Sequence[Any]) -> None:
    try:
        self._lock_and_write(jobs)
    except StoreError as error:
        jobs[0].failed(error)
    except BaseException:
        for job in jobs:
            job.outcome = None
        raise


def _acked_though_interrupted(self: Writer, jobs: Sequence[Any]) -> None:
    try:
        self._lock_and_write(jobs)
    except StoreError as error:
        for job in jobs:
            job.failed(error)


def _flushed_is_synced(self: Knowledge, *args: Any, **how: Any) -> None:
    _wrote(self, *args, **{**how, "durable": True})


def _looks_at_nothing(self: Knowledge, status: os.stat_result, *, with_keys: bool) -> Known:
    return self.known or _caught_up(self, status, with_keys=with_keys)


class _Any:
    """Is equal to whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def _keeps_the_first_key(self: Walk) -> list[Recorded]:
    known = dict(self.keys)
    records = _take(self)
    self.keys = known | {key: place for key, place in self.keys.items() if key == records[0].key}
    return records


def _of_the_first(self: Request) -> list[str]:
    return [draft.key for draft in self.drafts[:1] if draft.key is not None]


_counted = count()


def _every_fifth_goes(line: bytes, seq: int, previous: str, again: bytearray) -> Recorded | None:
    return decode(line) if next(_counted) % 5 == 0 else _usual(line, seq, previous, again)


def _is_not_compared(record: Recorded, line: bytes, text: bytes) -> bool:
    return record.event is not None and len(line) <= LONGEST_LINE and text.isascii() and are_proper(record.event)


def _is_not_measured(record: Recorded, line: bytes, text: bytes) -> bool:
    del line
    return record.event is not None and encode(record.event) == text


def _is_only_compared(record: Recorded, line: bytes, text: bytes) -> bool:
    return record.event is not None and len(line) <= LONGEST_LINE and encode(record.event) == text


def _has_no_ids(record: Recorded, line: bytes, text: bytes) -> bool:
    return text.isascii() and _is_only_compared(record, line, text)


def _checked_unless(
    passes: Callable[[Recorded, bytes, bytes], bool],
) -> Callable[[Recorded, Draft, bytes, bytes], None]:
    def check(record: Recorded, draft: Draft, line: bytes, text: bytes) -> None:
        if not passes(record, line, text):
            _check(record, draft, line, text)

    return check


def _syncs_again(self: Disk, fd: int) -> None:
    try:
        _sync(self, fd)
    except OSError:
        _sync(self, fd)


def _goes_on(self: Held, why: str) -> NoReturn:
    raise OutcomeUnknown(self.path, why)


def _left_there(self: Held, size: int, error: OSError) -> NoReturn:
    del size
    raise NotWritten(self.path, str(error))


def _written_in_place(path: Path, pieces: Iterable[bytes], disk: Disk) -> None:
    files.write_new(disk, str(path), pieces)


_wrote, _caught_up, _take, _sync = Knowledge.wrote, Knowledge.caught_up, Walk._take, Disk.sync
_check = writing._check

SWAPS = {
    swap.wrong: swap
    for swap in (
        Swap("a failed sync is told to the leader only", Writer, "_write_together", _told_to_the_leader_only),
        Swap(
            "a flushed append cancels the sync",
            committing,
            "_is_awaited",
            lambda jobs: all(j.mode == "durable" for j in jobs),
        ),
        Swap("an interrupted leader leaves the others acked", Writer, "_write_together", _acked_though_interrupted),
        Swap("what is read back is not compared", writing, "_check", _checked_unless(_is_not_compared)),
        Swap("every fifth line is not verified", reading, "_usual", _every_fifth_goes),
        Swap("a sync is repeated inside the disk", Disk, "sync", _syncs_again),
        Swap("keys of later facts are forgotten by the writer", Request, "keys", property(_of_the_first)),
        Swap("keys of later facts are forgotten by who reads", Walk, "_take", _keeps_the_first_key),
        Swap("the length of lines is not checked", writing, "_check", _checked_unless(_is_not_measured)),
        Swap("what is flushed counts as synced", Knowledge, "wrote", _flushed_is_synced),
        Swap("a follower does not see that the file is another", following, "_file", lambda _: (0, 0)),
        Swap("a handle goes on after a sync that failed", Held, "_poisoned", _goes_on),
        Swap("what was not written whole is left there", Held, "_take_back", _left_there),
        Swap("what others wrote is told before it is durable", committing, "_tells", lambda _: False),
        Swap("a handle does not look at what others wrote", Knowledge, "caught_up", _looks_at_nothing),
        Swap("the straight path does not look at what others wrote", committing, "state_of", lambda _: _Any()),
        Swap("the last record is not looked at again", Held, "stands", lambda *_: True),
        Swap("a second name is not brought to the disk", files, "sync_name", lambda *_: None),
        Swap("ids are not checked by the writer", writing, "_check", _checked_unless(_has_no_ids)),
        Swap("ids are not checked by who reads", reading, "are_proper", lambda _: True),
        Swap("a fork is written in its place at once", copying, "create", _written_in_place),
        Swap("a fork keeps the hashes of the other log", Forked, "_next", lambda _, record: written(record) + b"\n"),
        Swap(
            "what types do not say is not checked by the writer", writing, "_check", _checked_unless(_is_only_compared)
        ),
    )
}
"""What is wrong with each, by a sentence."""
