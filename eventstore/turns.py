"""Several threads, one disk: whoever finds nobody at work does the work of all that wait. No timer, no further thread."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

_LOOK = 0.5
"""How often a thread whose job was taken up makes sure that its worker still has it, in seconds."""


class Job:
    """What a thread wants done."""

    def __init__(self) -> None:
        self.gate = threading.Lock()
        """Shut while its thread waits."""


J = TypeVar("J", bound=Job)


class Turns(Generic[J]):
    """A queue of threads, of which one at a time does the jobs of all that came meanwhile.

    Who comes while another works waits at a gate of his own. It opens when his job is done, or when it is his turn to
    work: each waits once, and nobody is woken in vain. What a job has come to stands in who leads, who waits and what was
    taken up, not in the gates: an interrupt at any point costs the others a moment, and no more.
    """

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._leader: J | None = None
        self._waiting: list[J] = []
        self._taken: list[J] = []
        """What the leader does besides his own job."""

    @property
    def waiting(self) -> int:
        """How many jobs wait to be taken up."""
        return len(self._waiting)

    def take(self, job: J, wait: float, work: Callable[[list[J]], None]) -> bool:
        """Return once the job was done, by this thread or another; False, and not done, after `wait` seconds in the queue.

        `work` does jobs; every thread brings the same. A job that was taken up is seen through, however long it takes.
        """
        try:
            with self._mutex:
                if self._leader is None:
                    self._leader = job
                else:
                    job.gate.acquire()
                    self._waiting.append(job)
            if self._leader is not job and not self._waited(job, wait):
                return False
            if self._leader is job:
                self._lead(job, work)
        except BaseException:  # interrupted: the others go on without this thread
            self._leave(job)
            raise
        return True

    def _waited(self, job: J, wait: float) -> bool:
        """Wait until the job leads or is done; False where it was still in the queue when the time was over."""
        job.gate.acquire(timeout=wait)
        while True:
            with self._mutex:
                if job in self._waiting:
                    self._waiting.remove(job)
                    return False
                if job not in self._taken:  # it leads, or is done
                    return True
            job.gate.acquire(timeout=_LOOK)

    def _lead(self, job: J, work: Callable[[list[J]], None]) -> None:
        with self._mutex:
            self._taken, self._waiting = self._waiting, []
        work([job, *self._taken])
        self._pass_on()

    def _leave(self, job: J) -> None:
        with self._mutex:
            if job in self._waiting:
                self._waiting.remove(job)
        if self._leader is job:
            self._pass_on()

    def _pass_on(self) -> None:
        """Let go those whose jobs were taken up, and let the next one lead."""
        with self._mutex:
            done, self._taken = self._taken, []
            self._leader = self._waiting[0] if self._waiting else None
            del self._waiting[:1]
            for job in (*done, self._leader):
                if job is not None:
                    with suppress(RuntimeError):  # it is open
                        job.gate.release()
