"""`encounter replay`: every step with what it changed."""

from pathlib import Path

import click

from encounterlog.edge import options
from projections.time import Where


@click.command()
@options.file
@options.at
@click.option(
    "--round",
    "number",
    type=click.IntRange(min=0),
    metavar="N",
    help="Only this round; 0 is what lies before the first.",
)
@options.as_json
def command(file: Path, where: Where | None, number: int | None, as_json: bool) -> int:
    """List every step of the log FILE, and below each the values that it changed.

    With --json each line is a JSON object.
    """
    from encounterlog.reading import listing
    from encounterlog.reading.logs import Log

    return listing.steps(Log(file), where, number, as_json=as_json)
