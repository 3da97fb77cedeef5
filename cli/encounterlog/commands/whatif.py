"""`encounter whatif`: what would be different, in a fork in memory."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import FINE, UNREADABLE
from eventstore.address import LogAddress
from projections.time import Where


@click.command(
    epilog="\b\nencounter whatif ford.jsonl --strike 19\n"
    "encounter whatif ford.jsonl --amend 19 amount=1\n"
    'encounter whatif ford.jsonl --amend 19 \'{"amount": 1, "target": "bo"}\'\n'
    "encounter whatif ford.jsonl --option missile-initiative=win-only --save other.jsonl"
)
@options.file
@click.option("--strike", "strikes", multiple=True, type=options.Whole(1), metavar="N", help="Without record N.")
@click.option(
    "--amend", "amends", multiple=True, nargs=2, type=(options.Whole(1), str), metavar="N EVENT",
    help="With this fact, these fields of it or FIELD=VALUE, in place of record N.",
)  # fmt: skip
@click.option(
    "--insert-after", "inserts", multiple=True, nargs=2, type=(options.Whole(1), str), metavar="N EVENT",
    help="With this fact after record N.",
)  # fmt: skip
@click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="In another reading of the rules.")
@options.at
@options.as_of
@click.option("--save", metavar="OTHER", type=options.Located(), help="Write the fork as a new log.")
@options.network_drive
@options.by
@options.as_json
def command(
    file: LogAddress,
    strikes: tuple[int, ...],
    amends: tuple[tuple[int, str], ...],
    inserts: tuple[tuple[int, str], ...],
    chosen: tuple[str, ...],
    where: Where | None,
    as_of: int | None,
    save: LogAddress | None,
    network_drive: bool,
    by: str,
    as_json: bool,
) -> int:
    """Show what would be different in the log FILE: which values, which findings, and from which record on.

    Nothing is written to FILE. Facts that no longer make sense are listed, never dropped. --save writes the fork as a log
    of its own, which names the log that it was forked from.
    """
    from encounterlog.edge import output
    from encounterlog.pages import difference as page
    from encounterlog.reading.logs import Log, report_problem
    from encounterlog.writing import forking

    log = Log(file, as_of=as_of)
    if save is not None and as_of is not None:
        raise click.UsageError("--save does not go with --as-of: a fork begins where the log ends")
    fork, drafts = forking.fork_of(log, strikes, amends, inserts, chosen)
    told, other, found = forking.differing(log, fork, where)
    if as_json:
        output.json(found)
    else:
        output.lines(page.page(found, told, other, ("as it is", "what if")))
    if save is not None:
        count = forking.save(log, fork, drafts, save, by, network_drive=network_drive)
        output.notes([f"{save}: {count} records, forked from {file}"])
    return UNREADABLE if report_problem(log.problem) else FINE
