"""`encounter list`: list the logs in a folder or a database."""

import click

from encounterlog.progress import counted
from encounterlog.reading.campaign import look, page
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import FINE, UNREADABLE
from eventstore.address import LogAddress


@click.command()
@click.argument("folder", metavar="[FOLDER|URL]", type=options.Located(folders=True), default=".")
@options.as_json
def command(folder: LogAddress, as_json: bool) -> int:
    """List the logs (*.jsonl) in FOLDER with title, ruleset, records and rounds, and say why a log cannot be read.

    URL is that of a database of logs, postgresql://USER@HOST/DATABASE. The exit code is 3 if a log cannot be read completely.
    Subfolders are not searched.
    """
    found = look(folder, counted)
    if as_json:
        output.json(found)
    else:
        output.lines(page(found))
    return UNREADABLE if any(log.problem for log in found.logs) else FINE
