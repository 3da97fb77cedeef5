"""`encounter repair`: keep what is good of a damaged log, and put the rest aside."""

from pathlib import Path

import click

from encounterlog.edge import options


@click.command(epilog="\b\nencounter repair ford.jsonl --dry-run     what is wrong, and what would be done")
@options.file
@click.option("--dry-run", is_flag=True, help="Only say what would be done. Exit code 1: there is something to do.")
@options.network_drive
@options.by
@options.as_json
def command(file: Path, dry_run: bool, network_drive: bool, by: str, as_json: bool) -> int:
    """Keep what is good of the log FILE, put the rest aside, and write down what was done.

    Up to the first fault all is kept, in whole appends. The rest goes into a file beside the log, FILE.damaged-SEQ-N
    (FILE.torn-SEQ-N where an append was cut short), and the log notes line, reason and SHA-256 of it. Where only an
    editor put in line ends, blanks or a byte order mark, all records are kept, and the file as it was goes aside.

    Nothing is ever overwritten. The exit code is 3 where nothing could be kept: then the file is left as it is.
    """
    from encounterlog.edge import output
    from encounterlog.writing import repairing

    found, lost, code = repairing.run(file, by, dry_run=dry_run, network_drive=network_drive)
    if as_json:
        output.json(found)
    else:
        from encounterlog.pages import repair as page

        output.lines(page.page(found, lost))
    return code
