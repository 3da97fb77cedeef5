"""`encounter demo`: a disputed round, told, shown and audited."""

from pathlib import Path

import click

from encounterlog.edge import options


@click.command()
@click.argument("file", type=click.Path(path_type=Path, readable=False), required=False)
@options.by
def command(file: Path | None, by: str) -> None:
    """Tell, show and audit a disputed round that comes with the program.

    A mage begins a spell, an orc hits him, and the table quarrels: is the spell lost? With FILE the log is kept there,
    to go on with; otherwise it is made in a temporary folder and thrown away.
    """
    from encounterlog.demonstration import run

    run(file, by)
