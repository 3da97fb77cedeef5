"""The page that a link leads to, and the files that pages refer to; `live` has the page of an encounter.

Joining takes a press of a button, which sends a form: a program that looks at a link in advance, such as a messenger, uses up
nothing. The token stands behind the # of the link, where no server and no log ever sees it, until the form is sent.
"""

from collections.abc import Callable, Iterable
from html import escape
from urllib.parse import parse_qs, quote

from encounterlog.edge.shelves import Shelf, Token
from encounterlog.service import bodies, live
from encounterlog.service.calls import HTML, Call, Reply
from encounterlog.service.people import cookie_of, digest, holders
from encounterlog.service.problems import KINDS, Problem

JOIN_SCRIPT = """\
"use strict";
const held = document.querySelector("input[name=token]");
if (location.hash.length > 1) {
  held.value = location.hash.slice(1);
  held.closest("label").hidden = true;
  history.replaceState(null, "", location.pathname);
}
"""
STYLE = """\
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
button, input { font: inherit; padding: .5rem 1rem; max-width: 100%; }
pre { overflow-x: auto; }
"""
SEE_OTHER = 303
YEAR = 365 * 24 * 3600


def page(title: str, body: str, *, script: str = "") -> Reply:
    """Return a page of HTML whose title is escaped here, and whose body is HTML already."""
    tag = f'<script src="{script}" defer></script>' if script else ""
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="data:,">'
        f'<link rel="stylesheet" href="/assets/service.css">{tag}</head><body>{body}</body></html>\n'
    )
    return Reply(200, text.encode(), f"{HTML}; charset=utf-8", {"cache-control": "no-store"})


def for_people(accept: str) -> bool:
    """Return whether a request asks for a page before it asks for JSON, as browsers do of an address."""
    wanted = [each.partition(";")[0].strip().lower() for each in accept.split(",")]
    return HTML in wanted and not any("json" in each for each in wanted[: wanted.index(HTML)])


def refused(problem: Problem) -> Reply:
    """Return the page of a request that is refused: what is wrong, and what a person can do about it."""
    title, advice = _ADVICE.get(problem.kind, (KINDS[problem.kind].title, problem.hint))
    said = "".join(f"<p>{escape(each)}.</p>" for each in (problem.detail, advice) if each)
    return page(title, f'<main><h1>{escape(title)}</h1>{said}<p><a href="/">What this browser can open</a></p></main>')


_LINK = "Open the link of your invitation on this device; without one, ask your game master"
_ADVICE = {
    "no-token": ("This browser is not invited yet", _LINK),
    "forbidden": ("This is not open to you", _LINK),
    "not-found": ("There is nothing here", "Look at the address again, or open the link of your invitation"),
    "too-many-requests": ("Too many requests", "Wait a moment, then load the page again"),
}
"""The title, and what to do, of refusals that people meet."""


def home(call: Call) -> Reply:
    """Return the page with what this browser's invitations open."""
    try:
        found = names(call.service.shelf, holders(call.service.shelf, call.headers))
    except Problem:
        found = {}
    links = "".join(
        f'<li><a href="/e/{quote(name, safe="")}"><bdi>{escape(name)}</bdi></a> ({escape(role)})</li>'
        for name, role in found.items()
    )
    body = f"<ul>{links}</ul>" if links else f"<p>Nothing is open to this browser yet. {_LINK}.</p>"
    return page("Encounters", f"<main><h1>Encounters</h1>{body}</main>")


def names(shelf: Shelf, tokens: Iterable[Token]) -> dict[str, str]:
    """Return the encounters that tokens open as pages, sorted, each with the role there."""
    there = {token.encounter: token.role for token in tokens if token.role != "operator"}
    return {name: there[name] for name in shelf.names() if name in there}


def join(_call: Call) -> Reply:
    """Return the page with the one button."""
    form = (
        '<main><h1>Join an encounter</h1><form method="post" action="/join"><p><label>The rest of your link, after # '
        '<input name="token" autocomplete="off" required></label></p><p><button>Join</button></p></form></main>'
    )
    return page("Join an encounter", form, script="/assets/join.js")


def joined(call: Call) -> Reply:
    """Set the cookie of the token that was sent, and lead on to its encounter; raise Problem if it opens nothing."""
    try:
        sent = parse_qs(call.body.decode(), max_num_fields=5).get("token", [""])[0]
    except (UnicodeDecodeError, ValueError):
        sent = ""
    text = sent.strip().rpartition(":")[2].strip()
    token = call.service.shelf.tokens.find(digest(text)) if 0 < len(text) <= 200 and text.isascii() else None
    if token is None or token.revoked or not token.encounter:
        raise Problem("forbidden", "this link opens nothing, or no longer", "ask your game master for another one")
    secure = "; Secure" if call.base.startswith("https:") else ""
    cookie = f"{cookie_of(token.encounter)}={text}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict{secure}"
    there = f"/e/{bodies.quoted(token.encounter)}"
    return Reply(SEE_OTHER, headers={"location": there, "set-cookie": cookie, "cache-control": "no-store"})


def asset(call: Call) -> Reply:
    """Return a style or a script of these pages."""
    name = call.path["file"]
    if name not in ASSETS:
        raise Problem("not-found", "there is no such file")
    return Reply(200, ASSETS[name]().encode(), MEDIA[name.rpartition(".")[2]], {"cache-control": "public, max-age=300"})


MEDIA = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}
ASSETS: dict[str, Callable[[], str]] = {
    "join.js": lambda: JOIN_SCRIPT,
    "service.css": lambda: STYLE,
    "encounter.js": live.script,
    "encounter.css": live.style,
}
"""The files that pages refer to, and what makes them."""
