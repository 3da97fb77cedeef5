"""`encounter blame`: every fact that touched a value."""

from pathlib import Path

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE
from projections.time import Where


@click.command(epilog="\b\nencounter blame ford.jsonl ana.hp")
@options.file
@click.argument("address", nargs=-1, required=True)
@options.at
@options.as_of
@options.as_json
def command(file: Path, address: tuple[str, ...], where: Where | None, as_of: int | None, as_json: bool) -> int:
    """List every fact of the log FILE that touched the value at ADDRESS, with its running values and who wrote it.

    Below a fact are the acts and the dice that it follows from. What was struck or amended is listed with what it did as
    it was first told; what was amended before it was struck also with what it did as amended.
    """
    from encounterlog.edge import output
    from encounterlog.pages import blame as page
    from encounterlog.reading.asking import unknown
    from encounterlog.reading.logs import Log, explained, report_problem
    from projections.explaining.blame import blame

    log = Log(file, as_of=as_of)
    with explained(log, where):
        found, done = blame(log, " ".join(address), where)
    log.note_revision()
    if found is None:
        raise unknown(done.state, " ".join(address))
    if as_json:
        output.json(found)
    else:
        output.lines(page.page(found, done.state))
    return UNREADABLE if report_problem(log.problem) else FINE
