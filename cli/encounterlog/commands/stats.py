"""`encounter stats`: who dealt, took and healed how much, with what."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from encounterlog.edge import options
from eventstore.address import LogAddress
from eventstore.record import Recorded

if TYPE_CHECKING:
    from projections.explaining.dice_statistics import Spread


@click.command(epilog="encounter stats ford.jsonl\n\nencounter stats ford.jsonl --round 2-3 --json")
@options.file
@click.option("--round", "number", metavar="N|N-M", help="Only this round, or these; 0 is the time before the first.")
@click.option(
    "--dice", is_flag=True, help="Show instead how the faces of everybody's dice are spread, and where they came from."
)
@options.as_json
def command(file: LogAddress, number: str | None, dice: bool, as_json: bool) -> int:
    """Print who dealt, took and healed how much in the encounter of the log FILE, and with what.

    What counts are the points by which hit points, temporary points and non-lethal damage really changed. With --json
    there is one row for each round and combatant, as in encounter export csv --table rounds.

    With --dice there is a line for each die of a combatant, by level: proven or bound, if it was drawn from a chain (encounter dice), else
    typed. A chi-squared test says how often fair dice are spread at least as unevenly; it needs five throws for each face.
    """
    from encounterlog.edge import failures, output
    from encounterlog.edge.stores import open_store
    from encounterlog.exporters.session import Session, Wanted
    from encounterlog.pages import stats as page
    from encounterlog.reading import exporting
    from eventstore.copying import Copy

    if dice and number is not None:
        raise failures.Failure(failures.USAGE, "--dice and --round do not go together", "--dice is of the whole log")
    if dice and not as_json:
        return _dice(file)
    copy = Copy(open_store(file, shows=True), file)
    session = Session(copy, Wanted(exporting.rounds(number)))
    if as_json:
        output.json({"statistics": session.statistics()} | ({"dice": _spreads(session.records)} if dice else {}))
    else:
        output.lines(page.page(session.statistics()))
    problem = copy.found.problem
    return failures.say(failures.of_problem(file, problem)) if problem else failures.FINE


def _spreads(records: Iterable[Recorded]) -> "tuple[Spread, ...]":
    from projections.explaining.dice_statistics import spreads
    from projections.explaining.fairness import fairness

    return spreads(fairness(records).throws)


def _dice(file: LogAddress) -> int:
    from encounterlog.edge import output
    from encounterlog.edge.failures import FINE, UNREADABLE
    from encounterlog.pages import fairness as page
    from encounterlog.reading.logs import Log, report_problem
    from projections.explaining.past import readable
    from projections.folds.replay import replay

    log = Log(file)
    records = readable(log)
    called = {who: one.name for who, one in replay(records).state.combatants.items()}
    output.lines(page.spread(_spreads(records), called))
    return UNREADABLE if report_problem(log.problem) else FINE
