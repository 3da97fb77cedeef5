"""`encounter show`: the state of a fight at any point."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE
from eventstore.address import LogAddress
from projections.time import Where


@click.command(epilog="\b\nencounter show ford.jsonl --at r1s4     the state after segment 4 of round 1")
@options.file
@options.at
@options.as_of
@click.option("--why", is_flag=True, help="Show the timeline too, and under each value the events and rules behind it.")
@click.option("--all", "every", is_flag=True, help="Show the timeline of every round so far.")
@options.as_json
def command(file: LogAddress, where: Where | None, as_of: int | None, why: bool, every: bool, as_json: bool) -> int:
    """Show clock, combatants and order of the log FILE, one line each, the round as a picture, and the findings up to there.

    A page of more than 28 lines leaves out the least of it, if it then fits so many; --all shows everything.
    A bar shows hit points: # those that are left, = those of them that non-lethal damage has reached. The number of a
    finding is that of encounter audit; encounter why FILE finding N explains it.
    """
    from encounterlog.edge import output
    from encounterlog.pages import show as page
    from encounterlog.reading.logs import Log, report_problem

    view = page.view(Log(file, as_of=as_of), where, every, judge=not (as_json or why), drawn=not as_json)
    if as_json:
        output.json(page.document(view))
    else:
        output.lines(page.page(view, why=why, every=every))
    return UNREADABLE if report_problem(view.problem) else FINE
