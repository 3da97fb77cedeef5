"""Many logs at once: their places, the work on one of them, the engines that spread it, and the results."""

from pathlib import Path
from typing import NamedTuple

ENGINES = {"processes": "processes on this machine", "dask": "a Dask cluster, by default one of local processes"}
"""The kinds of workers, by their names."""
KILLED = "the worker process was killed twice while it read this log"
"""The reason for giving up a task; an engine yields it in the place of a result."""


class How(NamedTuple):
    """How the work is spread, and the file for findings."""

    engine: str = "processes"
    jobs: int | None = None
    scheduler: str | None = None
    out: Path | None = None
    resume: bool = False
