"""The pages for people: Jinja2 makes them of `templates/`, where every value is escaped; the page of a link.

Joining takes a press of a button, which sends a form: a program that looks at a link in advance, such as a messenger, uses up
nothing. The token stands after the # of the link, where no server and no log ever sees it, until the form is sent.
"""

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import Response

from encounterlog.errors import ERRORS
from encounterlog.service import bodies
from encounterlog.service.calls import HTML, Call
from encounterlog.service.people import cookie_name, token_digest
from encounterlog.service.problems import Problem
from eventstore.wording import visible

FILES = PackageLoader("encounterlog.service")
TEMPLATES = Environment(loader=FILES, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
TEMPLATES.filters |= {"visible": visible, "quoted": bodies.quote_name}


def html_page(template: str, status: int = 200, **values: Any) -> Response:
    """Return a page of HTML, made of a template with these values."""
    return Response(TEMPLATES.get_template(template).render(values), status, media_type=HTML)


def is_page_wanted(accept: str) -> bool:
    """Return whether a request prefers a page to JSON, as those of browsers do."""
    wanted = [each.partition(";")[0].strip().lower() for each in accept.split(",")]
    return HTML in wanted and not any("json" in each for each in wanted[: wanted.index(HTML)])


def refusal_page(problem: Problem) -> Response:
    """Return the page of a request that is refused: the error, and what a person can do about it."""
    title, advice = _ADVICE.get(problem.kind, (ERRORS[problem.kind].title, problem.hint))
    return html_page("refused.html", problem.status, title=title, says=(problem.detail, advice))


LINK = "Open the link of your invitation on this device; without one, ask your game master"
_ADVICE = {
    "no-token": ("This browser is not invited yet", LINK),
    "forbidden": ("This is not open to you", LINK),
    "not-found": ("There is nothing here", "Look at the address again, or open the link of your invitation"),
    "too-many-requests": ("Too many requests", "Wait a moment, then load the page again"),
}
"""The titles of refusals that people meet, with the next step."""


def join_page(_call: Call) -> Response:
    """Return the page with the one button."""
    return html_page("join.html", title="Join an encounter", script="join.js")


def accept_invitation(call: Call) -> Response:
    """Set the cookie of the sent token, and lead on to its encounter, an operator to the first page; raise Problem if it opens nothing."""
    text = bodies.parse_form(call.body, "form").get("token", [""])[0].strip().rpartition(":")[2].strip()
    token = call.service.shelf.tokens.find(token_digest(text)) if 0 < len(text) <= 200 and text.isascii() else None
    if token is None or token.revoked:
        raise Problem("forbidden", "this link opens nothing, or no longer", "ask your game master for another one")
    return Response(status_code=303, headers=headers_of_entry(call, token.encounter, text))


def headers_of_entry(call: Call, encounter: str, text: str) -> dict[str, str]:
    """Return the headers that lead to an encounter, and keep its token for a year, that of an operator, who opens none, until the browser ends."""
    there, age = (f"/e/{bodies.quote_name(encounter)}", f"; Max-Age={365 * 24 * 3600}") if encounter else ("/", "")
    secure = "; Secure" if call.base.startswith("https:") else ""
    cookie = f"{cookie_name(encounter)}={text}; Path=/{age}; HttpOnly; SameSite=Strict{secure}"
    return {"location": there, "set-cookie": cookie}
