"""Work on many logs: handed to an engine, and its outcome in the order of the logs."""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import Any

from encounterlog.bulk import ENGINES, How
from encounterlog.bulk.checking import AuditedLog, Task, audit_task
from encounterlog.bulk.findings import Findings
from encounterlog.bulk.locations import display_name, find_logs
from encounterlog.bulk.processes import Lost, run
from encounterlog.forks import Readable
from eventstore.address import Url
from eventstore.errors import Malformed
from eventstore.paths import AnyPath, path_text


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
    how = How("dask" if scheduler else engine, jobs, scheduler)
    return _audit_tasks([Task(log) for log in find_logs(_names_of_places(places))], how)


def _audit_tasks(tasks: Sequence[Task], how: How) -> Iterator[AuditedLog]:
    """Yield the findings of each log; the workers end with the iteration."""
    with closing(run_tasks(tasks, how)) as found:
        yield from (one for one in found if one)


def _names_of_places(places: Any) -> list[str]:
    """Return the names of one place or of several; raise Malformed for other values."""
    if isinstance(places, Readable):
        says = f"the audit of many logs takes paths, got a {type(places).__name__}"
        raise Malformed("places", says, "log.audit() audits one log; audit_many takes its log.address")
    several = isinstance(places, Iterable) and not isinstance(places, str | bytes | bytearray | os.PathLike)
    return [each.given if isinstance(each, Url) else path_text(each) for each in (places if several else [places])]


def run_tasks(
    tasks: Sequence[Task], how: How, work: Callable[[Task], AuditedLog | None] = audit_task
) -> Generator[AuditedLog | None]:
    """Yield the outcome for each task, in order; None for a log that has not changed since it was known. Closing it early ends the workers."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    jobs = min(how.jobs or processors, len(tasks))
    here = how.engine == "processes" and (jobs == 1 or any(task.log.startswith("memory://") for task in tasks))
    with ExitStack() as stack:
        found: Iterator[AuditedLog | Lost | None] = map(work, tasks)
        if how.engine == "processes" and not here:
            found = stack.enter_context(closing(run(work, tasks, jobs)))
        elif not here:
            from encounterlog.bulk import dask  # which is an extra, and slow

            found = stack.enter_context(closing(dask.run(work, tasks, jobs, how.scheduler)))
        for task, one in zip(tasks, found, strict=True):
            yield AuditedLog(display_name(task.log), problem=one.why) if isinstance(one, Lost) else one


def resume_tasks(tasks: list[Task], how: How, findings: Findings | None) -> Generator[tuple[AuditedLog, bool]]:
    """Yield the outcome for each log, and whether it is that of an earlier run."""
    known = [findings.with_head(task) for task in tasks] if findings else tasks
    with closing(run_tasks(known, how)) as found:
        for task, one in zip(known, found, strict=True):
            if findings and one:
                findings.add(task, one)
            if shown := one or (findings and findings.known_audit(task)):
                yield shown, one is None
