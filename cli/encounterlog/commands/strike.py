"""`encounter strike`: take records out of the corrected stream."""

import click

from encounterlog.core import correcting
from encounterlog.core.logs import LogView
from encounterlog.terminal import corrections, options, output
from eventstore.address import LogAddress


@click.command(epilog="\b\nencounter strike ford.jsonl 19 --because 'wrong target'")
@options.file
@click.argument("seqs", metavar="N...", type=options.Whole(1), nargs=-1, required=True)
@options.consequences
@options.correction
def command(
    file: LogAddress,
    seqs: tuple[int, ...],
    with_consequences: bool | None,
    how: options.Writing,
) -> int:
    """Take the records N out of the corrected stream of the log FILE; they stay in the file, with the strike.

    The consequences of a struck fact are shown first. At a terminal the command asks about them; elsewhere it wants
    --with-consequences or --alone, and ends with 2 if neither is given. To take back a strike, strike it.
    """
    log = LogView(file, network_drive=how.network_drive)
    strikes = correcting.strikes(log, seqs, how.because, corrections.choice(with_consequences))
    output.notes(correcting.struck_before(log, seqs))
    return corrections.write(log, strikes, how, if_unchanged=True)
