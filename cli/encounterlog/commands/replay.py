"""`encounter replay`: every fact with the values that it changed, stepped through or listed."""

import click

from encounterlog.edge import options
from eventstore.address import LogAddress
from projections.time import Where


@click.command(epilog="\b\nencounter replay ford.jsonl\nencounter replay ford.jsonl --at r2 --list")
@options.file
@options.at
@options.as_of
@options.number
@options.actor
@click.option("--list", "listed", is_flag=True, help="Print the list at a terminal, too.")
@options.as_json
def command(
    file: LogAddress,
    where: Where | None,
    as_of: int | None,
    number: int | None,
    actor: str | None,
    listed: bool,
    as_json: bool,
) -> int:
    """Step through the log FILE: each fact, what it changed, and the state after it.

    At a terminal keys go forwards and backwards: n and p (or the arrows) by events, t and T by turns or segments, r and R by
    rounds; g goes to a point, < and > to the ends, j and k scroll, q quits. --at says where to begin.

    Elsewhere, and with --list, --round, --actor or --json, every fact up to --at is printed, and below each the values that
    it changed. With --json each line is a JSON object.
    """
    from encounterlog.edge import terminal
    from encounterlog.reading import listing
    from encounterlog.reading.logs import Log

    log = Log(file, as_of=as_of)
    if not (listed or as_json or number is not None or actor) and terminal.is_full():
        from encounterlog.reading import stepping

        return stepping.run(log, where)
    return listing.steps(log, where, listing.Filter(number, actor), as_json=as_json)
