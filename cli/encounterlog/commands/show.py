"""`encounter show`: the state of a fight at any point."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE
from eventstore.address import Address
from projections.time import Where


@click.command(epilog="\b\nencounter show ford.jsonl --at r1s4     the state after segment 4 of round 1")
@options.file
@options.at
@options.as_of
@click.option("--why", is_flag=True, help="Show the timeline too, and under each value the events and rules behind it.")
@click.option("--all", "every", is_flag=True, help="Show the timeline of every round so far.")
@options.as_json
def command(file: Address, where: Where | None, as_of: int | None, why: bool, every: bool, as_json: bool) -> int:
    """Show clock, combatants and order of the log FILE, one line each, the round as a picture, and the findings up to there.

    A page of more than 28 lines leaves out the least of it, if it then fits so many; --all shows everything.
    A bar shows hit points: # those that are left, = those of them that non-lethal damage has reached. The number of a
    finding is that of encounter audit; encounter why FILE finding N explains it.

    What was shown of a log of more than some 10,000 records is kept in the user's folder for caches, and shown again while the
    file is unchanged; verify, audit and export always read everything. The environment's ENCOUNTER_CACHE names another folder, or
    says off. With --json, verified_from is the first record that was verified now, 1 if all were.
    """
    from encounterlog.edge import output
    from encounterlog.pages import show as page
    from encounterlog.reading.keeping import viewed
    from encounterlog.reading.logs import Log, report_problem

    judge, drawn = not (as_json or why), not as_json

    def made() -> page.View:
        return page.view(Log(file, as_of=as_of), where, every, judge=judge, drawn=drawn)

    view, first = viewed(file, (where, every, judge, drawn), made) if as_of is None else (made(), 1)
    if as_json:
        output.json(page.document(view.shown, first))
    else:
        output.lines(page.page(view, why=why, every=every))
    return UNREADABLE if report_problem(view.problem) else FINE
