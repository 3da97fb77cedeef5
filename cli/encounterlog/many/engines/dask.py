"""Dask: the workers of a cluster on any number of machines, or of a local one that lives as long as the work."""

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from encounterlog.edge.failures import NOT_WRITTEN, REFUSED, Failure
from encounterlog.many.engines import KILLED, Lost, Result, Task, Workers

if TYPE_CHECKING:
    from distributed import Client

AHEAD = 1_000
"""How many tasks are handed to the scheduler at once."""
NOBODY = "127.0.0.1:0"
"""Where the dashboard of a local cluster listens: at a port that is free, for nobody else."""
DEATHS = 1
"""How many workers of a local cluster may die of a task before it is given up."""


def run(work: Callable[[Task], Result], tasks: Iterable[Task], workers: Workers) -> Iterator[Result | Lost]:
    """Yield the results in order; raise Failure if Dask is not installed, or there is no cluster."""
    left: deque[Task] = deque(tasks)
    futures: deque[Any] = deque()
    with _client(workers) as client:
        while left:
            more = islice(left, len(futures), AHEAD)
            futures.extend(client.submit(work, task, pure=False) for task in more)
            yield _result(client, futures.popleft(), work, left.popleft())


def _result(client: "Client", future: Any, work: Callable[[Task], Result], task: Task) -> Result | Lost:
    """Return a result; a task whose workers died may have been beside the one that they died of, and is tried again."""
    from distributed.scheduler import KilledWorker

    for each in (future, None):
        try:
            found: Result = (each or client.submit(work, task, pure=False)).result()
        except KilledWorker:
            continue
        return found
    return Lost(KILLED)


@contextmanager
def _client(workers: Workers) -> Iterator["Client"]:
    """Connect to a scheduler, or start a local cluster without a dashboard."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        hint = "install the extra dask: pip install 'encounterlog[dask]'"
        raise Failure(REFUSED, "--engine dask needs Dask, which is not installed", hint) from None
    if workers.scheduler:
        try:
            client = Client(workers.scheduler)
        except (OSError, ValueError) as error:
            says = f"no Dask scheduler answers at {workers.scheduler}: {error}"
            raise Failure(NOT_WRITTEN, says, "--scheduler tcp://HOST:8786") from None
        with client:
            yield client
        return
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": DEATHS}),
        LocalCluster(
            n_workers=workers.jobs, threads_per_worker=1, dashboard_address=NOBODY, silence_logs=logging.CRITICAL
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client
