"""Worker processes on this machine, each freshly started: nothing of this process is inherited."""

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from typing import Any

from encounterlog.__main__ import RARELY
from encounterlog.edge.failures import NOT_WRITTEN, Failure
from encounterlog.many.engines import KILLED, Lost, Result, Task, Workers

AHEAD = 16
"""How many tasks a worker are handed out at once, so that one long log keeps nobody waiting."""


def run(work: Callable[[Task], Result], tasks: Iterable[Task], workers: Workers) -> Iterator[Result | Lost]:
    """Yield the results in order; where a worker is killed, the tasks handed out are done again, one at a time."""
    left, most = deque(tasks), AHEAD * workers.jobs
    while left:
        with _pool(min(workers.jobs, len(left))) as pool:
            yield from _until_broken(pool, work, left, most)
        again = [left.popleft() for _ in range(min(most, len(left)))]
        yield from _one_by_one(work, again)


def _until_broken(
    pool: ProcessPoolExecutor, work: Callable[[Task], Result], left: deque[Task], most: int
) -> Iterator[Result]:
    """Yield results, each of which takes its task from those that are left, until all are done or a worker dies."""
    futures: deque[Future[Result]] = deque()
    try:
        while left:
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
        with _pool(1) as pool:
            yield from _until_broken(pool, work, left, 1)
        if left and left[0] is suspected:
            left.popleft()
            yield Lost(KILLED)
        elif left:
            suspected = left[0]


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start so many processes; raise Failure if the system or the calling script does not let them start."""
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin)
    try:
        pool.submit(os.getpid).result()
        yield pool
    except (BrokenProcessPool, OSError) as error:
        hint = "a script calls it under: if __name__ == '__main__':"
        raise Failure(NOT_WRITTEN, f"worker processes cannot be started: {error}", hint) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Prepare a worker: Ctrl-C is its parent's affair, progress too, and without its parent it has nothing to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(RARELY)
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 – stays open to the end
    threading.Thread(target=_end_with, args=(parent_process(),), daemon=True).start()


def _end_with(parent: Any) -> None:
    wait([parent.sentinel])
    os._exit(1)
