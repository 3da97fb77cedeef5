"""`encounter invite`: a link with which a person opens an encounter."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from encounterlog.core.logs import LogView, replayed
from encounterlog.errors import Refused
from encounterlog.service.settings import Settings
from encounterlog.storage import extras, serving
from encounterlog.storage.services import ask
from encounterlog.storage.stores import address as located
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import FINE
from eventstore.errors import StoreError
from eventstore.form import nearest

if TYPE_CHECKING:
    from encounterlog.storage.shelves import Role


@click.command(
    epilog="\b\nencounter invite campaign/ford.jsonl --role player --combatant ana\n"
    "encounter invite https://table.example/e/ford --role spectator"
)
@click.argument("address", metavar="FILE|URL")
@click.option("--role", type=click.Choice(("gm", "player", "spectator")), required=True, help="The role of the person.")
@click.option(
    "--combatant",
    "combatants",
    multiple=True,
    metavar="ID",
    help="A combatant of the player's own; may be repeated.",
)
@click.option("--writes", is_flag=True, help="Let a player append for these combatants.")
@click.option(
    "--by", default="", metavar="NAME", help="The name of the writer; by default the first combatant, or the role."
)
@click.option(
    "--url",
    "base",
    envvar="ENCOUNTER_URL",
    default="",
    help="The beginning of the link to a FILE; by default the address of the service that runs on its folder.",
)
@options.as_json
def command(
    address: str, role: "Role", combatants: tuple[str, ...], writes: bool, by: str, base: str, as_json: bool
) -> int:
    """Print a link that opens an encounter, for one person: it works for everybody who has it.

    FILE is a log in the served folder; a digest of the token is kept beside it. With a URL, the service there makes
    the link, with the token of a game master in ENCOUNTER_TOKEN. If others may not reach the link's address, a note
    says so.

    A combatant may join later; a note names those who have not joined yet.
    """
    wanted = {"role": role, "combatants": list(combatants), "by": by or next(iter(combatants), role), "writes": writes}
    note = ""
    if "://" in address and not address.startswith("postgres"):
        made = _asked(address, wanted)
    else:
        base, note = (base, "") if base else _served(address)
        made = _made(address, wanted, base)
    if as_json:
        output.json(made)
    else:
        output.lines([made["link"]])
        output.notes([f"for a {role}; to revoke it later: its id is {made['id']}"])
    output.notes([note] if note else [])
    with suppress(Refused, StoreError):  # it is only a note
        output.notes(_absent(address, combatants))
    return FINE


def _made(address: str, wanted: dict[str, Any], base: str) -> dict[str, Any]:
    """Store a new token beside a log, and return it with its link."""
    try:
        from encounterlog.service.people import invitation
    except ImportError as error:
        raise extras.missing("usage", f"a part that serves is missing: {error.name}", "serve") from None
    return invitation(address, wanted, base)


def _served(address: str) -> tuple[str, str]:
    """Return the beginning of links to a log, as the service of its folder says, and a note if others cannot use it, or if it is
    a guess.
    """
    log = located(address)
    base = serving.found(Path(log).parent) if isinstance(log, str) else ""
    if not base:
        base = f"http://{Settings().host}:{Settings().port}"
        return base, f"note: it is not known where it is served; if it is not {base}, say it with --url"
    host = urlsplit(base).hostname or ""
    if host in ("0.0.0.0", "::"):  # noqa: S104 – it is compared
        if near := serving.address_in_network():
            there = base.replace("0.0.0.0", near).replace("[::]", near)  # noqa: S104
            return there, "note: if others do not reach this machine by that address, give another with --url"
        here = base.replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]")  # noqa: S104
        other = f"{urlsplit(base).scheme}://ADDRESS:{urlsplit(base).port}"
        return here, f"note: this link is for this machine alone; for others, give its address: --url {other}"
    if host in ("localhost", "127.0.0.1", "::1"):
        return (
            base,
            "note: this link is for this machine alone; where a proxy stands before the service, say its address with --url",
        )
    return base, ""


def _absent(address: str, combatants: tuple[str, ...]) -> list[str]:
    """Return a note for each combatant who has not joined, who may be misspelt, or join later."""
    if not combatants:
        return []
    known = replayed(LogView(located(address))).state.combatants
    says = [
        f"note: no combatant {who} has joined so far; {nearest(who, known)}" for who in combatants if who not in known
    ]
    return [each.removesuffix("; ") for each in says]


def _asked(address: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """Ask a service for a token, and return it with its link."""
    return ask("POST", address, "tokens", wanted)
