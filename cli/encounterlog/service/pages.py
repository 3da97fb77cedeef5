"""The page of a link, and the files that pages refer to; `live` has the page of an encounter, `first_page` the first one.

Joining takes a press of a button, which sends a form: a program that looks at a link in advance, such as a messenger,
uses up nothing. The token stands after the # of the link, where no server and no log ever sees it, until the form is
sent.
"""

import gzip
import re
from collections.abc import Callable
from functools import cache, partial
from html import escape
from urllib.parse import parse_qs

from encounterlog.service import bodies, live, offline
from encounterlog.service.calls import HTML, Call, Reply
from encounterlog.service.people import cookie_of, digest
from encounterlog.service.problems import KINDS, Problem

STYLE = """\
:root { color-scheme: light dark; font: 100%/1.45 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
  --ground: #fbfaf7; --panel: #fff; --text: #1d1f21; --quiet: #595d63; --line: #d5d3cc; --link: #0b5394; --button: #f3f1ea; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #15171a; --panel: #1d2024; --text: #e8e6e1; --quiet: #a9adb4; --line: #3a3f46; --link: #8fc1f0; --button: #2a2f35; } }
* { box-sizing: border-box; }
body { max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; background: var(--ground); color: var(--text); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 .75rem; }
h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
small, .quiet { color: var(--quiet); font-size: .875rem; }
button, input, select { font: inherit; color: inherit; min-height: 2.75rem; padding: .4rem .75rem; max-width: 100%;
  background: var(--panel); border: 1px solid var(--quiet); border-radius: .4rem; }
button { background: var(--button); cursor: pointer; }
.main { display: inline-block; padding: .6rem 1rem; background: var(--link); border: 1px solid var(--link); border-radius: .4rem;
  color: var(--ground); font-weight: 600; text-decoration: none; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.encounters { list-style: none; padding: 0; margin: 0; }
.encounters li { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; justify-content: space-between;
  padding: .5rem .75rem; margin-bottom: .4rem; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; }
.encounters a, .encounters b { font-size: 1.1rem; font-weight: 600; }
.encounters small { display: block; }
.opens { padding: .75rem; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: .75rem 1rem; align-items: end; }
.fields p, .opens p { margin: 0; }
.fields :is(input, select) { width: 100%; }
.opens > * + * { margin-top: .75rem; }
table { border-collapse: collapse; }
:is(td, th) { padding: .3rem 1rem .3rem 0; text-align: start; border-top: 1px solid var(--line); }
summary { padding: .4rem 0; cursor: pointer; color: var(--quiet); }
"""
SEE_OTHER = 303
YEAR = 365 * 24 * 3600


def page(title: str, body: str, *, script: str = "") -> Reply:
    """Return a page of HTML whose title is escaped here, and whose body is HTML already."""
    tag = f'<script src="{script}" defer></script>' if script else ""
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'{offline.HEAD}<link rel="stylesheet" href="/assets/service.css">{tag}</head><body>{body}</body></html>\n'
    )
    return Reply(200, text.encode(), f"{HTML}; charset=utf-8", {"cache-control": "no-store"})


def for_people(accept: str) -> bool:
    """Return whether a request prefers a page to JSON, as those of browsers do."""
    wanted = [each.partition(";")[0].strip().lower() for each in accept.split(",")]
    return HTML in wanted and not any("json" in each for each in wanted[: wanted.index(HTML)])


def refused(problem: Problem) -> Reply:
    """Return the page of a request that is refused: the error, and what a person can do about it."""
    title, advice = _ADVICE.get(problem.kind, (KINDS[problem.kind].title, problem.hint))
    said = "".join(f"<p>{escape(each)}.</p>" for each in (problem.detail, advice) if each)
    return page(title, f'<main><h1>{escape(title)}</h1>{said}<p><a href="/">What this browser can open</a></p></main>')


