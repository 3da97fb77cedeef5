"""`encounter serve`, `invite` and `mcp`: logs over HTTP, the links with which people open them, and a campaign for an assistant."""

import errno
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast
from urllib.parse import urlsplit

from encounterlog.cli import output
from encounterlog.cli.failures import FINE
from encounterlog.cli.options import SECONDS, Given, Json, argument, command, option, whole
from encounterlog.errors import Refused, missing_extra
from encounterlog.log.logs import LogView, replay_log
from encounterlog.places import serving
from encounterlog.places.shelves import open_shelf
from encounterlog.places.stores import open_store, parse_address as located
from encounterlog.service.problems import Problem
from encounterlog.service.settings import Limits, Settings
from eventstore.address import Url, is_url
from eventstore.errors import StoreError
from eventstore.wording import nearest

if TYPE_CHECKING:
    from encounterlog.places.remote import RemoteStore

EVERYWHERE = "0.0.0.0"  # noqa: S104 – only where --lan asks for it, and then only private addresses are served


def _setting(words: str, says: str, name: str = "", **more: Any) -> Given:
    variable = words.partition(" ")[0].strip("-").replace("-", "_").upper()
    return option(words, says, name, envvar=f"ENCOUNTER_{variable}", **more)


def _limit(flag: str, says: str, field: str) -> Given:
    default = getattr(Limits(), field)
    kind = whole(1) if isinstance(default, int) else SECONDS
    return _setting(flag, says, field, type=kind, default=default, show_default=True)


_LISTENS = "The address to listen at; by default 127.0.0.1, with --lan every address of this machine."
_LINK = "The beginning of the link to a FILE; by default the address of the service that runs on its folder."
_ACTS = "For whom the assistant acts: gm, player:NAME (an id, or several with commas), or spectator."
_OVER_HTTP = "Serve streamable HTTP at 127.0.0.1 instead of standard input and output; every program of this machine may connect."


@command(
    _setting("--host", _LISTENS, default=""),
    _setting("--port", "The port; 0 takes a free one.", type=whole(0, 65535), default=8317, show_default=True),
    _setting("--url", "The beginning of links, if it is not the address of the request.", default=""),
    _setting("--lan", "Serve the table's own network without encryption, and private addresses alone."),
    _setting("--tls-cert", "The certificate, in PEM."),
    _setting("--tls-key", "Its private key, in PEM."),
    _setting("--proxy ADDRESS", "The address of the proxy whose X-Forwarded-For and -Proto are believed.", default=""),
    _setting("--log-requests", "Write down each request on standard error, not only those that fail."),
    _limit("--requests", "Requests of each token in a minute.", "requests"),
    _limit("--streams", "Open streams of each token.", "streams"),
    _limit("--all-streams", "Open streams of the process.", "all_streams"),
    _limit("--largest-body", "Bytes of a request's body.", "body"),
    _limit("--most-facts", "Facts in one request.", "facts"),
    _limit("--patience", "Seconds that a request may take to arrive, and a reader to take an answer.", "patience"),
    examples="encounter serve campaign\nencounter serve campaign --lan",
)
def serve(
    shelf: Annotated[str, argument("shelf", "FOLDER|URL", envvar="ENCOUNTER_SHELF")],
    host: str,
    port: int,
    url: str,
    lan: bool,
    tls_cert: Path | None,
    tls_key: Path | None,
    proxy: str,
    log_requests: bool,
    **limits: Any,
) -> int:
    """Serve the logs of a FOLDER, so that the GM writes and everybody at the table follows.

    At the first start an operator's token is printed, once: with it the first encounters are created over HTTP. At a terminal a
    link with it is printed, too, which opens the page; where the output goes to a log, it is not.
    encounter invite prints links for people. Each failure is a line of JSON on standard error, with --log-requests
    every request; never a token. SIGTERM ends the service within a second; followers are asked to connect again.

    Without encryption it listens at this machine only; --lan lets it serve the phones at the table, too.
    """
    with _refuse_missing_part("that serves", "serve"):
        from encounterlog.service import app, people
    host = host or (EVERYWHERE if lan and not proxy else Settings().host)
    tls = (str(tls_cert or ""), str(tls_key or ""))
    settings = Settings(host, port, lan, proxy, *tls, url.rstrip("/"), log_requests, Limits(**limits))
    _check_transport_security(settings)
    _check_free(settings)
    with ExitStack() as ending:
        opened = ending.enter_context(closing(open_shelf(shelf)))
        operator, token = people.mint_token("operator", by="operator")
        is_first = opened.tokens.add_first(token)
        output.print_lines([f"operator token, shown only this once: {operator}"] if is_first else [])

        def started(port: int) -> None:
            if not is_url(shelf):
                ending.enter_context(serving.announce_url(Path(shelf), settings.base or _url(settings, port)))
            what = Url(shelf) if is_url(shelf) else shelf  # as text, a URL shows no password
            output.print_lines([f"serving {what} at {_url(settings, port)}; Ctrl-C ends"])
            if lan and not settings.encrypted:
                if host == EVERYWHERE and (near := serving.address_in_network()):
                    output.print_notes([f"note: in this network it is at {_url(settings, port, near)}"])
                warning = "without encryption, everybody on this network can read tokens and secrets"
                output.print_notes([f"warning: {warning}"])
            if is_first and sys.stdout.isatty():
                here = {EVERYWHERE: Settings().host, "::": "::1"}.get(host, host)
                there = f"{settings.base or _url(settings, port, here)}/join#:{operator}"
                output.print_lines([f"open it as its operator, shown only this once: {there}"])
            sys.stdout.flush()

        app.make_server(opened, settings, started).run()
    app.exit_if_threads_remain()
    return FINE


