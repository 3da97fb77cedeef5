"""Worker processes on this machine, each freshly started: nothing of this process is inherited.

Like dask.py, it applies a function to many tasks on many workers, and yields the results in the order of the tasks; `Lost` for a
task whose worker died twice. The function can be imported and raises nothing, and tasks and results can be pickled. Closing the
generator early ends the workers within a second, whatever they are doing, and so does the end of this process.
"""

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import NamedTuple, TypeVar

from encounterlog.errors import Refused

Task = TypeVar("Task")
Result = TypeVar("Result")

KILLED = "the worker process was killed twice while it read this log"
"""The reason for giving up a task."""
RARELY = 50_000
"""The number of objects made before the garbage collector looks for cycles among them."""
AHEAD = 16
"""The number of tasks handed out at once for each worker, so that one long log delays nobody."""


class Lost(NamedTuple):
    """A task that was given up, and why."""

    why: str


def run(work: Callable[[Task], Result], tasks: Iterable[Task], jobs: int) -> Generator[Result | Lost]:
    """Yield the results in order; where a worker is killed, the tasks handed out are done again, one at a time."""
    left, most = deque(tasks), AHEAD * jobs
    while left:
        with _start_pool(min(jobs, len(left))) as pool:
            yield from _results_until_broken(pool, work, left, most)
        again = [left.popleft() for _ in range(min(most, len(left)))]
        yield from _one_by_one(work, again)


def _results_until_broken(
    pool: ProcessPoolExecutor, work: Callable[[Task], Result], left: deque[Task], most: int
) -> Iterator[Result]:
    """Yield results, each of which takes its task from those that are left, until all are done or a worker dies."""
    futures: deque[Future[Result]] = deque()
    try:
        while left:
            with _hold_interrupts():
                futures.extend(pool.submit(work, task) for task in islice(left, len(futures), most))
            result = futures[0].result()
            futures.popleft()
            left.popleft()
            yield result
    except BrokenProcessPool:
        return


def _one_by_one(work: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result | Lost]:
    """Yield results; the second time that a worker dies of the same task, that task is given up."""
    left, suspected = deque(tasks), None
    while left:
        with _start_pool(1) as pool:
            yield from _results_until_broken(pool, work, left, 1)
        if left and left[0] is suspected:
            left.popleft()
            yield Lost(KILLED)
        elif left:
            suspected = left[0]


@contextmanager
def _start_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start so many processes; raise Refused if the system or the calling script does not let them start.

    They are ended at once when this is left, in any way and in the middle of any work: each looks at a pipe whose other end is here alone.
    """
    context = get_context("spawn")
    ends, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, context, _isolate_worker, (ends,))
    try:
        with _hold_interrupts():
            first = pool.submit(os.getpid)
        first.result()
        yield pool
    except (BrokenProcessPool, OSError) as error:
        hint = "a script calls it under: if __name__ == '__main__':"
        raise Refused("not-written", f"worker processes cannot be started: {error}", hint) from None
    finally:
        held.close()
        pool.shutdown(cancel_futures=True)
        ends.close()


@contextmanager
def _hold_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back for a moment: a worker that starts in it never gets one, also before it can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _isolate_worker(ends: Connection) -> None:
    """Prepare a worker: Ctrl-C is its parent's affair, progress too, and without its parent it has nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(RARELY)
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 – stays open to the end
    threading.Thread(target=_exit_with_parent, args=(ends,), daemon=True).start()


def _exit_with_parent(ends: Connection) -> None:
    wait([ends])
    os._exit(1)
