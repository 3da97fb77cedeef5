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
@click.option("--complete", is_flag=True, help="List what is missing, too: what the log leaves untold.")
@options.as_json
def command(file: Path, where: Where | None, as_of: int | None, complete: bool, as_json: bool) -> int:
    """Check every fact of the log FILE against its rules, and list what breaks them.

    Each finding has a number (encounter why FILE finding 3 explains the third) and names the rule, the line, and the
    events that show it. The exit code is 1 if there are breaches that no
    ruling waives.

    With --complete it also lists what is missing, each with its place: a turn with neither action nor pass, damage
    without an attack, an effect that never ended, a declaration that was never resolved, a die that was promised and not
    logged. None of these is a breach, and the exit code is that of the findings.
    """
    from encounterlog.edge import output
    from encounterlog.pages import audit as page
    from encounterlog.reading.logs import Log, explained, report_problem
    from projections.judging.audit import audit
    from projections.judging.missing import Completeness

    log = Log(file, as_of=as_of, shows="checking")
    untold = Completeness()
    with explained(log, where):
        done = audit(log, where, before=untold.look if complete else None)
    log.note_revision()
    missing = untold.all(done.replay.state) if complete else None
    if as_json:
        cited = done.replay.state.rules.lean_on(one.rule for one in done.findings)
        output.json({"findings": done.findings, "leans_on": cited} | ({"missing": missing} if complete else {}))
    else:
        output.lines([*page.page(done), *(page.untold(missing) if missing is not None else ())])
    if report_problem(done.problem):
        return UNREADABLE
    return DIFFERENCE if done.breaches else FINE
