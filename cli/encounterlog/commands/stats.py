"""`encounter stats`: who dealt, took and healed how much, with what."""

import click

from encounterlog.edge import options
from eventstore.address import LogAddress


@click.command(epilog="encounter stats ford.jsonl\n\nencounter stats ford.jsonl --round 2-3 --json")
@options.file
@click.option("--round", "number", metavar="N|N-M", help="Only this round, or these; 0 is the time before the first.")
@options.as_json
def command(file: LogAddress, number: str | None, as_json: bool) -> int:
    """Print who dealt, took and healed how much in the encounter of the log FILE, and with what.

    What counts are the points by which hit points, temporary points and non-lethal damage really changed. With --json
    there is one row for each round and combatant, as in encounter export csv --table rounds.
    """
    from encounterlog.edge import failures, output
    from encounterlog.edge.stores import open_store
    from encounterlog.exporters.session import Session, Wanted
    from encounterlog.pages import stats as page
    from encounterlog.reading import exporting
    from eventstore.copying import Copy

    copy = Copy(open_store(file, shows=True), file)
    session = Session(copy, Wanted(exporting.rounds(number)))
    if as_json:
        output.json({"statistics": session.statistics()})
    else:
        output.lines(page.page(session.statistics()))
    problem = copy.found.problem
    return failures.say(failures.of_problem(file, problem)) if problem else failures.FINE
