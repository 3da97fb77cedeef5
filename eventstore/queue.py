"""What threads and processes share: a queue for one disk, in which a thread that finds no leader does the jobs of all that wait, without
timers; and handles that are reset in child processes.
"""

import os
from _thread import allocate_lock  # the locks of threading, which takes longer to load
from _weakref import ref  # that of weakref, which takes longer to load
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, Protocol, TypeVar

from eventstore.malformed import StoreError

_LOOK = 0.5
"""The interval at which a thread checks that the leader still has its job, in seconds."""


class Job:
    """A job of a thread."""

    def __init__(self) -> None:
        self.gate = allocate_lock()
        """The lock that is held while its thread waits."""


class Task(Job):
    """A job that is done alone, with the error of the store that it raised."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work
        self.error: StoreError | None = None

    def do(self) -> None:
        """Do the job, and keep its error."""
        try:
            self._work()
        except StoreError as error:
            self.error = error


J = TypeVar("J", bound=Job)


class Queue(Generic[J]):
    """A queue of threads, of which one at a time does the waiting jobs of all.

    A thread that arrives while another works waits at its own gate. The gate opens when its job is done, or when it is
    its turn to work: each waits once, and none is woken in vain. The state of a job is in the leader, the queue and the
    jobs taken up, not in the gates: an interrupt at any point only delays the others a moment.
    """

    def __init__(self) -> None:
        self._mutex = allocate_lock()
        self._leader: J | None = None
        self._waiting: list[J] = []
        self._taken: list[J] = []
        """The jobs that the leader does together with its own."""

    def run(self, job: J, wait: float, work: Callable[[list[J]], None]) -> bool:
        """Return when the job is done, by this thread or another; False, and not done, after `wait` seconds in the queue.

        `work` does jobs, and is the same for every thread. A job that was taken up is finished, however long it takes.
        """
        try:
            with self._mutex:
                if self._leader is None:
                    self._leader = job
                else:
                    job.gate.acquire()
                    self._waiting.append(job)
            if self._leader is not job and not self._wait_in_queue(job, wait):
                return False
            if self._leader is job:
                self._run_jobs(job, work)
        except BaseException:  # interrupted: the others go on without this thread
            self._leave_queue(job)
            raise
        return True

    def _wait_in_queue(self, job: J, wait: float) -> bool:
        """Wait until the job leads or is done; return False if it was still in the queue when the time was over."""
        job.gate.acquire(timeout=wait)
        while True:
            with self._mutex:
                if job in self._waiting:
                    self._waiting.remove(job)
                    return False
                if job not in self._taken:  # it leads, or is done
                    return True
            job.gate.acquire(timeout=_LOOK)

    def _run_jobs(self, job: J, work: Callable[[list[J]], None]) -> None:
        with self._mutex:
            self._taken, self._waiting = self._waiting, []
        work([job, *self._taken])
        self._hand_over()

    def _leave_queue(self, job: J) -> None:
        with self._mutex:
            if job in self._waiting:
                self._waiting.remove(job)
        if self._leader is job:
            self._hand_over()

    def _hand_over(self) -> None:
        """Release the threads whose jobs were taken up, and let the next one lead."""
        with self._mutex:
            done, self._taken = self._taken, []
            self._leader = self._waiting[0] if self._waiting else None
            del self._waiting[:1]
            for job in (*done, self._leader):
                if job is not None:
                    with suppress(RuntimeError):  # it is open
                        job.gate.release()


class Inherited(Protocol):
    """A handle that a child process must not continue to use."""

    def after_fork(self) -> None:
        """Reset the handle in a child process."""


def lets_go_in_children(handle: Inherited) -> None:
    """Reset a handle in every child process, which would otherwise hold its parent's lock even after the parent's death."""
    _HANDLES.add(ref(handle, _HANDLES.discard))


_HANDLES: set[ref[Inherited]] = set()


def _reset_in_child() -> None:
    for each in tuple(_HANDLES):
        if (handle := each()) is not None:
            handle.after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_reset_in_child)
