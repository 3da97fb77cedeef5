"""`encounter first`: the first moment at which something held."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import DIFFERENCE, FINE, UNREADABLE
from eventstore.address import LogAddress
from projections.time import Where


@click.command(
    epilog="\b\nencounter first ford.jsonl 'ana.hp <= 0'\nencounter first ford.jsonl 'halvaine.casting is none'"
)
@options.file
@click.argument("expression", metavar="EXPR")
@options.at
@options.as_of
@options.as_json
def command(file: LogAddress, expression: str, where: Where | None, as_of: int | None, as_json: bool) -> int:
    """Print the first record of the log FILE after which EXPR held, with the values that it asks for.

    EXPR compares addresses with values: = != < <= > >=, is none, is not none, joined by and, or, not and brackets; of a
    list, = asks whether something is in it. What has blanks in it stands in double quotes. The exit code is 1 if it never
    held.
    """
    from encounterlog.edge import output
    from encounterlog.pages.log import line
    from encounterlog.reading import holding
    from encounterlog.reading.logs import Log, report_problem
    from encounterlog.wording.phrases import values

    log = Log(file, as_of=as_of)
    found = holding.first(log, expression, where)
    if as_json:
        output.json(found)
    elif found.record is None:
        output.lines([f"never: {expression}", f"       at the end {values(found.values)}"])
    else:
        output.lines([line(found.record), f"       {values(found.values)}"])
    if report_problem(log.problem):
        return UNREADABLE
    return FINE if found.record else DIFFERENCE
