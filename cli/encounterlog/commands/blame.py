"""`encounter blame`: every fact that touched a value."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE
from eventstore.address import LogAddress
from projections.time import Where


@click.command(epilog="\b\nencounter blame ford.jsonl ana.hp")
@options.file
@click.argument("address", nargs=-1, required=True)
@options.at
@options.as_of
@options.as_json
def command(file: LogAddress, address: tuple[str, ...], where: Where | None, as_of: int | None, as_json: bool) -> int:
    """List every fact of the log FILE that touched the value at ADDRESS, with its running values and who wrote it.

    Below a fact are the acts and the dice that it follows from. What was struck or amended is listed with what it did as
    it was first told; what was amended before it was struck also with what it did as amended.
    """
    from encounterlog.edge import output
    from encounterlog.pages import blame as page
    from encounterlog.reading.asking import blamed
    from encounterlog.reading.logs import Log, report_problem

    log = Log(file, as_of=as_of)
    found, done = blamed(log, " ".join(address), where)
    if as_json:
        output.json(found)
    else:
        output.lines(page.page(found, done.state))
    return UNREADABLE if report_problem(log.problem) else FINE
