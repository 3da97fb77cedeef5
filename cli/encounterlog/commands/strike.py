"""`encounter strike`: take records out of the telling."""

from pathlib import Path

import click

from encounterlog.edge import options


@click.command(epilog="\b\nencounter strike ford.jsonl 19 --because 'wrong target'")
@options.file
@click.argument("seqs", metavar="N...", type=options.Whole(), nargs=-1, required=True)
@options.because
@options.consequences
@options.after
@options.dry_run
@options.network_drive
@options.by
def command(
    file: Path,
    seqs: tuple[int, ...],
    because: str | None,
    with_consequences: bool | None,
    after: int | None,
    dry_run: bool,
    network_drive: bool,
    by: str,
) -> int:
    """Take the records N out of what the log FILE tells; they stay in the file, with the strike.

    What was caused by a struck fact is shown first: at a terminal the command asks what becomes of it, elsewhere it wants
    --with-consequences or --alone, and ends with 2 if neither is given. To take back a strike, strike it.
    """
    from encounterlog.reading.logs import Log
    from encounterlog.writing import correcting

    log = Log(file, network_drive=network_drive)
    return correcting.write(
        log,
        correcting.strikes(log, seqs, because, correcting.CHOICES[with_consequences]),
        by=by,
        after=after,
        dry_run=dry_run,
    )
