"""`encounter audit`: check every fact against the rules."""

from pathlib import Path

import click

from encounterlog.edge import options
from encounterlog.edge.failures import DIFFERENCE, FINE, UNREADABLE
from projections.time import Where


@click.command()
@options.file
@options.at
@options.as_of
@options.as_json
def command(file: Path, where: Where | None, as_of: int | None, as_json: bool) -> int:
    """Check every fact of the log FILE against its rules, and list what breaks them.

    Each finding has a number (encounter why FILE finding 3 explains the third) and names the rule, the line, and the
    events that show it. The exit code is 1 if there are breaches that no
    ruling waives.
    """
    from encounterlog.edge import output
    from encounterlog.pages import audit as page
    from encounterlog.reading.logs import Log, explained, report_problem
    from projections.judging.audit import audit

    log = Log(file, as_of=as_of)
    with explained(log, where):
        done = audit(log, where)
    log.note_revision()
    if as_json:
        cited = done.replay.state.rules.lean_on(one.rule for one in done.findings)
        output.json({"findings": done.findings, "leans_on": cited})
    else:
        output.lines(page.page(done))
    if report_problem(done.problem):
        return UNREADABLE
    return DIFFERENCE if done.breaches else FINE
