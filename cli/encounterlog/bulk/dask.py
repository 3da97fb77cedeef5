"""Dask: the workers of a cluster on any number of machines, or of a local one that lives as long as the work."""

import logging
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from encounterlog.bulk.checking import KILLED, AuditedLog, Task, Work
from encounterlog.errors import Refused, missing_extra

try:
    import dask
    from distributed import Client, LocalCluster
    from distributed.core import Status
    from distributed.scheduler import KilledWorker
except ImportError:
    raise missing_extra("refused", "--engine dask needs Dask, which is not installed", "dask") from None

GROUP, AHEAD = 16, 64
"""The most tasks in one of the scheduler, whose work for each takes as long as a short log, and how many of these it has at once."""
LOCAL = {"distributed.scheduler.allowed-failures": 1, "distributed.deploy.lost-worker-timeout": "365 days"}
"""A task is given up after its second worker has died; a worker that dies is replaced however slowly, as without any the work would wait for ever."""


def run(work: Work, tasks: Sequence[Task], jobs: int, scheduler: str | None) -> Generator[AuditedLog | str | None]:
    """Yield the results in order, from the cluster of a scheduler or a local one; raise Refused if there is no cluster."""
    size = max(1, min(GROUP, len(tasks) // (jobs * 4)))
    groups = (tasks[first : first + size] for first in range(0, len(tasks), size))
    futures: deque[tuple[Any, Sequence[Task]]] = deque()
    with _connect_client(jobs, scheduler) as client:
        while True:
            more = islice(groups, AHEAD - len(futures))
            futures.extend((client.submit(_run_group, work, group, pure=False), group) for group in more)
            if not futures:
                return
            future, group = futures.popleft()
            try:
                yield from future.result()
            except KilledWorker:  # its tasks are done each by itself, side by side
                alone = [(client.submit(work, task, pure=False), task) for task in group]
                yield from (_await_task(client, each, work, task) for each, task in alone)


def _run_group(work: Work, group: Sequence[Task]) -> list[AuditedLog | None]:
    return [work(task) for task in group]


def _await_task(client: Client, future: Any, work: Work, task: Task) -> Any:
    """Return a result; a task whose workers died is tried again, since another task may have killed them."""
    for each in (future, None):
        with suppress(KilledWorker):
            return (each or client.submit(work, task, pure=False)).result()
    return KILLED


@contextmanager
def _connect_client(jobs: int, scheduler: str | None) -> Iterator[Client]:
    # the processes of a local cluster are killed if the work is given up: asked to end, they would first finish their logs
    if scheduler:
        try:
            client = Client(scheduler)
        except (OSError, ValueError) as error:
            says = f"no Dask scheduler answers at {scheduler}: {error}"
            raise Refused("not-written", says, "--scheduler tcp://HOST:8786") from None
        with client:
            yield client
        return
    with local_cluster(jobs) as cluster, Client(cluster) as client:
        try:
            yield client
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt | GeneratorExit):  # which tasks did not finish is not reported
                logging.getLogger("asyncio").setLevel(logging.CRITICAL + 1)
            # its handlers speak again once the cluster is closed
            logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
            for nanny in cluster.workers.values():
                nanny.status = Status.closing_gracefully  # so that it starts no other in the place of the one that ends
                with suppress(OSError, TypeError):  # it is gone, or not there yet
                    os.kill(nanny.pid, signal.SIGKILL)
            raise


@contextmanager
def local_cluster(jobs: int) -> Iterator[LocalCluster]:
    """Start a cluster of so many processes on this machine, without a dashboard for others."""
    quiet = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL}
    with dask.config.set(LOCAL), LocalCluster(n_workers=jobs, threads_per_worker=1, **quiet) as cluster:
        yield cluster
