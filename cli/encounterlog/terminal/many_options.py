"""The options of commands that work on many logs at once."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from encounterlog.bulk.engines import ENGINES
from encounterlog.bulk.how import How
from encounterlog.errors import Refused
from encounterlog.terminal import options

_RUNS_ON = "; ".join(f"{name}: {row.says}" for name, row in ENGINES.items())


jobs = click.option(
    "--jobs", type=options.Whole(1), metavar="N", help="The number of workers; by default one a processor."
)
engine = click.option("--engine", type=click.Choice(tuple(ENGINES)), help=f"The kind of workers. {_RUNS_ON}.")
scheduler = click.option("--scheduler", metavar="ADDR", help="Join the Dask cluster of this scheduler.")
out = click.option(
    "--out",
    type=options.FilePath(),
    metavar="OUT",
    help="Write all findings into the new Parquet file OUT, or DuckDB database OUT.duckdb, and the lines into OUT.lines.",
)
resume = click.option(
    "--resume",
    is_flag=True,
    help="Go on with OUT: a log with the same head, on the same revision, is not audited again.",
)


def of_many(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of work on many logs; it gets their values as `how`, or None if none is given."""

    @wraps(command)
    def run(**given: Any) -> int:
        values = {name: given.pop(name) for name in ("jobs", "engine", "scheduler", "out", "resume")}
        return command(**given, how=_how(**values) if any(values.values()) else None)

    made: Callable[..., int] = run
    for option in (resume, out, scheduler, engine, jobs):
        made = option(made)
    return made


def _how(jobs: int | None, engine: str | None, scheduler: str | None, out: Path | None, resume: bool) -> How:
    if resume and not out:
        raise Refused("usage", "--resume needs the file that it goes on with", "--out OUT")
    if scheduler and engine and not ENGINES[engine].joins:
        raise Refused("usage", f"--engine {engine} has no scheduler", "--engine dask")
    return How(engine or ("dask" if scheduler else "processes"), jobs, scheduler, out, resume)
