"""The first page: the encounters that a browser can open, and for those who may, a form that opens another one."""

from collections.abc import Iterable, Mapping
from html import escape

from msgspec import Struct

from encounterlog.edge.shelves import Shelf, Token
from encounterlog.errors import Refused
from encounterlog.service import bodies
from encounterlog.service.calls import Call, Reply
from encounterlog.service.pages import LINK, cookie, for_people, page
from encounterlog.service.people import holders
from encounterlog.service.problems import KINDS, Problem, problem_of
from encounterlog.service.writing import Opened, link, may_open, opened, parties
from eventstore.errors import StoreError
from eventstore.form import visible
from projections.rulesets import keys

CREATED = 201


def home(call: Call) -> Reply:
    """Return the page with what this browser's invitations open, and the form if one of them may open another encounter."""
    try:
        tokens = holders(call.service.shelf, call.headers)
    except Problem:
        tokens = ()
    return _page(call, tokens)


def open_one(call: Call) -> Reply:
    """Open an encounter as the form says; its opener is its game master. What is wrong is said above the form."""
    if not may_open(call, call.tokens):
        raise Problem("forbidden", "an encounter is opened by the operator, or by a game master", LINK)
    sent: Mapping[str, str] = {}
    try:
        sent = bodies.fields_of(call.body)
        wanted = bodies.form_of(sent)
        writer = next((one.by for one in call.tokens if one.role == "gm" and one.by), "gm")
        opening = bodies.Opening(ruleset=wanted.ruleset, title=wanted.title, by=writer)
        made = opened(call, wanted.name, opening, (wanted.party, wanted.side.strip()))
    except (Problem, Refused, StoreError) as error:
        problem = problem_of(error, sent.get("name", ""))
        if not for_people(call.headers.get("accept", "")):
            raise problem from None
        return _page(call, call.tokens, _Wrong(problem, sent))
    return _opened(call, made)


def _opened(call: Call, made: Opened) -> Reply:
    """Return the page of an encounter that was opened, which lets this browser in."""
    there, name = f"/e/{bodies.quoted(made.name)}", escape(made.name)
    behind = "".join(f"<li>{escape(visible(each))}</li>" for each in made.behind)
    body = (
        f"<main><h1><bdi>{name}</bdi> is open</h1>"
        f'<p><a href="{there}" autofocus>Go to <bdi>{name}</bdi></a>, as its game master</p>'
        + (f"<h2>Left out</h2><ul>{behind}</ul>" if behind else "")
        + "<p>The link for its game master on another device, shown only this once; commands read it from ENCOUNTER_TOKEN:</p>"
        f"<pre>{escape(link(call, made.text, made.name))}</pre>"
        '<p><a href="/">All encounters</a></p></main>'
    )
    reply = page(f"{made.name} is open", body)
    reply.status = CREATED
    reply.headers |= {"set-cookie": cookie(call, made.name, made.text), "location": there}
    return reply


# ---------------------------------------------------------------- the page


class _Wrong(Struct, frozen=True):
    """What is wrong with a form that was sent, and what stood in its fields."""

    problem: Problem
    sent: Mapping[str, str]


def _page(call: Call, tokens: tuple[Token, ...], wrong: _Wrong | None = None) -> Reply:
    links = "".join(
        f'<li><a href="/e/{bodies.quoted(name)}"><bdi>{escape(name)}</bdi></a> ({escape(role)})</li>'
        for name, role in names(call.service.shelf, tokens).items()
    )
    form = _form(parties(call, tokens), wrong) if may_open(call, tokens) else ""
    nothing = "" if form else f"<p>Nothing is open to this browser yet. {LINK}.</p>"
    listed = f"<ul>{links}</ul>" if links else nothing
    reply = page("Encounters", f"<main><h1>Encounters</h1>{listed}{form}</main>")
    if wrong is not None:
        reply.status = wrong.problem.status
        reply.headers |= wrong.problem.all_headers()
    return reply


def names(shelf: Shelf, tokens: Iterable[Token]) -> dict[str, str]:
    """Return the encounters that tokens open as pages, sorted, each with the role there."""
    there = {token.encounter: token.role for token in tokens if token.role != "operator"}
    return {name: there[name] for name in shelf.names() if name in there}


def _form(former: Iterable[str], wrong: _Wrong | None) -> str:
    """Return the form that opens an encounter: plain HTML, with what was sent and what is wrong with it."""
    sent = wrong.sent if wrong else {}
    field = str(wrong.problem.more.get("field", "")) if wrong else ""

    def about(name: str) -> str:
        return f'name="{name}" id="{name}"' + (' aria-invalid="true" aria-describedby="wrong"' if name == field else "")

    def text(name: str, label: str, most: int, more: str = "") -> str:
        value = escape(sent.get(name, ""))
        entry = f'<input {about(name)} value="{value}" maxlength="{most}" autocomplete="off"{more}>'
        return f'<p><label for="{name}">{label}</label><br>{entry}</p>'

    def choice(name: str, label: str, nothing: str, values: Iterable[str], more: str = "") -> str:
        chosen = sent.get(name, "")
        rows = "".join(
            f'<option value="{escape(each)}"{" selected" if each == chosen else ""}>{escape(each)}</option>'
            for each in values
        )
        entry = f'<select {about(name)}{more}><option value="">{nothing}</option>{rows}</select>'
        return f'<p><label for="{name}">{label}</label><br>{entry}</p>'

    return (
        '<h2 id="opens">Open an encounter</h2><form method="post" action="/" aria-labelledby="opens">'
        + (_said(wrong.problem) if wrong else "")
        + text("name", "Name, as it stands in its address, such as the-mill", 120, " required")
        + text("title", "Title, if it is to be another than the name", 120)
        + choice("ruleset", "Ruleset", "Choose one", keys(), " required")
        + choice("party", "Whose party goes on, with what it has left", "Nobody's", former)
        + text("side", "Which side of that encounter, or which combatant, if not the players'", 60)
        + "<p><button>Open</button></p></form>"
    )


def _said(problem: Problem) -> str:
    """Return what is wrong with a form, and what to do about it."""
    what = (KINDS[problem.kind].title, problem.detail, problem.hint)
    said = " ".join(f"{each[:1].upper()}{each[1:]}." for each in what if each)
    return f'<p id="wrong" role="alert" tabindex="-1" autofocus>{escape(said)}</p>'