@contextmanager
def _refuse_missing_part(what: str, extra: str) -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise missing_extra("usage", f"a part {what} is missing: {error.name}", extra) from None


def _check_transport_security(settings: Settings) -> None:
    """Raise Refused where tokens and secrets would travel in clear text beyond this machine, or TLS cannot work."""
    if bool(settings.certificate) != bool(settings.key):
        raise Refused("usage", "--tls-cert and --tls-key go together", "give both, or neither")
    for name in filter(None, (settings.certificate, settings.key)):
        if not Path(name).is_file():
            raise Refused("usage", f"{name}: there is no such file")
    if settings.encrypted or settings.proxy or settings.host in ("localhost", "127.0.0.1", "::1"):
        return
    if not settings.lan:
        says = f"without encryption {settings.host} would show tokens and secrets to everybody on the way"
        raise Refused("usage", says, "--lan for the table's own network, --tls-cert and --tls-key, or --proxy ADDRESS")
    try:
        address = ip_address(settings.host)
    except ValueError:
        says = f"--lan: '{settings.host[:60]}' is no address"
        raise Refused("usage", says, "give one of this machine, or 0.0.0.0") from None
    if not (address.is_private or address.is_unspecified or address.is_link_local):
        raise Refused("usage", f"--lan: {settings.host} is a public address", "use TLS there: --tls-cert and --tls-key")


def _check_free(settings: Settings) -> None:
    """Raise Refused where the service could not listen, before its token is printed."""
    host, port = settings.host, settings.port
    try:
        for family, *_, where in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
            socket.create_server(where[:2], family=family).close()
    except OSError as error:
        why = error.strerror if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
        hint = "--host is an address of this machine"
        if error.errno == errno.EADDRINUSE:
            hint = "end the program that listens there, or take another port: --port 8318"
        raise Refused("usage", f"{host}, port {port}: {(why or str(error)).lower()}", hint) from None


def _url(settings: Settings, port: int, host: str = "") -> str:
    host = host or settings.host
    return f"{'https' if settings.encrypted else 'http'}://{f'[{host}]' if ':' in host else host}:{port}"


@command(
    option("--combatant ID", "A combatant of the player's own; may be repeated.", "combatants"),
    option("--by NAME", "The name of the writer; by default the first combatant, or the role.", default=""),
    _setting("--url", _LINK, default=""),
    examples="encounter invite campaign/ford.jsonl --role player --combatant ana\n"
    "encounter invite https://table.example/e/ford --role spectator",
)
def invite(
    address: Annotated[str, argument("address", "FILE|URL")],
    role: Annotated[Literal["gm", "player", "spectator"], option("--role", "The role of the person.", required=True)],
    combatants: tuple[str, ...],
    writes: Annotated[bool, option("--writes", "Let a player append for these combatants.")],
    by: str,
    url: str,
    as_json: Json,
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
        made = cast("RemoteStore", open_store(located(address))).ask("POST", "tokens", wanted)
    else:
        base, note = (url, "") if url else _link_base(address)
        with _refuse_missing_part("that serves", "serve"):
            from encounterlog.service.people import invite_to_log
        made = invite_to_log(address, wanted, base)
    output.print_value(made, lambda _: [made["link"]], as_json)
    revoked = "" if as_json else f"for a {role}; to revoke it later: its id is {made['id']}"
    output.print_notes(filter(None, (revoked, note)))
    with suppress(Refused, StoreError):  # these are only notes
        known = replay_log(LogView(located(address))).state.combatants if combatants else ()
        for who in (who for who in combatants if who not in known):  # misspelt, or to join later
            hint = nearest(who, known)
            output.print_notes([f"note: no combatant {who} has joined so far{hint and f'; {hint}'}"])
    return FINE


def _link_base(address: str) -> tuple[str, str]:
    log = located(address)
    base = serving.find_service_url(Path(log).parent) if isinstance(log, str) else ""
    if not base:
        base = _url(Settings(), Settings().port)
        return base, f"note: it is not known where it is served; if it is not {base}, say it with --url"
    host = urlsplit(base).hostname or ""
    if host in (EVERYWHERE, "::"):
        if near := serving.address_in_network():
            there = base.replace(EVERYWHERE, near).replace("[::]", near)
            return there, "note: if others do not reach this machine by that address, give another with --url"
        here = base.replace(EVERYWHERE, "127.0.0.1").replace("[::]", "[::1]")
        other = f"{urlsplit(base).scheme}://ADDRESS:{urlsplit(base).port}"
        return here, f"note: this link is for this machine alone; for others, give its address: --url {other}"
    if host in ("localhost", "127.0.0.1", "::1"):
        alone = "note: this link is for this machine alone"
        return base, f"{alone}; where a proxy stands before the service, say its address with --url"
    return base, ""


@command(
    argument("shelf", "CAMPAIGN", envvar="ENCOUNTER_SHELF"),
    option("--as ROLE", _ACTS, "role", default="gm", show_default=True),
    option("--http PORT", _OVER_HTTP, type=whole(1, 65535)),
    examples="encounter mcp campaign\nencounter mcp campaign --as player:ana",
)
def mcp(shelf: str, role: str, http: int | None) -> int:
    """Let an assistant record, check and explain the fights of CAMPAIGN, a folder of logs, by the Model Context Protocol.

    The assistant reads what the table says; Encounterlog records it, says what the rules have against it, and takes it
    back. It deletes nothing, and reads nothing but the logs in CAMPAIGN.
    """
    with _refuse_missing_part("for assistants", "mcp"):
        from encounterlog.mcp import server
    with closing(open_shelf(shelf)) as opened:
        try:
            server.serve_clients(server.make_server(opened, role), http)
        except Problem as error:
            raise Refused("usage", f"--as: {error.detail}", error.hint) from None
    return FINE
