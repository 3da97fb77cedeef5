"""`encounter diff`: two moments, two states of knowledge, or two logs, side by side."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import DIFFERENCE, FINE, UNREADABLE
from eventstore.address import LogAddress, name_of


@click.command(
    epilog="\b\nencounter diff ford.jsonl r1 r2        two moments\n"
    "encounter diff ford.jsonl @12 @20      what the log knew after records 12 and 20\n"
    "encounter diff ford.jsonl other.jsonl  two logs with a common past"
)
@options.file
@click.argument("one", metavar="A|OTHER")
@click.argument("other", metavar="[B]", required=False)
@options.as_json
def command(file: LogAddress, one: str, other: str | None, as_json: bool) -> int:
    """Show in which values and findings two points of the log FILE differ, or two logs.

    A and B are points of time as for --at, or @SEQ: the log as it was known when it ended with that record. The exit code
    is 1 if there is a difference.
    """
    from encounterlog.edge import output
    from encounterlog.edge.stores import address
    from encounterlog.pages import difference as page
    from encounterlog.reading import comparing
    from encounterlog.reading.logs import Log, report_problem
    from projections.explaining.forks import differences

    if other is None:
        options.check_no_stream(one)
        comparing.check_is_log(one)
        second_log = address(one)
        log, second, mine, yours, common = comparing.logs(file, second_log)
        titles, problems = (name_of(file), name_of(second_log)), [log.problem, second.problem]
    else:
        log, mine, yours = comparing.points(Log(file), one, other)
        titles, problems, common, second = (one, other), [log.problem], 0, log
    found = differences(mine, yours)
    if as_json:
        output.json(found)
    else:
        output.lines(comparing.common_past(common, (log, second), titles) if common else [])
        output.lines(page.page(found, mine, yours, titles))
    failed = [problem for problem in problems if report_problem(problem)]
    if failed:
        return UNREADABLE
    return FINE if found.none else DIFFERENCE
