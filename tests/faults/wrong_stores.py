"""Stores that are wrong in one thing each; the campaign must notice every one of them."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from encounterlog.service.streams import Stream
from eventstore import files, writing
from eventstore.chain import Anchor
from eventstore.committing import Writer
from eventstore.disk import Disk
from eventstore.ending import record_still_stands
from eventstore.errors import NotWritten, OutcomeUnknown, Rewritten, StoreError
from eventstore.form import LONGEST_LINE, are_proper
from eventstore.jsonl import JsonlStore
from eventstore.known_part import Knowledge, VerifiedPart
from eventstore.open_log import OpenLog, changing_state
from eventstore.paths import AnyPath
from eventstore.postgres import appending, keeping, statements
from eventstore.postgres.connections import Connection, Database
from eventstore.reading import Walk, _decode_usual, open_for_reading
from eventstore.record import Draft, Recorded, decode, encode, event_text, newest
from eventstore.store import Appended, Request
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
    def _walk_log(self) -> Iterator[Walk]:
        with open_for_reading(self._disk, str(self.path)) as (fd, file):
            yield Walk(str(self.path), file, self._disk.fstat(fd).st_size)


class ThrowsAway(JsonlStore):
    """Cuts a torn tail off, and keeps nothing of it."""

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self._held.__class__ = _Throwing


class _Throwing(OpenLog):
    def put_aside(self, start: int, end: int, seq: int, why: str) -> None:
        del end, seq, why
        files.truncate_file(self.disk, self.fd, start)


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
        jobs[0].keep_error(error)
    except BaseException:
        for job in jobs:
            job.outcome = None
        raise


def _acked_though_interrupted(self: Writer, jobs: Sequence[Any]) -> None:
    try:
        self._lock_and_write(jobs)
    except StoreError as error:
        for job in jobs:
            job.keep_error(error)


def _flushed_is_synced(self: Knowledge, *args: Any, **how: Any) -> None:
    _wrote(self, *args, **{**how, "durable": True})


def _looks_at_nothing(self: Knowledge, status: os.stat_result) -> VerifiedPart:
    return self.known or _caught_up(self, status)


def _keeps_the_first_key(self: Walk) -> list[Recorded]:
    known = dict(self.keys)
    records = _take(self)
    self.keys = known | {key: place for key, place in self.keys.items() if key == records[0].key}
    return records


def _of_the_first(self: Request) -> list[str]:
    return [draft.key for draft in self.drafts[:1] if draft.key is not None]


_counted = count()


def _every_fifth_goes(line: bytes, seq: int, previous: str, again: bytearray) -> Recorded | None:
    return decode(line) if next(_counted) % 5 == 0 else _decode_usual(line, seq, previous, again)


def _is_not_compared(record: Recorded, line: bytes, text: bytes) -> bool:
    return record.event is not None and len(line) <= LONGEST_LINE and text.isascii() and are_proper(record.event)


def _is_not_measured(record: Recorded, line: bytes, text: bytes) -> bool:
    del line
    return record.event is not None and encode(record.event) == text


def _is_only_compared(record: Recorded, line: bytes, text: bytes) -> bool:
    return record.event is not None and len(line) <= LONGEST_LINE and encode(record.event) == text


def _has_no_ids(record: Recorded, line: bytes, text: bytes) -> bool:
    return text.isascii() and _is_only_compared(record, line, text)


def _checked_unless(passes: Callable[[Recorded, bytes, bytes], bool]) -> Callable[[Draft, bytes], Recorded]:
    def record(draft: Draft, line: bytes) -> Recorded:
        with suppress(ValueError, RecursionError):
            found = decode(line)
            if passes(found, line, event_text(line)):
                return found
        return _record(draft, line)

    return record


def _only_decoded(lines: Sequence[bytes], data: bytes) -> tuple[Recorded, ...]:
    del lines
    with suppress(ValueError, RecursionError):
        return tuple(newest.decode_lines(data))
    return ()


def _syncs_again(self: Disk, fd: int) -> None:
    try:
        _sync(self, fd)
    except OSError:
        _sync(self, fd)


def _goes_on(self: OpenLog, why: str) -> NoReturn:
    raise OutcomeUnknown(self.path, why)


def _left_there(self: OpenLog, size: int, error: OSError) -> NoReturn:
    del size
    raise NotWritten(self.path, str(error))


def _written_in_place(path: Path, pieces: Iterable[bytes], disk: Disk) -> None:
    files.write_new(disk, str(path), pieces)


# ---------------------------------------------------------------- wrong with a database


def _commit_is_sure(self: appending.Writer, connection: Connection, jobs: Sequence[Any]) -> None:
    try:
        _behind_lock(self, connection, jobs)
    except OutcomeUnknown as error:
        raise NotWritten(error.path, error.why) from None


def _statement_is_sure(self: appending.Writer, *given: Any) -> bool:
    try:
        return _alone_in_one_statement(self, *given)
    except OutcomeUnknown as error:
        raise NotWritten(error.path, error.why) from None


@contextmanager
def _creation_is_sure(database: Database, path: Any) -> Iterator[Connection]:
    try:
        with _transaction(database, path) as connection:
            yield connection
    except OutcomeUnknown as error:
        raise NotWritten(error.path, error.why) from None


def _without_the_hash(**how: bool) -> str:
    return _statement(**how).replace(" and log.hash = %(previous)s", "")


def _state_of_later(self: Knowledge, anchor: Anchor) -> Iterator[Recorded]:
    yield from _read_on(self, anchor)
    self.seen = self.seen and (self.seen[0], changing_state(self._held.disk.stat(self._held.path)))


def _grew_anywhere(disk: Disk, fd: int, status: os.stat_result, end: Any, before: Any) -> bool:
    return status.st_size > before[2] and record_still_stands(disk, fd, end)


def _says_nothing(self: Knowledge, status: os.stat_result) -> VerifiedPart:
    with suppress(Rewritten):
        return _caught_up(self, status)
    return _caught_up(self, status)


def _believes_the_disk(self: OpenLog, size: int) -> None:
    del size
    self.doubt = ""


def _knows_the_end(self: JsonlStore) -> Anchor:
    found = getattr(self, "_first_head", None) or _head(self)
    self._first_head = found  # type: ignore[attr-defined]
    return found


def _takes_all(self: Stream) -> bytes:
    taken = b"".join(data for _, data in self.waiting)
    self.waiting.clear()
    return taken


_read_on, _head = Knowledge.read_on, JsonlStore.head
_statement, _behind_lock, _transaction = (
    statements.append_statement,
    appending.Writer._behind_lock,
    keeping._open_transaction,
)
_alone_in_one_statement = appending.Writer._took_short_path
_wrote, _caught_up, _take, _sync = Knowledge.keep_written, Knowledge.caught_up, Walk._take_batch, Disk.sync
_record = writing._decode_written
