"""`encounter backup`: copy all logs of a database into a folder."""

from pathlib import Path

import click

from encounterlog.core.moving import backup, page
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import FINE, UNREADABLE
from eventstore.address import Url


@click.command(epilog="\b\nencounter backup postgresql://encounters@db.example/tables backup-2026-11-21")
@options.database
@click.argument("folder", type=options.FilePath(readable=False, folder=True))
@options.as_json
def command(database: Url, folder: Path, as_json: bool) -> int:
    """Copy each log of DATABASE into a file of FOLDER, NAME.jsonl, byte for byte, and verify it.

    Others may write meanwhile: each file ends with a whole append. The lines of a damaged log are copied as they are,
    and the exit code is 3; encounter repair keeps the intact part of such a file. No file is overwritten: take a new
    folder. The printed heads are anchors: kept elsewhere, they show whether a restored log is the same. Tokens are
    not copied.
    """
    done = backup(database, folder)
    if as_json:
        output.json(done)
    else:
        output.lines(page(done))
    return UNREADABLE if any(log.problem for log in done.logs) else FINE
