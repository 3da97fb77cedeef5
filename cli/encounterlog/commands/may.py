"""`encounter may`: what somebody may do."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE
from eventstore.address import LogAddress
from projections.time import Where


@click.command(epilog="\b\nencounter may ford.jsonl\nencounter may ford.jsonl ana --at r2")
@options.file
@click.argument("who", required=False, default="")
@options.at
@options.as_of
@options.as_json
def command(file: LogAddress, who: str, where: Where | None, as_of: int | None, as_json: bool) -> int:
    """Print what WHO may do in the log FILE: what is left to spend, what is owed, and the clause that bars the rest.

    Without WHO it is asked for those whose turn it is, or else for those who are due, and for whoever owes something. What
    neither the log nor the ruleset says is unknown. A choice that is open is barred by nothing that is left to spend; whether
    the turn is somebody's stands in the first line.
    """
    from encounterlog.edge import output
    from encounterlog.pages import may as page
    from encounterlog.reading.logs import Log, report_problem
    from encounterlog.reading.open_to import open_to

    log = Log(file, as_of=as_of)
    found, past = open_to(log, who, where)
    if as_json:
        output.json(found)
    else:
        output.lines(page.page(found, past))
    return UNREADABLE if report_problem(log.problem) else FINE
