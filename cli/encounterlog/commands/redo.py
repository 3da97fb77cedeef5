"""`encounter redo`: take back an undo."""

import click

from encounterlog.core import correcting
from encounterlog.core.logs import LogView
from encounterlog.terminal import corrections, options
from eventstore.address import LogAddress


@click.command(epilog="\b\nencounter redo ford.jsonl")
@options.file
@click.argument("number", metavar="[N]", type=options.Whole(1), default=1)
@options.correction
def command(file: LogAddress, number: int, how: options.Writing) -> int:
    """Take back the last undo of the log FILE, or the last N, as long as nothing else was appended since."""
    log = LogView(file, network_drive=how.network_drive)
    return corrections.write(log, correcting.redo(log, number, how.because), how, if_unchanged=True)
