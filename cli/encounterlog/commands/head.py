"""`encounter head`: print the end of a log."""

import click

from encounterlog.storage.stores import open_store
from encounterlog.terminal import options, output
from eventstore.address import LogAddress


@click.command()
@options.file
@options.as_json
def command(file: LogAddress, as_json: bool) -> None:
    """Print the end of the log FILE as SEQ:HASH.

    Keep it elsewhere, as in a message to the players: it is an anchor. encounter verify FILE --anchor SEQ:HASH later
    proves that nothing before it was changed or cut off.
    """
    head = open_store(file).head()
    if as_json:
        output.json({"seq": head.seq, "hash": head.hash})
    else:
        output.lines([str(head)])
