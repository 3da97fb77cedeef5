"""`encounter remove`: remove a log from a database."""

import click

from encounterlog.edge import options
from eventstore.address import Address
from eventstore.chain import Anchor


@click.command(epilog="\b\nencounter remove postgresql://owner@db.example/tables/ford --anchor 17:4f1c…")
@options.file
@click.option(
    "--anchor", type=options.Anchored(), required=True, help="The end of the log, as encounter head prints it."
)
@options.as_json
def command(file: Address, anchor: Anchor, as_json: bool) -> None:
    """Remove the log FILE, postgresql://OWNER@HOST/DATABASE/NAME, for ever.

    It has to end with the --anchor: so nobody removes what was never looked at. Only the owner of the tables can; the
    role that serves them may not. Export it first: encounter export jsonl FILE --to OUT.
    """
    from encounterlog.edge import databases, output
    from encounterlog.edge.failures import USAGE, Failure

    if not databases.is_one(file):
        raise Failure(USAGE, f"{file}: only a log in a database is removed by this", "a file is removed as any other")
    databases.remove(file, anchor)
    if as_json:
        output.json({"file": str(file), "removed": str(anchor)})
    else:
        output.lines([f"{file}: removed, with {anchor.seq} records"])
