"""`encounter mcp`: a campaign for an assistant."""

import click

from encounterlog.cli import options
from encounterlog.cli.failures import FINE
from encounterlog.errors import Refused
from encounterlog.places import extras
from encounterlog.places.opening_shelves import open_shelf
from encounterlog.service.problems import Problem


@click.command(epilog="\b\nencounter mcp campaign\nencounter mcp campaign --as player:ana")
@click.argument("shelf", metavar="CAMPAIGN", envvar="ENCOUNTER_SHELF")
@click.option(
    "--as",
    "role",
    default="gm",
    show_default=True,
    metavar="ROLE",
    help="For whom the assistant acts: gm, player:NAME (an id, or several with commas), or spectator.",
)
@click.option(
    "--http",
    "port",
    type=options.Whole(1, 65535),
    default=None,
    metavar="PORT",
    help="Serve streamable HTTP at 127.0.0.1 instead of standard input and output; every program of this machine may connect.",
)
def mcp(shelf: str, role: str, port: int | None) -> int:
    """Let an assistant record, check and explain the fights of CAMPAIGN, a folder of logs, by the Model Context Protocol.

    The assistant reads what the table says; Encounterlog records it, says what the rules have against it, and takes it
    back. It deletes nothing, and reads nothing but the logs in CAMPAIGN.
    """
    try:
        from encounterlog.mcp import server
    except ImportError as error:
        raise extras.missing("usage", f"a part for assistants is missing: {error.name}", "mcp") from None
    opened = open_shelf(shelf)
    try:
        server.serve(server.server(opened, role), port)
    except Problem as error:
        raise Refused("usage", f"--as: {error.detail}", error.hint) from None
    finally:
        opened.close()
    return FINE
