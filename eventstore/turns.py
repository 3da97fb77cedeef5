"""Several threads, one disk: whoever finds nobody at work does the work of all that wait. No timer, no further thread."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar


class Job:
    """Is what a thread wants done."""

    leads = False
    """Whether it is this job's thread that has to work."""

    def __init__(self) -> None:
        self.gate = threading.Lock()
        """Is shut while its thread waits."""


J = TypeVar("J", bound=Job)


class Turns(Generic[J]):
    """Lets one thread at a time do the jobs of all that came meanwhile.

    Who comes while another works waits at a gate of his own. It opens when his job is done, or when it is his turn to
    work: each waits once, and nobody is woken in vain.
    """

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: list[J] = []
        self._busy = False

    def take(self, job: J, wait: float, work: Callable[[list[J]], None]) -> bool:
        """Return once the job was done, by this thread or another; False, and not done, after `wait` seconds in the queue.

        `work` does jobs; every thread brings the same. A job that was taken up is seen through, however long it takes.
        """
        with self._mutex:
            if self._busy:
                job.gate.acquire()
                self._waiting.append(job)
            else:
                self._busy = job.leads = True
        if not job.leads and not self._waited(job, wait):
            return False
        if job.leads:
            self._lead(job, work)
        return True

    def _waited(self, job: J, wait: float) -> bool:
        """Wait at the gate; False where the job was still in the queue when the time was over."""
        try:
            if job.gate.acquire(timeout=wait):
                return True
            if self._withdrawn(job):
                return False
            return job.gate.acquire()
        except BaseException:  # interrupted: the others go on without this thread
            if not self._withdrawn(job) and job.leads:
                self._pass_on()
            raise

    def _withdrawn(self, job: J) -> bool:
        with self._mutex:
            if waits := job in self._waiting:
                self._waiting.remove(job)
            return waits

    def _lead(self, job: J, work: Callable[[list[J]], None]) -> None:
        with self._mutex:
            others, self._waiting = self._waiting, []
        try:
            work([job, *others])
        finally:
            for other in others:
                other.gate.release()
            self._pass_on()

    def _pass_on(self) -> None:
        with self._mutex:
            if self._waiting:
                following = self._waiting.pop(0)
                following.leads = True
                following.gate.release()
            else:
                self._busy = False
