"""`encounter demo`: a disputed round, logged, shown and audited."""

import click

from encounterlog.demonstration import run
from encounterlog.terminal import options
from eventstore.address import LogAddress


@click.command()
@click.argument("file", type=options.Located(), required=False)
@options.by
def command(file: LogAddress | None, by: str) -> None:
    """Play through a disputed round that comes with the program: log it, show it, audit it.

    A mage begins a spell, an orc hits him, and the table argues: is the spell lost? With FILE the log is kept there, to
    continue with; otherwise it is created in a temporary folder and deleted.
    """
    run(file, by)
