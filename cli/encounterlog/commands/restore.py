"""`encounter restore`: create the logs of a folder in a database."""

from pathlib import Path

import click

from encounterlog.core.moving import page, restore
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import FINE, UNREADABLE
from eventstore.address import Url


@click.command(epilog="\b\nencounter restore backup-2026-11-21 postgresql://encounters@db.example/tables")
@click.argument("folder", type=options.FilePath(readable=False, folder=True))
@options.database
@options.as_json
def command(folder: Path, database: Url, as_json: bool) -> int:
    """Create a log in DATABASE from each file NAME.jsonl of FOLDER, verified, byte for byte.

    An existing log with these records, or with more after them, is left as it is; if one with other records has the
    name, nothing at all is created. The exit code is 3 if a file is damaged; it is left out.
    """
    done = restore(folder, database)
    if as_json:
        output.json(done)
    else:
        output.lines(page(done))
    return UNREADABLE if any(log.problem for log in done.logs) else FINE
