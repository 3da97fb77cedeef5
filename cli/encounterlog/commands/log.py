"""`encounter log`: the telling, one fact a line."""

from pathlib import Path

import click

from encounterlog.edge import options


@click.command()
@options.file
@options.number
@options.actor
@click.option("--type", "kind", metavar="TYPE", help="Only facts of this type; encounter schema lists them.")
@click.option("--struck", is_flag=True, help="The file as it stands: corrections too, and what they struck or amended.")
@click.option("--follow", is_flag=True, help="Go on with each fact as it is appended, until Ctrl-C.")
@options.as_json
def command(
    file: Path, number: int | None, actor: str | None, kind: str | None, struck: bool, follow: bool, as_json: bool
) -> int:
    """Tell what happened in the log FILE, corrections applied, one fact a line.

    The second column is the moment, in the notation that --at takes. With --json each line is a JSON object. With
    --follow a correction that comes later is a line of its own, where the filters let it through; the lines before it
    stay as they were, and are not read again.
    """
    from encounterlog.reading import listing
    from encounterlog.reading.logs import Log

    wanted = listing.Filter(number, actor, kind)
    if follow:
        from encounterlog.reading import following

        return following.log(file, wanted, struck=struck, as_json=as_json)
    return listing.log(Log(file), wanted, struck=struck, as_json=as_json)
