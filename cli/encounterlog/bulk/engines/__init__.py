"""Engines: each applies a function to many tasks on many workers. A new one needs its module here, and a row below.

A module has a function `run(work, tasks, workers)` that yields the results of `work`, in the order of the tasks; `Lost`
for a task whose worker died twice. The function is importable and raises nothing, and tasks and results can be pickled.
Closing the generator early ends its workers within a second, whatever they are doing, and so does the end of its
process.
"""

from collections.abc import Callable, Generator, Iterable
from importlib import import_module
from typing import NamedTuple, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers(NamedTuple):
    """The number of workers wanted, and the address of the scheduler of existing workers, if there are any."""

    jobs: int
    scheduler: str | None = None


class Lost(NamedTuple):
    """A task that was given up, and why."""

    why: str


KILLED = "the worker process was killed twice while it read this log"
"""The reason for giving up a task."""


class EngineEntry(NamedTuple):
    """An engine's module, what it runs on, and whether it can join workers that are there already."""

    module: str
    says: str
    joins: bool = False


ENGINES = {
    "processes": EngineEntry("encounterlog.bulk.engines.processes", "processes on this machine"),
    "dask": EngineEntry(
        "encounterlog.bulk.engines.dask", "a Dask cluster, by default one of local processes", joins=True
    ),
}
"""Every engine by its name."""


def run(
    engine: str, work: Callable[[Task], Result], tasks: Iterable[Task], workers: Workers
) -> Generator[Result | Lost]:
    """Import one engine and yield its results."""
    yield from import_module(ENGINES[engine].module).run(work, tasks, workers)
