"""The embedded store: one file, one JSON line per record. FORMAT.md specifies the file, store.py the promises."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event
from typing import TYPE_CHECKING, Self

from eventstore import files
from eventstore.chain import START, Anchor
from eventstore.committing import Append, Writer
from eventstore.damage import verify_walk
from eventstore.disk import MACHINE, Disk
from eventstore.ending import unsettled_end
from eventstore.errors import Busy
from eventstore.events import Noted
from eventstore.known_part import Knowledge
from eventstore.open_log import WAIT, OpenLog
from eventstore.paths import AnyPath, folder_of, plain_path
from eventstore.queue import Queue, Task, lets_go_in_children
from eventstore.reading import Walk, open_for_reading
from eventstore.record import Draft, Recorded
from eventstore.store import STORE, Appended, Request, Store, Verified, put_key
from eventstore.writing import Entropy, make_lines

if TYPE_CHECKING:
    from pathlib import Path

    from eventstore.following import Watch


def create(
    path: AnyPath,
    drafts: Sequence[Draft],
    *further: Sequence[Draft],
    by: str,
    at: str,
    key: str | None = None,
    entropy: Entropy = os.urandom,
    wait: float = WAIT,
    network_drive: bool = False,
    disk: Disk = MACHINE,
) -> "JsonlStore":
    """Create a log of one or several appends, whole or not at all; its first draft opens the encounter. Never over another file.

    Raises Malformed, TooLarge, NotWritten, and OutcomeUnknown if the log is there but the disk did not confirm it.
    """
    path = plain_path(path)
    lines = make_lines(put_key(drafts, key), START, by=by, at=at, entropy=entropy)
    data = [lines.data]
    warning = files.check_is_local(disk, path, folder_of(path), allowed=network_drive)
    notes = [(STORE, [Draft(Noted(text=warning))])] if warning else []
    for writer, batch in (*notes, *((by, each) for each in further)):
        lines = make_lines(batch, lines.end, by=writer, at=at, entropy=entropy)
        data.append(lines.data)
    files.create_file(disk, path, data)
    return JsonlStore(path, entropy=entropy, wait=wait, network_drive=network_drive, disk=disk)


class JsonlStore(Store):
    """A store that keeps one encounter in one file. Threads may share a handle; processes share the file by `flock`.

    Appends of threads that come while one is being written are written together, with one sync for all of them.
    Before its first append a handle verifies the whole log, unless it has read it.
    `network_drive` allows writing where locks may not be reliable; the log then notes it. `doubt` is why another handle ceased
    to write, if it did: then the log is brought to the disk again before anything is appended.
    """

    def __init__(
        self,
        path: AnyPath,
        *,
        entropy: Entropy = os.urandom,
        wait: float = WAIT,
        network_drive: bool = False,
        doubt: str = "",
        disk: Disk = MACHINE,
    ) -> None:
        self._path = plain_path(path)
        self._disk, self._wait = disk, wait
        self._held = OpenLog(self._path, disk, wait, network_drive=network_drive, doubt=doubt)
        self._knowledge = Knowledge(self._held)
        self._writer = Writer(self._held, self._knowledge, entropy)
        self._queue = Queue[Append | Task]()
        lets_go_in_children(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> "Path":
        """The path of the file."""
        from pathlib import Path  # whose module takes longer to load than a short log to read

        return Path(self._path)

    def close(self) -> None:
        """Close the file, once the appends of other threads are done; the next append opens it again."""
        with suppress(Busy):
            self._run_job(Task(self._held.give_back))

    @property
    def unwritable(self) -> str:
        """The reason why this handle does not write, or not before the log is synced again; empty if it does."""
        return self._held.poison or self._held.doubt

    def settle(self) -> None:
        """Sync the log again if that is in doubt; raise NotWritten, NotThere or Busy."""
        job = Task(self._held.sync_if_doubtful)
        self._run_job(job)
        if job.error is not None:
            raise job.error

    def _run_job(self, job: Append | Task) -> None:
        if not self._queue.run(job, self._wait, self._writer.write_appends):
            raise Busy(self._path, self._wait, ("another thread of this program",))

    def read(self, after: int | Anchor = 0) -> Iterator[Recorded]:
        """Yield the records after that one, verified; raise NotALog, NotReadable, CorruptLog, Busy or Rewritten.

        After an anchor only the end of the log is read, unless the file changed since this was last done, and did not grow.
        """
        if isinstance(after, Anchor) and after.seq:
            yield from self._knowledge.read_on(after)
            return
        first = after.seq if isinstance(after, Anchor) else after
        with self._walk_log() as walk:
            yield from (record for record in walk if record.seq > first)

    def head(self) -> Anchor:
        """Return seq and hash of the last record; raise as `read` does."""
        with self._walk_log() as walk:
            for _ in walk:
                pass
            return Anchor(walk.seq, walk.hash)

    def verify(self, anchor: Anchor | None = None) -> Verified:
        """Check every line strictly, and against an anchor that was kept elsewhere; faults come back as data."""
        with self._walk_log() as walk:
            return verify_walk(walk, anchor)

    def follow(
        self, after: int | Anchor = 0, *, stop: Event | None = None, watch: "Watch | None" = None
    ) -> Iterator[Recorded]:
        """Yield the records after that one, then new ones; store.py lists its errors.

        `watch` makes the watcher of the file: inotify where the system has it, else polling.
        """
        from eventstore.following import Follower  # rarely asked for

        return iter(Follower(self._disk, self._path, after, stop or Event(), watch))

    @contextmanager
    def _walk_log(self) -> Iterator[Walk]:
        """Walk the log from the start; an append need not verify again what a whole walk has verified."""
        with open_for_reading(self._disk, self._path) as (fd, file):
            status, rest = unsettled_end(self._disk, fd, self._path, self._wait)
            walk = Walk(self._path, file, status.st_size, rest=rest)
            try:
                yield walk
                self._knowledge.keep_walked(walk, fd, status)
            except OSError as error:
                raise self._held.read_error(error) from None

    def _append(self, request: Request) -> Appended:
        job = Append(request)
        self._run_job(job)
        return job.result(self._path)

    def after_fork(self) -> None:
        """Reset the handle in a child process: the inherited queue, lock and descriptor are its parent's."""
        self._queue = Queue()
        self._held.after_fork()
