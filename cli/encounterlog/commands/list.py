"""`encounter list`: list the logs in a folder."""

from pathlib import Path

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, readable=False), default=".")
@options.as_json
def command(folder: Path, as_json: bool) -> int:
    """List the logs (*.jsonl) in FOLDER with title, ruleset, records and rounds, and say why a log cannot be read.

    The exit code is 3 if a log cannot be read completely. Subfolders are not searched.
    """
    from encounterlog.edge import output
    from encounterlog.reading.campaign import look, page

    found = look(folder)
    if as_json:
        output.json(found)
    else:
        output.lines(page(found))
    return UNREADABLE if any(log.problem for log in found.logs) else FINE
