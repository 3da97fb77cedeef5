"""`encounter import`: create a log from a combat that another program recorded, or from another log."""

from pathlib import Path

import click

from encounterlog.edge import options
from encounterlog.importers import IMPORTERS

FORMATS = "\n\n".join(f"{name}: {row.says}" for name, row in IMPORTERS.items())


@click.command(epilog=f"Formats:\n\n{FORMATS}")
@click.argument("kind", metavar="FORMAT", type=click.Choice(tuple(IMPORTERS)))
@click.argument("source", type=click.Path(path_type=Path, readable=False))
@options.file
@click.option("--title", help="The title of the encounter; by default that of the recording.")
@options.network_drive
@options.by
@options.as_json
def command(kind: str, source: Path, file: Path, title: str | None, network_drive: bool, by: str, as_json: bool) -> int:
    """Create the log FILE from SOURCE, a recorded combat or another log; - is standard input.

    What people and the program did becomes facts. Each state in the recording is kept as statements, and compared with
    the values derived from the facts. Values that differ are set right. The table at the end counts, for each kind of
    value, the states in which it agreed by itself, was set right with a cause, or was set right without; the last are
    listed with their lines. The exit code is 0 if the log was written, even if values differ.

    Another log (FORMAT jsonl) is verified and copied byte for byte, with its title, writers and times. A torn tail is not
    copied.
    """
    from encounterlog.edge import output
    from encounterlog.pages import imported as page
    from encounterlog.writing import importing

    done = importing.run(kind, source, file, title, by, network_drive=network_drive)
    if as_json:
        output.json(done)
    else:
        output.lines(page.page(done))
    return 0
