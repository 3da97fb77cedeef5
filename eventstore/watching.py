"""Waiting until a file may have changed: inotify if the system has it, else polling.

A watcher may wake too often, and may miss a change: callers have to look themselves from time to time.
"""

import os
import select
import time
from collections.abc import Callable
from typing import Protocol

EVERY = 0.01
"""The pause between two looks of polling, in seconds."""

_MODIFY, _ATTRIB, _DELETE_SELF, _MOVE_SELF = 0x2, 0x4, 0x400, 0x800
_EVENTS = 1 << 16


class Watcher(Protocol):
    """A watcher of one file, which waits for changes since it was created."""

    def wait(self, seconds: float) -> None:
        """Return when the file may have changed, after so many seconds at the latest."""

    def close(self) -> None:
        """Release the resources of the system."""


Watch = Callable[[str], Watcher]
"""The function that returns a watcher of the file that has this name now."""


class Inotify:
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


class Polling:
    """A watcher that only waits a short time: it works everywhere, also for changes by other machines."""

    def __init__(self, path: str) -> None:
        del path

    def wait(self, seconds: float) -> None:
        """Return after a moment."""
        time.sleep(min(seconds, EVERY))

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def soonest(path: str) -> Watcher:
    """Return the watcher that wakes soonest here."""
    try:
        return Inotify(path)
    except (OSError, AttributeError, ImportError, TypeError):  # another system, or it lends no more
        return Polling(path)
