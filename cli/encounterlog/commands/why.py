"""`encounter why`: why a value is as it is, who comes before whom, what a finding means."""

from collections.abc import Sequence

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE, USAGE, Failure
from eventstore.address import LogAddress
from projections.time import Where


@click.command(
    epilog="\b\nencounter why ford.jsonl ana.hp\nencounter why ford.jsonl ana before bo --at r2\n"
    "encounter why ford.jsonl finding 3\nencounter why ford.jsonl finding @14 RULE\n"
    "encounter why ford.jsonl ana cannot act"
)
@options.file
@click.argument("question", nargs=-1)
@options.at
@options.as_of
@click.option("--short", is_flag=True, help="One sentence, to be read aloud.")
@click.option("--all", "every", is_flag=True, help="Every fact, every rule, and every other reading that would matter.")
@options.as_json
def command(
    file: LogAddress,
    question: Sequence[str],
    where: Where | None,
    as_of: int | None,
    short: bool,
    every: bool,
    as_json: bool,
) -> int:
    """Say why something in the log FILE is as it is: the facts, the dice, the rule, and what else the rule might mean.

    The QUESTION is somebody's name, the address of a value (ana.hp, ana.status, order), one of the forms below, or a sentence such
    as: why is ana low, who is next. Names are as at the table: as far as they are unique, in any case. @r2 at the end is --at r2.
    The number of a finding is that of encounter audit at the same point. With --json the command prints a list of answers with their trees.
    """
    from encounterlog.edge import output
    from encounterlog.pages import why as page
    from encounterlog.reading import asking
    from encounterlog.reading.logs import Log, report_problem

    question, point = asking.split_point(question)
    if not question:
        raise Failure(USAGE, "no question", asking.ASK)
    log = Log(file, as_of=as_of)
    past = asking.past_of(log, where or point)
    try:
        found = asking.answers(past, question, thorough=every, variants=not short)
    except Failure as unknown:
        raise (log.problem or unknown) from None  # what is asked about may lie behind the fault
    if as_json:
        output.json({"answers": found})
    else:
        brief = short or (asking.is_short(found) and not every)
        output.lines(page.lines(found, past.state, every=every, short=brief))
    return UNREADABLE if report_problem(log.problem) else FINE
