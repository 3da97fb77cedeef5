"""`encounter audit`: check every fact against the rules."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import DIFFERENCE, FINE, UNREADABLE, USAGE, Failure
from encounterlog.many.options import How, of_many
from eventstore.address import LogAddress
from projections.time import Where


@click.command()
@click.argument("logs", metavar="FILE|FOLDER|URL...", nargs=-1, required=True, type=options.Place(readable=False))
@options.at
@options.as_of
@click.option("--complete", is_flag=True, help="List what is missing, too: what the log leaves untold.")
@of_many
@options.as_json
def command(
    logs: tuple[str, ...], where: Where | None, as_of: int | None, complete: bool, how: How | None, as_json: bool
) -> int:
    """Check every fact of the log FILE against its rules, and list what breaks them.

    Each finding has a number (encounter why FILE finding 3 explains the third) and names the rule, the line, and the
    events that show it. The exit code is 1 if there are breaches that no
    ruling waives.

    What the running round still lacks, such as a saving throw that was due, is found here, and by show, as if the log were over.
    append, add and play tell of it when the next round begins, and not at all if none does.

    With --complete it also lists what is missing, each with its place: a turn with neither action nor pass, damage
    without an attack, an effect that never ended, a declaration that was never resolved, a die that was promised and not
    logged. Where the ruleset says what its clauses need (5e does), it then says clause by clause what could not be judged: how many
    facts of a kind lacked it, and the first of them. None of these is a breach, and the exit code is that of the findings.

    Of several logs, those of a FOLDER (*.jsonl), of a database (postgresql://USER@HOST/DATABASE), or objects below a URL (s3://,
    gs://, az://, file://), it prints a line each, in their order: records, breaches, notices, and the problem of a log that cannot be read whole, which stops nothing. With
    --json that is an object a line: log, head, ruleset, revision, records, breaches, notices, problem, ms. The exit code is
    the highest of theirs. The log of a worker that is killed is tried again, and then reported. With --out and --resume, a later
    run reads every log but audits only those that changed.
    """
    from encounterlog.edge.stores import address
    from encounterlog.many import locations

    if not how and locations.is_one(logs):
        return _one(address(logs[0]), where, as_of, complete=complete, as_json=as_json)
    if where or as_of is not None or complete:
        raise Failure(USAGE, "--at, --as-of and --complete are for one log", "encounter audit FILE")
    from encounterlog.many import running

    return running.audit(logs, how or How(), as_json=as_json)


def _one(file: LogAddress, where: Where | None, as_of: int | None, *, complete: bool, as_json: bool) -> int:
    """Print the findings of one log."""
    from encounterlog.edge import output
    from encounterlog.pages import audit as page
    from encounterlog.reading.auditing import audited, json_of
    from encounterlog.reading.logs import Log, report_problem

    done, untold = audited(Log(file, as_of=as_of, shows="checking"), where, complete=complete)
    if as_json:
        output.json(json_of(done, untold))
    else:
        output.lines([*page.page(done), *(page.untold(untold, done) if untold is not None else ())])
    if report_problem(done.problem):
        return UNREADABLE
    return DIFFERENCE if done.breaches else FINE