LINK = "Open the link of your invitation on this device; without one, ask your game master"
_ADVICE = {
    "no-token": ("This browser is not invited yet", LINK),
    "forbidden": ("This is not open to you", LINK),
    "not-found": ("There is nothing here", "Look at the address again, or open the link of your invitation"),
    "too-many-requests": ("Too many requests", "Wait a moment, then load the page again"),
}
"""The titles of refusals that people meet, with the next step."""


def join(_call: Call) -> Reply:
    """Return the page with the one button."""
    form = (
        '<main><h1>Join an encounter</h1><form method="post" action="/join"><p><label>The rest of your link, after # '
        '<input name="token" autocomplete="off" required></label></p><p><button class="main">Join</button></p></form></main>'
    )
    return page("Join an encounter", form, script="/assets/join.js")


def joined(call: Call) -> Reply:
    """Set the cookie of the sent token, and lead on to its encounter, an operator to the first page; raise Problem if it opens nothing."""
    try:
        sent = parse_qs(call.body.decode(), max_num_fields=5).get("token", [""])[0]
    except (UnicodeDecodeError, ValueError):
        sent = ""
    text = sent.strip().rpartition(":")[2].strip()
    token = call.service.shelf.tokens.find(digest(text)) if 0 < len(text) <= 200 and text.isascii() else None
    if token is None or token.revoked:
        raise Problem("forbidden", "this link opens nothing, or no longer", "ask your game master for another one")
    there = f"/e/{bodies.quoted(token.encounter)}" if token.encounter else "/"
    let_in = {"set-cookie": cookie(call, token.encounter, text)}
    return Reply(SEE_OTHER, headers={"location": there, "cache-control": "no-store"} | let_in)


def cookie(call: Call, encounter: str, text: str) -> str:
    """Return the cookie that keeps a token for a year, that of an operator, who opens no encounter, until the browser ends."""
    age = f"; Max-Age={YEAR}" if encounter else ""
    secure = "; Secure" if call.base.startswith("https:") else ""
    return f"{cookie_of(encounter)}={text}; Path=/{age}; HttpOnly; SameSite=Strict{secure}"


def asset(call: Call) -> Reply:
    """Return a style or a script of these pages."""
    name = call.path["file"]
    if name not in ASSETS:
        raise Problem("not-found", "there is no such file")
    headers = {"cache-control": "public, max-age=300", "vary": "Accept-Encoding"}
    if name == "worker.js":
        headers["service-worker-allowed"] = "/"  # it answers for the pages, which stand above the files
    if takes_gzip(call.headers.get("accept-encoding", "")):
        return Reply(200, _packed(name), MEDIA[name.rpartition(".")[2]], headers | {"content-encoding": "gzip"})
    return Reply(200, _bytes(name), MEDIA[name.rpartition(".")[2]], headers)


def takes_gzip(accepted: str) -> bool:
    """Return whether the sender of this header takes gzip."""
    return any(re.fullmatch(r"\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]\d*).*)?", each) for each in accepted.split(","))


@cache
def _packed(name: str) -> bytes:
    return gzip.compress(_bytes(name), mtime=0)


def _bytes(name: str) -> bytes:
    made = ASSETS[name]()
    return made.encode() if isinstance(made, str) else made


MEDIA = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "html": f"{HTML}; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
ASSETS: dict[str, Callable[[], str | bytes]] = {
    "app.webmanifest": offline.manifest,
    "worker.js": offline.worker,
    **{
        name: partial(offline.source, name)
        for name in ("join.js", "install.js", "opened.js", "offline.js", "offline.html", "icon.svg")
    },
    **{name: partial(offline.icon, name) for name in ("icon-192.png", "icon-512.png")},
    "service.css": lambda: STYLE,
    "encounter.js": live.script,
    "later.js": live.later,
    "encounter.css": live.style,
    "preact.js": live.library,
}
"""The files that pages refer to, and the functions that make them."""
