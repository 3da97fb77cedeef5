"""Commits: the appends of one or several threads, decided, written in one call and synced once."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from eventstore import files
from eventstore.address import LogAddress
from eventstore.appending import Refusal, Tail, Written
from eventstore.errors import (
    KeyReused,
    Malformed,
    NotWritten,
    OutcomeUnknown,
    Rewritten,
    StoreError,
    TooLarge,
    WrongVersion,
)
from eventstore.known_part import Knowledge, VerifiedPart
from eventstore.open_log import OpenLog, changing_state
from eventstore.queue import Job, Task
from eventstore.record import Recorded
from eventstore.store import Appended, Request
from eventstore.writing import Entropy


class Append(Job):
    """An append in progress: the request, and its outcome."""

    def __init__(self, request: Request) -> None:
        super().__init__()
        self.request = request
        self.outcome: Appended | StoreError | Refusal | None = None

    def keep_error(self, error: StoreError) -> None:
        """Take over an error that concerns all appends, unless this one was already refused."""
        if not isinstance(self.outcome, Malformed | TooLarge | Refusal):
            self.outcome = error

    def result(self, path: LogAddress) -> Appended:
        """Return its result, or raise its error."""
        if isinstance(self.outcome, Appended):
            return self.outcome
        if isinstance(self.outcome, Refusal):
            raise self.outcome.why
        raise self.outcome or OutcomeUnknown(path, "the thread that wrote for this one was interrupted")


def write_together(jobs: Sequence[Append], write: Callable[[Sequence[Append]], None]) -> None:
    """Write the appends of several threads; an error is that of each, and an interrupted write is an unknown outcome for all."""
    try:
        write(jobs)
    except StoreError as error:
        for job in jobs:
            job.keep_error(error)
    except BaseException:
        for job in jobs:
            job.outcome = None
        raise


def decide_appends(jobs: Sequence[Append], tail: Tail, gone: Rewritten | None = None) -> None:
    """Decide on appends in their order; those without condition and key are refused if a known record is gone."""
    for job in jobs:
        if gone is not None and tail.is_blind(job.request):
            job.keep_error(gone)
            continue
        try:
            job.outcome = tail.append(job.request)
        except (StoreError, Refusal) as error:
            job.outcome = error


class Writer:
    """The writer of a handle; one thread at a time uses it."""

    def __init__(self, held: OpenLog, knowledge: Knowledge, entropy: Entropy) -> None:
        self._held, self._knowledge, self._entropy = held, knowledge, entropy
        self._doubtful: set[str] = set()
        """The keys of appends whose outcome is unknown; a repetition on this handle is unknown, too."""

    def write_appends(self, jobs: Sequence[Append | Task]) -> None:
        """Write the appends of several threads with one sync, give each its own result, and do what else there is to do."""
        try:
            if appends := [job for job in jobs if isinstance(job, Append)]:
                self._write_together(appends)
            for job in jobs:
                if isinstance(job, Task):
                    job.do()
        except BaseException:  # interrupted: the lock goes with the file
            self._held.give_back()
            raise

    def append_note(self, text: str, side: str, *, at: str) -> Recorded:
        """Add a note to a locked log about the side file with this suffix."""
        status = self._held.disk.fstat(self._held.fd)
        known = self._knowledge.caught_up(status)
        tail = self._decide_appends((), known, [*self._prepare_end(known, status.st_size, side), text], at)
        self._write_tail(tail, known, durable=True)
        return tail.lines[-1].records[-1]

    def _write_together(self, jobs: Sequence[Append]) -> None:
        write_together(jobs, self._lock_and_write)
        for job in jobs:
            if isinstance(job.outcome, OutcomeUnknown):
                self._doubtful.update(job.request.keys)
            elif isinstance(job.outcome, NotWritten) and self._doubtful.intersection(job.request.keys):
                job.outcome = OutcomeUnknown(self._held.path, self._held.poison or job.outcome.why)

    def _lock_and_write(self, jobs: Sequence[Append]) -> None:
        with self._held.hold_lock() as status:
            self._append_all(jobs, status)

    def _append_all(self, jobs: Sequence[Append], status: os.stat_result) -> None:
        gone: Rewritten | None = None
        try:
            known = self._knowledge.caught_up(status)
        except Rewritten as error:
            gone, known = error, self._knowledge.caught_up(status)
        # malformed facts are refused here, before a torn tail is touched
        tail = self._decide_appends(jobs, known, gone=gone)
        if not tail.lines:
            if not known.synced and any(_reports_other_records(job.outcome) for job in jobs):
                self._held.sync_or_truncate()  # its writer may have died before it was durable
                known.synced = True
            return
        if not known.clean and (notes := self._prepare_end(known, status.st_size)):
            at = next(job.request.at for job in jobs if isinstance(job.outcome, Appended) and not job.outcome.again)
            tail = self._decide_appends(jobs, known, notes, at, gone=gone)
        self._write_tail(tail, known, durable=_is_awaited(jobs))

    def _decide_appends(
        self,
        jobs: Sequence[Append],
        known: VerifiedPart,
        notes: Sequence[str] = (),
        at: str = "",
        gone: Rewritten | None = None,
    ) -> Tail:
        """Decide on the appends, after the notes of the store itself."""
        knowledge = self._knowledge
        written = Written(known.place, known.keys, knowledge.batch_at, lambda after: knowledge.since(known, after))
        tail = Tail(written, self._entropy)
        for note in notes:
            tail.add_note(note, at)
        decide_appends(jobs, tail, gone)
        return tail

    def _prepare_end(self, known: VerifiedPart, size: int, noted: str = "") -> list[str]:
        """Prepare the end of the log for the next line; return the store's notes on it.

        A torn tail is kept beside the log and cut off. A side file that no record mentions was left by a writer, or a
        repair, that died between the two; the side file `noted` is noted elsewhere.
        """
        held, seq, notes = self._held, known.place.seq + 1, []
        if size > known.end:
            held.put_aside(known.end, size, seq, "torn")
        if kept := [each for each in files.kept_aside(held.disk, held.path, seq) if each != noted]:
            names = ", ".join(f"*{ending}" for ending in kept[:9])
            notes.append(f"What stood here, unfinished or damaged, was cut off; it is kept beside the log: {names}")
        if held.warning and not known.warned:
            notes.append(held.warning)
        return notes

    def _write_tail(self, tail: Tail, known: VerifiedPart, *, durable: bool) -> None:
        try:
            self._held.write_lines(b"\n" * known.unended + tail.data, known.end, durable=durable)
        except NotWritten:
            with suppress(OSError):  # what was taken back is no change by others
                known.state = changing_state(self._held.disk.fstat(self._held.fd))
            raise
        state = self._held.state_after_write(tail.place)
        known.keys.update({key: lines.start for key, lines in tail.keys.items()})
        self._knowledge.keep_written(known, tail.place, state, durable=durable)


def _is_awaited(jobs: Sequence[Append]) -> bool:
    return "durable" in [job.request.mode for job in jobs] or any(_reports_other_records(job.outcome) for job in jobs)


def _reports_other_records(outcome: Appended | StoreError | Refusal | None) -> bool:
    """Return whether an outcome reports records of others: an earlier append, or the end of the log."""
    return outcome.again if isinstance(outcome, Appended) else isinstance(outcome, WrongVersion | KeyReused | Refusal)
