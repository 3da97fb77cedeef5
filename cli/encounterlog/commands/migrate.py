"""`encounter migrate`: make or change the tables for logs in a database."""

import click

from encounterlog.storage import databases
from encounterlog.terminal import options, output
from eventstore.address import Url


@click.command(epilog="\b\nencounter migrate postgresql://owner@db.example/tables --serve encounters")
@options.database
@click.option(
    "--serve",
    "roles",
    multiple=True,
    metavar="ROLE",
    help="Let this role read and append, and neither change nor remove a record; may be repeated.",
)
@options.as_json
def command(database: Url, roles: tuple[str, ...], as_json: bool) -> None:
    """Bring the tables in DATABASE, postgresql://OWNER@HOST/DATABASE, to the version of this program.

    The role that runs this owns the tables. With tables of this version it does nothing, and two people may run it at
    once. On a database without the tables every other command ends with exit code 2 and names this one.
    """
    done = databases.migrate(database, roles)
    if as_json:
        output.json({"database": str(database), "done": done, "serving": roles})
        return
    numbers = ", ".join(map(str, done))
    output.lines([f"{database}: migrated: {numbers}" if done else f"{database}: nothing to do"])
    output.lines([f"{role} may read and append" for role in roles])
