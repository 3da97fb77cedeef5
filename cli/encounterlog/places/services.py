"""Services elsewhere: requests to one, with the token of ENCOUNTER_TOKEN."""

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from encounterlog.errors import Kind, Refused, kind_of_number, missing_extra
from encounterlog.places.model import find_model
from eventstore.errors import Malformed, NotWritten

if TYPE_CHECKING:
    import ssl

TOKEN = "ENCOUNTER_TOKEN"  # noqa: S105 – the name of the variable
_ADDRESS = r"(https?://[^/?#]+(?:/[^?#]+)?)/e/([^/?#]+)/?"
PATIENCE = 30.0
_ROLLS = re.compile(r"d[\d%]", re.IGNORECASE)
"""The words that may be dice, which the sender of the line rolls."""
LONGEST_LINE = 2000
"""The most characters of a line that a service takes."""


class Spoken(Struct, frozen=True):
    """A line of the language for a service to record, secret or not, with an entropy word for its dice, and the giver of that."""

    line: str
    word: str
    giver: str | None = None
    secret: bool = False


class Asked(NotWritten):
    """A line in which the service reads a question: nothing was written."""


def is_recordable_by_service(line: object, *given: object) -> bool:
    """Return whether a service can record a line by itself: it has no dice, and no argument that is used here alone."""
    is_plain = isinstance(line, str) and line.strip() == line and "\n" not in line and 0 < len(line) <= LONGEST_LINE
    return is_plain and not _ROLLS.search(str(line)) and all(each is None for each in given) and find_model() is None


UNTOLD = (Asked, Malformed, Refused)
"""The error of a service that recorded no line and wrote nothing: the line is then read here, which gives the reason."""


def endpoints_address(address: str) -> str:
    """Return the address of an encounter's endpoints: for https://host/e/NAME, https://host/v1/encounters/NAME; raise Refused."""
    found = re.fullmatch(_ADDRESS, address)
    if found is None:
        raise Refused(
            "usage", f"{address[:120]} names no encounter of a service", "such as https://table.example/e/ford"
        )
    return f"{found[1]}/v1/encounters/{found[2]}"


class Request(Struct, frozen=True):
    """A request about an encounter: the method, what follows the address of its endpoints, the body, and its headers."""

    method: str
    what: str
    body: bytes = b""
    headers: dict[str, str] = {}


class Reply(Struct, frozen=True):
    """A service's answer to a request: its status, and its content."""

    status: int
    content: bytes

    @property
    def is_good(self) -> bool:
        """Whether the service did what was asked."""
        return 200 <= self.status < 300


NOTHING = Reply(0, b"")
"""The reply to a pause."""


def send_request(address: str, request: Request, token: str = "") -> Reply:
    """Return the reply to a request, by default of the holder of ENCOUNTER_TOKEN; raise the HTTP library's error without one."""
    sent = {**token_headers(token), **request.headers}
    place = f"{endpoints_address(address)}/{request.what}".rstrip("/")
    answer = _import_httpx().request(
        request.method, place, content=request.body, headers=sent, timeout=PATIENCE, verify=trusted_certificates()
    )
    return Reply(answer.status_code, answer.content)


def ask_service(method: str, address: str, what: str, value: Any = None, token: str = "") -> dict[str, Any]:
    """Return a service's answer about an encounter as JSON; raise Refused with the service's words, or if it cannot be reached."""
    try:
        httpx = _import_httpx()
    except ImportError:
        raise missing_extra("usage", "a part that asks services is missing: httpx", "serve") from None
    body = b"" if value is None else msgspec.json.encode(value)
    try:
        answer = send_request(
            address, Request(method, what, body, {"content-type": "application/json"} if body else {}), token
        )
    except httpx.HTTPError as error:
        sent = method != "GET" and not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
        kind: Kind = "uncertain" if sent else "not-written"
        raise Refused(kind, f"{address}: {error or type(error).__name__}", unreachable_hint(error)) from None
    try:
        reply = msgspec.json.decode(answer.content) if answer.content else {}
    except ValueError:
        raise Refused("not-written", f"{address}: {answer.status}, and no JSON", "is it such a service?") from None
    if answer.is_good and isinstance(reply, dict):
        return reply
    reply = reply if isinstance(reply, dict) else {}
    kind = kind_of_number(reply.get("exit"), "overtaken" if answer.status == 412 else "not-written")
    raise Refused(kind, f"{address}: {reply.get('detail', answer.status)}", refusal_hint(reply))


def trusted_certificates() -> "ssl.SSLContext":
    """Return the trusted certificates; they are read once, because that takes longer than most answers."""
    return _load_certificates(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"))


@cache
def _load_certificates(*_: str | None) -> "ssl.SSLContext":
    trusted: ssl.SSLContext = _import_httpx().create_ssl_context()
    return trusted


def _import_httpx() -> Any:
    """Return the HTTP library, of an extra, which takes longer to import than most answers."""
    import httpx

    return httpx


def unreachable_hint(error: Exception) -> str:
    """Return the remedy for a service that cannot be reached."""
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "its certificate is not trusted here; SSL_CERT_FILE names one that is"
    if "SSL" in str(error):
        return "does it speak TLS there? http:// is for one without"
    return "is the service running, and its address right?"


def refusal_hint(reply: dict[str, Any]) -> str:
    """Return the hint of a refusal; if a token is missing it names the variable, since a command's user writes no header."""
    if str(reply.get("type", "")).endswith("#no-token"):
        return f"{TOKEN} holds the token, or the link, that opens the encounter"
    return str(reply.get("hint", ""))


def token_headers(given: str = "") -> dict[str, str]:
    """Return the headers with a token, by default that of ENCOUNTER_TOKEN; raise Refused without one."""
    token = given or os.environ.get(TOKEN, "").strip()
    if not token:
        raise Refused("usage", f"{TOKEN} is not set", "it holds the token, or the link, that opens the encounter")
    return {"authorization": f"Bearer {token.rpartition(':')[2]}"}
