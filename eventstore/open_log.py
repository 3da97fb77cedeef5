"""An open log: locking, writing and syncing it, and taking back failed writes."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from eventstore import files
from eventstore.chain import LogPosition
from eventstore.disk import APPEND, Disk
from eventstore.ending import record_still_stands
from eventstore.errors import NotReadable, NotThere, NotWritten, OutcomeUnknown

WAIT = 5.0
"""The longest wait for a lock, in seconds."""

File = tuple[int, int]
"""The identity of a file: device and inode."""
State = tuple[int, int, int, int, int]
"""The part of a file's status that changes with every write: device, inode, size, times of the last changes of bytes and status."""

_CLOSED = -1
"""The descriptor of a log that is not open; an open one may have any other, including 0."""


class OpenLog:
    """A log to which one handle writes: its descriptor, its lock, its file, and the reason why writing has stopped.

    It is opened when it is first locked, and again if another file has taken its name. `warning` is the note that the log owes
    about its file system, `poison` the reason why this handle writes no more. `doubt` says why the file may show more than is
    durable: a sync failed, after which the system takes data for written that is not. Then all of it is written again first.
    """

    fd = _CLOSED
    file: File

    def __init__(self, path: str, disk: Disk, wait: float, *, network_drive: bool, doubt: str = "") -> None:
        self.path, self.disk, self.doubt = path, disk, doubt
        self.warning = self.poison = ""
        self.wait, self._network_drive = wait, network_drive
        self._is_named = True
        """Whether the name is synced, or a second name would show that it is not."""

    def __del__(self) -> None:
        self.give_back()

    def give_back(self) -> None:
        """Close the file, which releases the lock."""
        fd, self.fd = self.fd, _CLOSED
        if fd != _CLOSED:
            with suppress(OSError):  # it is closed all the same, and its bytes were synced
                self.disk.close(fd)

    close = after_fork = give_back

    def sync_if_doubtful(self) -> None:
        """Bring the log to the disk again if that is in doubt; raise as `locked` does."""
        with self.hold_lock():
            pass

    @contextmanager
    def hold_lock(self) -> Iterator[os.stat_result]:
        """Keep the log open and locked, so that no other process writes; raise as `locked` does, and NotReadable."""
        try:
            yield self.lock_log()
        except OSError as error:  # of reading; writers report it themselves
            raise self.read_error(error) from None
        finally:
            self.unlock()

    def lock_log(self) -> os.stat_result:
        """Open the log if it is not open, lock it and return its state; raise NotThere, NotWritten, Busy."""
        if self.poison:
            raise NotWritten(self.path, f"this handle writes no more: {self.poison}", "open the log again")
        if not self.disk.can_lock:
            why = "this system has no flock, without which writers would spoil each other's lines"
            raise NotWritten(self.path, why)
        while True:
            try:
                if self.fd == _CLOSED:
                    self._open_file()
                files.lock_file(self.disk, self.fd, self.path, self.wait)
                status = self.disk.stat(self.path)
                if file_identity(status) == self.file and self.doubt:
                    self._write_again(status.st_size)
                elif file_identity(status) == self.file:
                    if status.st_nlink > 1 or not self._is_named:
                        files.sync_name(self.disk, self.path)
                        self._is_named = True
                    return status
            except FileNotFoundError:
                self.give_back()
                raise NotThere(self.path, "is not there", "encounter new makes a log") from None
            except (OSError, ValueError) as error:
                self.give_back()
                raise NotWritten(self.path, files.system_message(error), files.write_hint(error)) from None
            self.give_back()

    def unlock(self) -> None:
        """Release the lock, and close the file if the system cannot release the lock alone."""
        try:
            if self.fd != _CLOSED:
                self.disk.unlock(self.fd)
        except OSError:
            self.give_back()

    def read_error(self, error: OSError) -> NotReadable:
        """Return the error that the log could not be read."""
        return NotReadable(self.path, files.system_message(error), files.write_hint(error))

    def _open_file(self) -> None:
        kind = self.disk.kind(self.path)
        self.warning = files.network_warning(kind, self.path, allowed=self._network_drive)
        self.fd = self.disk.open(self.path, APPEND)
        self.file = file_identity(self.disk.fstat(self.fd))
        self._is_named = files.shows_second_names(kind)

    def _write_again(self, size: int) -> None:
        """Replace a file that may not be on the disk by a new one with the same bytes, all synced."""
        try:
            files.replace_file(self.disk, self.fd, self.path, files.read_pieces(self.disk, self.fd, 0, size))
        except OutcomeUnknown as error:  # of its name
            raise NotWritten(self.path, error.why, error.hint) from None
        self.doubt = ""

    def write_lines(self, data: bytes, size: int, *, durable: bool) -> None:
        """Write all lines in one call after `size` bytes and sync them, or take them back.

        Raises NotWritten, or OutcomeUnknown if that cannot be known; then this handle writes no more.
        """
        try:
            files.write_all(self.disk, self.fd, data)
            if durable:
                self.sync_or_truncate(size)
        except OSError as error:
            self._take_back(size, error)
        except KeyboardInterrupt:
            self.poison = "it was interrupted"
            raise

    def sync_or_truncate(self, size: int | None = None) -> None:
        """Sync the log; if that fails, take back the bytes beyond `size`, so that no reader relies on them."""
        try:
            self.disk.sync(self.fd)
        except OSError as error:
            why = f"the disk did not confirm the append: {files.system_message(error)}"
            with suppress(OSError):
                if size is not None:
                    self.disk.truncate(self.fd, size)
            self._poison(why)

    def state_after_write(self, place: LogPosition) -> State | None:
        """Return the state of the log after a write; None if a process without the lock has added to it since.

        Raises OutcomeUnknown if what was written is not found in the log.
        """
        try:
            status = self.disk.stat(self.path)
        except OSError as error:
            raise OutcomeUnknown(
                self.path, f"the log was taken away meanwhile: {files.system_message(error)}"
            ) from None
        if file_identity(status) != self.file:
            raise OutcomeUnknown(self.path, "another file took the place of the log meanwhile")
        if status.st_size == place.offset:
            return changing_state(status)
        if self.has_record(place):
            return None
        raise OutcomeUnknown(self.path, "a program without the lock changed the log meanwhile")

    def has_record(self, place: LogPosition) -> bool:
        """Return whether the record that ended at a place still does."""
        return record_still_stands(self.disk, self.fd, place)

    def put_aside(self, start: int, end: int, seq: int, why: str) -> None:
        """Move the bytes from a place on into a side file, `torn` or `damaged`, for record `seq`; raise NotWritten."""
        try:
            files.keep_aside(self.disk, self.fd, start, end, self.path, seq, why)
            files.truncate_file(self.disk, self.fd, start)
        except OSError as error:
            says = f"the {why} end could not be put aside: {files.system_message(error)}"
            raise NotWritten(self.path, says, files.write_hint(error)) from None

    def _take_back(self, size: int, error: OSError) -> NoReturn:
        why = files.system_message(error)
        try:
            files.truncate_file(self.disk, self.fd, size)
        except OSError as second:
            self._poison(f"{why}; and the written part could not be taken back: {files.system_message(second)}")
        raise NotWritten(self.path, why, files.write_hint(error)) from None

    def _poison(self, why: str) -> NoReturn:
        self.poison = why
        raise OutcomeUnknown(self.path, why) from None


def file_identity(status: os.stat_result) -> File:
    """Return the identity of the file that a status is of."""
    return status.st_dev, status.st_ino


def changing_state(status: os.stat_result) -> State:
    """Return the part of a status that changes with every write."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
