"""`encounter remove`: remove a log from a database, or all old ones."""

import click

from encounterlog.core.ageing import aged, page
from encounterlog.errors import Refused
from encounterlog.storage import databases
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import FINE, UNREADABLE
from eventstore.address import LogAddress, Url
from eventstore.chain import Anchor
from eventstore.errors import WrongVersion


@click.command(
    epilog="\b\nencounter remove postgresql://owner@db.example/tables/ford --anchor 17:4f1c…\n"
    "encounter remove postgresql://owner@db.example/tables --older-than 730 --yes"
)
@options.file
@click.option("--anchor", type=options.Anchored(), help="The end of the log, as encounter head prints it.")
@click.option(
    "--older-than",
    "days",
    metavar="DAYS",
    type=options.Whole(1, 36_500),
    help="All logs of a database without an append for so many days.",
)
@click.option(
    "--yes",
    is_flag=True,
    help="With --older-than: remove them; otherwise they are only listed. The --anchor of one log is a yes already.",
)
@options.as_json
def command(file: LogAddress, anchor: Anchor | None, days: int | None, yes: bool, as_json: bool) -> int:
    """Remove the log FILE, postgresql://OWNER@HOST/DATABASE/NAME, for ever.

    The log must end with the --anchor, so that nobody removes a log unseen. Only the owner of the tables can remove
    it; the role that serves them may not. Export it first: encounter export jsonl FILE --to OUT.

    With --older-than DAYS, FILE is postgresql://OWNER@HOST/DATABASE: every log whose last record was written longer ago is listed
    with its end and, with --yes, removed. A damaged log is left alone, and the exit code is 3. To keep logs no longer than that, let a
    timer run it.
    """
    if not databases.is_one(file):
        hint = (
            "a file is removed as any other"
            if isinstance(file, str)
            else "the owner of the database can remove it there"
        )
        raise Refused("usage", f"{file}: only a log in a database is removed by this", hint)
    if anchor is not None and days is not None:
        raise Refused("usage", "--anchor is for one log, --older-than for all of a database", "give one of them")
    if anchor is not None:
        return _one(file, anchor, as_json=as_json)
    if days is not None:
        return _old(file, days, yes=yes, as_json=as_json)
    raise Refused(
        "usage", "give --anchor SEQ:HASH of one log, or --older-than DAYS of a database", "encounter head FILE"
    )


def _one(file: Url, anchor: Anchor, *, as_json: bool) -> int:
    try:
        databases.remove(file, anchor)
    except WrongVersion as error:
        error.hint = "look at the log as it is now; encounter head FILE prints its end"
        raise
    if as_json:
        output.json({"file": str(file), "removed": str(anchor)})
    else:
        output.lines([f"{file}: removed, with {anchor.seq} records"])
    return FINE


def _old(database: Url, days: int, *, yes: bool, as_json: bool) -> int:
    done = aged(databases.only_database(database), days, remove=yes)
    if as_json:
        output.json(done)
    else:
        output.lines(page(done))
    return UNREADABLE if any(log.problem for log in done.logs) else FINE
