"""`encounter show`: the state of a fight at any point, with the reasons."""

from pathlib import Path

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE
from projections.time import Where


@click.command(epilog="\b\nencounter show ford.jsonl --at r1s4     the state after segment 4 of round 1")
@options.file
@options.at
@click.option("--all", "every", is_flag=True, help="Show the timeline of every round so far, not only of the last one.")
@options.as_json
def command(file: Path, where: Where | None, every: bool, as_json: bool) -> int:
    """Show order, timeline and combatants of the log FILE, with the events and rules behind each value."""
    from encounterlog.edge import output
    from encounterlog.pages import show as page
    from encounterlog.reading.logs import Log, report_problem

    view = page.view(Log(file), where, every)
    if as_json:
        output.json(view.shown)
    else:
        output.lines(page.page(view))
    return UNREADABLE if report_problem(view.problem) else FINE
