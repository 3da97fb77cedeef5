"""`encounter redo`: take back an undo."""

from pathlib import Path

import click

from encounterlog.edge import options


@click.command(epilog="\b\nencounter redo ford.jsonl")
@options.file
@click.argument("number", metavar="[N]", type=options.Whole(), default=1)
@options.because
@options.after
@options.dry_run
@options.network_drive
@options.by
def command(
    file: Path, number: int, because: str | None, after: int | None, dry_run: bool, network_drive: bool, by: str
) -> int:
    """Take back the last undo of the log FILE, or the last N, as long as nothing else was appended since."""
    from encounterlog.reading.logs import Log
    from encounterlog.writing import correcting

    log = Log(file, network_drive=network_drive)
    return correcting.write(log, correcting.redo(log, number, because), by=by, after=after, dry_run=dry_run)
