"""Following a log on disk: its records, then new ones, each once, whatever happens to the file.

Each look continues from the verified place. A fault counts only if it lasts for a while, since the file may be in the
middle of a replacement. A failed sync counts at once, since it must not be repeated. A watcher wakes the follower: inotify if the
system has it, else polling. It may wake too often, and may miss a change: so the follower looks from time to time.
"""

import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

from eventstore import files
from eventstore.chain import START, Anchor, LogPosition
from eventstore.disk import Disk
from eventstore.ending import record_still_stands, unsettled_end
from eventstore.errors import Busy, CorruptLog, NotALog, NotReadable, NotThere, Rewritten, StoreError
from eventstore.known_part import hash_of_record
from eventstore.open_log import changing_state, file_identity
from eventstore.reading import open_for_reading, walk_from
from eventstore.record import Recorded, ends_batch
from eventstore.store import ATTENTION

EVERY = 0.01
"""The pause between two looks of polling, in seconds."""

_MODIFY, _ATTRIB, _DELETE_SELF, _MOVE_SELF = 0x2, 0x4, 0x400, 0x800
_EVENTS = 1 << 16


class Watcher:
    """A watcher of one file, for changes since it was created, which only waits a short time: it works everywhere, also for changes by
    other machines.
    """

    def __init__(self, path: str) -> None:
        """Begin to watch."""

    def wait(self, seconds: float) -> None:
        """Return when the file may have changed, after so many seconds at the latest."""
        time.sleep(min(seconds, EVERY))

    def close(self) -> None:
        """Release what the system lent."""


Watch = Callable[[str], Watcher]
"""The function that returns a watcher of the file that has this name now."""


class Inotify(Watcher):
    """A watcher that Linux notifies when a process of this machine changes, moves or replaces the file."""

    def __init__(self, path: str) -> None:
        """Begin to watch; raise OSError or AttributeError where the system does not let us, or has no inotify."""
        from ctypes import CDLL, get_errno

        system = CDLL(None, use_errno=True)
        self._fd = system.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._fd == -1:
            raise OSError(get_errno(), "inotify_init1")
        changes = _MODIFY | _ATTRIB | _DELETE_SELF | _MOVE_SELF
        if system.inotify_add_watch(self._fd, os.fsencode(path), changes) == -1:
            error = get_errno()
            self.close()
            raise OSError(error, "inotify_add_watch")
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN)

    def wait(self, seconds: float) -> None:
        """Return when the file may have changed, after so many seconds at the latest."""
        if self._poll.poll(seconds * 1e3):
            os.read(self._fd, _EVENTS)

    def close(self) -> None:
        """Release the resources of the system."""
        os.close(self._fd)


def fastest_watcher(path: str) -> Watcher:
    """Return the watcher that wakes soonest here."""
    try:
        return Inotify(path)
    except (OSError, AttributeError, ImportError, TypeError):  # another system, or it lends no more
        return Watcher(path)


PATIENCE: dict[type[StoreError], float] = {NotThere: 3.0, CorruptLog: 0.4, NotALog: 0.4, Rewritten: 0.4}
"""The time after which a fault counts, in seconds; one that is not listed counts at once."""
_PAUSE = 0.05


class Follower:
    """A reader that goes through a log and waits for more, until it is stopped.

    Its place is the end of the last batch that it read, or an anchor that must still be found.
    """

    def __init__(
        self, disk: Disk, path: str, after: int | Anchor, stop: threading.Event, watch: Watch | None = None
    ) -> None:
        self._disk, self._path, self._stop, self._watch = disk, path, stop, watch or fastest_watcher
        self._after = after if isinstance(after, int) else after.seq
        self._place = START if isinstance(after, int) else LogPosition(0, after.seq, after.hash)
        self._patient = False
        """Whether the log was good once: until then every fault counts at once."""
        self._waited = 0.0

    def __iter__(self) -> Iterator[Recorded]:
        """Yield every record once; raise as store.py says of `follow`."""
        while not self._stop.is_set():
            try:
                with open_for_reading(self._disk, self._path) as (fd, _), closing(self._watch(self._path)) as changes:
                    yield from self._records_of_file(fd, changes)
            except StoreError as error:
                self._wait_or_raise(error)
            except FileNotFoundError:
                self._wait_or_raise(NotThere(self._path, "is not there any more"))
            except OSError as error:
                raise NotReadable(self._path, files.system_message(error)) from None

    def _wait_or_raise(self, error: StoreError) -> None:
        """Wait a moment for a fault to go away; raise it if it has lasted too long."""
        if not self._patient or self._waited >= PATIENCE.get(type(error), 0.0):
            raise error from None
        self._stop.wait(_PAUSE)
        self._waited += _PAUSE

    def _records_of_file(self, fd: int, changes: Watcher) -> Iterator[Recorded]:
        """Yield the new records of an open file until another file has its name."""
        file, seen = file_identity(self._disk.fstat(fd)), None
        while not self._stop.is_set():
            status = self._disk.stat(self._path)
            if file_identity(status) != file:
                return
            if changing_state(status) != seen:
                try:
                    status, rest = unsettled_end(self._disk, fd, self._path, ATTENTION, named=seen is not None)
                except Busy:
                    continue
                yield from self._new_records(fd, status.st_size, rest, restarted=seen is None)
                seen, self._patient, self._waited = changing_state(status), True, 0.0
            changes.wait(ATTENTION)

    def _new_records(self, fd: int, size: int, rest: bytes, *, restarted: bool) -> Iterator[Recorded]:
        """Yield the records after the place; a torn tail is left to the next writer."""
        known = self._place
        goes_on = not restarted and record_still_stands(self._disk, fd, known)
        walk = walk_from(self._disk, fd, self._path, size, known if goes_on else START, rest)
        records = iter(walk)
        if not goes_on and known.seq:
            if (found := hash_of_record(records if size else (), known.seq)) != known.hash:
                raise Rewritten.at(self._path, Anchor(known.seq, known.hash), found)
            self._place = walk.place
        try:
            for record in records:
                self._place = walk.place
                if record.seq > self._after:
                    yield record
                if self._stop.is_set() and ends_batch(record):
                    return
        except CorruptLog as error:
            if not error.torn:
                raise
