"""Engines: each applies a function to many tasks on many workers. A new one needs its module here, and a row below.

A module has a function `run(work, tasks, workers)` that yields, in the order of the tasks, what `work` returns for each;
`Lost` for a task whose worker died twice. The function is importable and raises nothing, and tasks and results can be pickled.
A generator that is closed early ends its workers within a second, whatever they are at, and so does the end of its process.
"""

from collections.abc import Callable, Generator, Iterable
from importlib import import_module
from typing import NamedTuple, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers(NamedTuple):
    """How many workers are wanted, and the address of the scheduler of those that are there already, if any."""

    jobs: int
    scheduler: str | None = None


class Lost(NamedTuple):
    """A task that was given up, and why."""

    why: str


KILLED = "the worker process was killed twice while it read this log"
"""Why a task is given up."""


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
    """Import one engine and yield what it yields."""
    yield from import_module(ENGINES[engine].module).run(work, tasks, workers)
