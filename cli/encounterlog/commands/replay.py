"""`encounter replay`: every fact with the values that it changed."""

from pathlib import Path

import click

from encounterlog.edge import options
from projections.time import Where


@click.command()
@options.file
@options.at
@options.as_of
@options.number
@options.actor
@options.as_json
def command(
    file: Path, where: Where | None, as_of: int | None, number: int | None, actor: str | None, as_json: bool
) -> int:
    """List every fact of the log FILE, and below each the values that it changed.

    With --json each line is a JSON object.
    """
    from encounterlog.reading import listing
    from encounterlog.reading.logs import Log

    return listing.steps(Log(file, as_of=as_of), where, listing.Filter(number, actor), as_json=as_json)
