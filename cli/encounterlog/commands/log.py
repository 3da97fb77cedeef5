"""`encounter log`: the corrected stream, one fact per line."""

import click

from encounterlog.edge import options
from eventstore.address import LogAddress


@click.command()
@options.file
@options.as_of
@options.number
@options.actor
@click.option("--type", "kind", metavar="TYPE", help="Only facts of this type; encounter schema lists the types.")
@click.option("--where", "expression", metavar="EXPR", help="Only facts after which this holds, such as ana.hp <= 0.")
@click.option("--turns", is_flag=True, help="With --where: only facts by which that changes.")
@click.option("--struck", is_flag=True, help="Show the file as it is: corrections, and what they struck or amended.")
@click.option("--follow", is_flag=True, help="Keep printing facts as they are appended, until Ctrl-C.")
@options.as_json
def command(
    file: LogAddress,
    as_of: int | None,
    number: int | None,
    actor: str | None,
    kind: str | None,
    expression: str | None,
    turns: bool,
    struck: bool,
    follow: bool,
    as_json: bool,
) -> int:
    """List what happened in the log FILE, with corrections applied, one fact per line.

    The second column is the time, in the notation of --at. With --json each line is a JSON object. With --follow a
    later correction is printed as a separate line, if the filters select it; lines already printed are not repeated.
    """
    from encounterlog.reading import listing
    from encounterlog.reading.logs import Log

    wanted = listing.Filter(number, actor, kind)
    if expression is not None and (follow or struck):
        raise click.UsageError(
            "--where does not go with --follow or --struck: it asks for values of the corrected stream"
        )
    if turns and expression is None:
        raise click.UsageError("--turns needs --where EXPR")
    if follow and as_of is not None:
        raise click.UsageError("--follow does not go with --as-of: what is appended is later")
    if follow:
        from encounterlog.reading import following

        return following.log(file, wanted, struck=struck, as_json=as_json)
    watched = None
    if expression is not None:
        from encounterlog.reading.holding import Watched

        watched = Watched(expression, turns=turns)
    return listing.log(Log(file, as_of=as_of), wanted, struck=struck, as_json=as_json, watched=watched)
