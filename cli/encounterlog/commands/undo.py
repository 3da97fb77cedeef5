"""`encounter undo`: take back the last append."""

import click

from encounterlog.core import correcting
from encounterlog.core.logs import LogView
from encounterlog.terminal import corrections, options
from eventstore.address import LogAddress


@click.command(epilog="\b\nencounter undo ford.jsonl 2     the last two appends")
@options.file
@click.argument("number", metavar="[N]", type=options.Whole(1), default=1)
@options.consequences
@options.correction
def command(
    file: LogAddress,
    number: int,
    with_consequences: bool | None,
    how: options.Writing,
) -> int:
    """Take back the last append to the log FILE, or the last N; facts that were appended together go together.

    Nothing is erased: an undo is a strike, and encounter redo strikes that. Undo again to go further back. The
    consequences of an undone fact are shown first. At a terminal the command asks about them; elsewhere it wants
    --with-consequences or --alone, and ends with 2 if neither is given.
    """
    log = LogView(file, network_drive=how.network_drive)
    facts = correcting.undo(log, number, how.because, corrections.choice(with_consequences))
    return corrections.write(log, facts, how, if_unchanged=True)
