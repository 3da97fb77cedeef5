"""`encounter repair`: keep the intact part of a damaged log, and set the rest aside."""

import click

from encounterlog.core import repairing
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import DIFFERENCE, FINE
from encounterlog.text_pages import repair as page
from eventstore.address import LogAddress


@click.command(epilog="\b\nencounter repair ford.jsonl --dry-run     show what is wrong and what would be done")
@options.file
@click.option("--dry-run", is_flag=True, help="Only show the plan; the exit code is 1 if there is something to do.")
@options.network_drive
@options.by
@options.as_json
def command(file: LogAddress, dry_run: bool, network_drive: bool, by: str, as_json: bool) -> int:
    """Keep the intact part of the log FILE, set the rest aside, and record the repair.

    Everything before the first fault is kept, in whole appends. The rest is moved to a file beside the log,
    FILE.damaged-SEQ-N (or FILE.torn-SEQ-N after an interrupted append), and the log notes its line, reason and SHA-256.
    If an editor only added line ends, blanks or a byte order mark, all records are kept, and the original file is set
    aside.

    Nothing is ever overwritten. The exit code is 3 if nothing can be kept; the file is then left as it is.
    """
    found, lost = repairing.run(file, by, dry_run=dry_run, network_drive=network_drive)
    if as_json:
        output.json(found)
    else:
        output.lines(page.page(found, lost))
    return DIFFERENCE if dry_run and found.problem else FINE
