"""Work on many logs, handed to an engine, and its outcome in the order of the logs.

An engine applies a function that can be imported, and raises nothing, to tasks on many workers; a task whose worker died twice is given up.
Closing the generator early ends the workers within a second, and so does the end of this process. Here are processes on this machine.
"""

import gc
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from encounterlog.bulk.checking import ENGINES, KILLED, AuditedLog, How, Task, Work, audit_task, display_name, find_logs
from encounterlog.bulk.findings import Findings
from encounterlog.errors import Refused
from encounterlog.forks import Readable
from eventstore.address import Url
from eventstore.errors import Malformed
from eventstore.paths import AnyPath, path_text

AHEAD = 16  # the tasks handed out at once for each worker, so that one long log delays nobody


def audit_many(
    places: AnyPath | Url | Iterable[AnyPath | Url],
    *,
    jobs: int | None = None,
    engine: str = "processes",
    scheduler: str | None = None,
) -> Iterator[AuditedLog]:
    """Audit many logs, and return an iterator of the results, one for each, in their order, as soon as each is there.

    `places` are files, folders, or URLs of objects. With one job the work is done in this process. In a script that starts
    worker processes, it is called under `if __name__ == "__main__":`. A log that cannot be read has a `problem`, and so has one of
    several that is not there. `Failure` is raised at once if there are no logs or nothing of all that is named, Malformed for
    what is no path or engine; and later if there are no workers.

    >>> import encounterlog as el
    >>> log = el.new("ford.jsonl", ruleset="osric")
    >>> [(one.log, one.records, one.breaches, one.problem) for one in el.audit_many(".", jobs=1)]
    [('ford.jsonl', 1, 0, None)]
    """
    if engine not in ENGINES:
        raise Malformed("engine", f"there is no engine {engine!r}", f"there are {' and '.join(ENGINES)}")
    if isinstance(places, Readable):
        says = f"the audit of many logs takes paths, got a {type(places).__name__}"
        raise Malformed("places", says, "log.audit() audits one log; audit_many takes its log.address")
    if isinstance(places, str | bytes | bytearray | os.PathLike) or not isinstance(places, Iterable):
        places = [places]
    names = [each.given if isinstance(each, Url) else path_text(each) for each in places]
    how = How("dask" if scheduler else engine, jobs, scheduler)
    return (one for one, _ in resume_tasks([Task(log) for log in find_logs(names)], how, None))


def resume_tasks(tasks: list[Task], how: How, findings: Findings | None) -> Generator[tuple[AuditedLog, bool]]:
    """Yield the outcome for each log, and whether it is that of an earlier run."""
    known = [findings.with_head(task) for task in tasks] if findings else tasks
    with closing(run_tasks(known, how)) as found:
        for task, one in zip(known, found, strict=True):
            if findings and one:
                findings.add(task, one)
            if shown := one or (findings and findings.known_audit(task)):
                yield shown, one is None


def run_tasks(tasks: Sequence[Task], how: How, work: Work = audit_task) -> Generator[AuditedLog | None]:
    """Yield the outcome for each task, in order; None for a log that has not changed since it was known. Closing it early ends the workers."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    jobs = min(how.jobs or processors, len(tasks))
    found: Iterator[AuditedLog | str | None] = map(work, tasks)
    with ExitStack() as stack:
        if how.engine == "dask":
            from encounterlog.bulk import dask  # which is an extra, and slow

            found = stack.enter_context(closing(dask.run(work, tasks, jobs, how.scheduler)))
        elif jobs > 1 and not any(task.log.startswith("memory://") for task in tasks):
            found = stack.enter_context(closing(_run_processes(work, tasks, jobs)))
        for task, one in zip(tasks, found, strict=True):
            yield AuditedLog(display_name(task.log), problem=one) if isinstance(one, str) else one


def _run_processes(work: Work, tasks: Iterable[Task], jobs: int) -> Generator[AuditedLog | str | None]:
    """Yield the results in order; where a worker is killed, the tasks handed out are done again, one at a time."""
    left, most = deque(tasks), AHEAD * jobs
    while left:
        yield from _results_until_broken(min(jobs, len(left)), work, left, most)
        again, suspected = deque(left.popleft() for _ in range(min(most, len(left)))), None
        while again:
            yield from _results_until_broken(1, work, again, 1)
            if again and again[0] is suspected:
                again.popleft()
                yield KILLED
            elif again:
                suspected = again[0]


def _results_until_broken(jobs: int, work: Work, left: deque[Task], most: int) -> Iterator[AuditedLog | None]:
    """Yield results, each of which takes its task from those that are left, until all are done or a worker dies."""
    futures: deque[Future[AuditedLog | None]] = deque()
    with _start_pool(jobs) as pool, suppress(BrokenProcessPool):
        while left:
            with _hold_interrupts():
                futures.extend(pool.submit(work, task) for task in islice(left, len(futures), most))
            result = futures[0].result()
            futures.popleft()
            left.popleft()
            yield result


@contextmanager
def _start_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    # they end at once when this is left, in the middle of any work: each looks at a pipe whose other end is here alone
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
    gc.set_threshold(50_000)  # cycles are rare among the objects of a log
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 – stays open to the end

    def exit_with_parent() -> None:
        wait([ends])
        os._exit(1)

    threading.Thread(target=exit_with_parent, daemon=True).start()
