"""The first page: the encounters that a browser can open, and a form that opens another one, for those with the right."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from html import escape
from itertools import count

from msgspec import Struct

from encounterlog.core.logs import replayed
from encounterlog.core.opening import known_options
from encounterlog.errors import Refused
from encounterlog.service import bodies
from encounterlog.service.calls import Call, Reply
from encounterlog.service.pages import LINK, SEE_OTHER, cookie, for_people, page
from encounterlog.service.people import ALL_SECRETS, holders, mint, still_open
from encounterlog.service.problems import KINDS, Problem, problem_of
from encounterlog.service.served_logs import identity, looked_at
from encounterlog.service.writing import Opened, link, may_open, opened, parties
from encounterlog.storage.shelves import Shelf, Token
from encounterlog.text.layout import count as count_of
from eventstore.errors import StoreError
from eventstore.events import EncounterOpened
from eventstore.form import visible
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find, keys

CREATED = 201
ROLES = {"gm": "game master"}
"""The roles with other names than the table uses."""


def home(call: Call) -> Reply:
    """Return the page with the encounters that this browser's invitations open, and the form if one of them may open another encounter."""
    try:
        tokens = holders(call.service.shelf, call.headers)
    except Problem as refused:
        if refused.kind != "no-token":
            raise
        tokens = ()
    return _page(call, tokens)


def open_one(call: Call) -> Reply:
    """Open an encounter as the form says; its opener is its game master. Errors are said above the form."""
    if not may_open(call, call.tokens):
        raise Problem("forbidden", "an encounter is opened by the operator, or by a game master", LINK)
    sent: Mapping[str, str] = {}
    try:
        sent = bodies.fields_of(call.body)
        if "enter" in sent:
            return _entered(call, sent["enter"])
        wanted = bodies.form_of(sent)
        writer = next((one.by for one in call.tokens if one.role == "gm" and one.by), "gm")
        options = bodies.options_of(sent, wanted.ruleset)
        opening = bodies.Opening(ruleset=wanted.ruleset, title=wanted.title, options=options, by=writer)
        name = wanted.name or _name_of(wanted.title, call.service.shelf)
        made = opened(call, name, opening, (wanted.party, wanted.side.strip()))
    except (Problem, Refused, StoreError) as error:
        problem = problem_of(error, sent.get("name", ""))
        if not for_people(call.headers.get("accept", "")):
            raise problem from None
        return _page(call, call.tokens, _Wrong(problem, sent))
    return _opened(call, made)


def _name_of(title: str, shelf: Shelf) -> str:
    """Return the name of an encounter, made of its title, that no other has: the-mill, the-mill-2."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name, taken = "-".join(re.findall(r"[a-z0-9]+", plain))[:60], {*shelf.names()}
    if not name:
        return ""
    return next(each for number in count(1) if (each := name if number == 1 else f"{name}-{number}") not in taken)


def _entered(call: Call, name: str) -> Reply:
    """Let an operator into an encounter as its game master; raise Problem for anybody else, and for a name that there is not."""
    if not any(one.role == "operator" for one in call.tokens):
        raise Problem("forbidden", "an encounter is entered so by the operator", LINK)
    if name not in call.service.shelf.names():
        raise Problem("not-found", f"there is no encounter {visible(name)[:80]}")
    text, token = mint("gm", name, by="gm", log=identity(call.service.shelf.store(name)))
    call.service.shelf.tokens.add(token)
    headers = {"location": f"/e/{bodies.quoted(name)}", "cache-control": "no-store"}
    return Reply(SEE_OTHER, headers=headers | {"set-cookie": cookie(call, name, text)})


def _opened(call: Call, made: Opened) -> Reply:
    """Return the page of an encounter that was opened, which lets this browser in."""
    there, name = f"/e/{bodies.quoted(made.name)}", escape(made.name)
    behind = "".join(f"<li>{escape(visible(each))}</li>" for each in made.behind)
    body = (
        f"<main><h1><bdi>{name}</bdi> is open</h1>"
        f'<p><a class="main" href="{there}" autofocus>To the table</a></p>'
        + (f"<h2>Left out</h2><ul>{behind}</ul>" if behind else "")
        + "<details><summary>Link for its game master on another device, shown only this once; commands read it from ENCOUNTER_TOKEN</summary>"
        f"<pre>{escape(link(call, made.text, made.name))}</pre></details>"
        '<p><a href="/">All encounters</a></p></main>'
    )
    reply = page(f"{made.name} is open", body, script="/assets/opened.js")
    reply.status = CREATED
    reply.headers |= {"set-cookie": cookie(call, made.name, made.text), "location": there}
    return reply


# ---------------------------------------------------------------- the page


class _Wrong(Struct, frozen=True):
    """The errors of a form that was sent, and the contents of its fields."""

    problem: Problem
    sent: Mapping[str, str]


def _page(call: Call, tokens: tuple[Token, ...], wrong: _Wrong | None = None) -> Reply:
    there = names(call, tokens)
    links = "".join(_row(call, name, role) for name, role in there.items())
    if any(one.role == "operator" for one in tokens):
        others = (name for name in call.service.shelf.names() if name not in there)
        links += "".join(_closed_row(call, name) for name in others)
    form = _form(parties(call, tokens), wrong) if may_open(call, tokens) else ""
    nothing = (
        ""
        if form
        else f'<p>Nothing is open to this browser yet. {LINK}, or <a href="/join">enter its end here</a>.</p>'
    )
    listed = f'<ul class="encounters">{links}</ul>' if links else nothing
    reply = page("Encounters", f"<main><h1>Encounters</h1>{listed}{form}</main>", script="/assets/install.js")
    if wrong is not None:
        reply.status = wrong.problem.status
        reply.headers |= wrong.problem.all_headers()
    return reply


def _row(call: Call, name: str, role: str) -> str:
    """Return the row of an encounter that a browser may open, with its state as its asker may see it."""
    title, says = _stands(call, name, secrets=role in ALL_SECRETS)
    there = f'<a href="/e/{bodies.quoted(name)}"><bdi>{escape(title or name)}</bdi></a>'
    return f"<li><span>{there}<small><bdi>{escape(says)}</bdi></small></span> <small>{escape(ROLES.get(role, role))}</small></li>"


def _closed_row(call: Call, name: str) -> str:
    """Return the row of one of the folder's encounters that an operator has not entered yet."""
    enter = f'<input type="hidden" name="enter" value="{escape(name)}"><button>Open as game master</button>'
    title, says = _stands(call, name, secrets=False)
    shown = f"<span><b><bdi>{escape(title or name)}</bdi></b><small><bdi>{escape(says)}</bdi></small></span>"
    return f'<li>{shown}<form method="post" action="/">{enter}</form></li>'


def _stands(call: Call, name: str, *, secrets: bool) -> tuple[str, str]:
    """Return the title of an encounter, and its state: its name, its rules, the number of combatants, its round, whether it is over."""
    try:
        with looked_at(call.service.logs.of(name)) as known:
            state = replayed(known.view(secrets=secrets, alone=True)).state
            title = next(
                each.event.title
                for each in known.folded.shown(secrets=secrets).records
                if isinstance(each.event, EncounterOpened)
            )
    except (Problem, Refused, StoreError, StopIteration):
        return "", f"{name}: cannot be read"
    rounds, people = state.clock.point.round, len(state.combatants)
    when = f"round {rounds}" if rounds else "not begun"
    if state.closed:
        when = f"over after {count_of(rounds, 'round')}"
    said = f"{name}: {state.rules.title}, {count_of(people, 'combatant')}, {when}"
    return visible(title), visible(said)


def names(call: Call, tokens: Iterable[Token]) -> dict[str, str]:
    """Return the encounters that tokens open as pages, sorted, each with the role there."""
    found = still_open(call.service.logs, call.service.shelf.names(), tokens)
    return dict(sorted((token.encounter, token.role) for token in found if token.role != "operator"))


def _form(former: Iterable[str], wrong: _Wrong | None) -> str:
    """Return the form that opens an encounter: plain HTML, with the sent contents and their errors."""
    sent = wrong.sent if wrong else {}
    field = str(wrong.problem.more.get("field", "")) if wrong else ""

    def about(name: str) -> str:
        return f'name="{name}" id="{name}"' + (' aria-invalid="true" aria-describedby="wrong"' if name == field else "")

    def text(name: str, label: str, most: int, more: str = "") -> str:
        value = escape(sent.get(name, ""))
        entry = f'<input {about(name)} value="{value}" maxlength="{most}" autocomplete="off"{more}>'
        return f'<p><label for="{name}">{label}</label> {entry}</p>'

    def choice(name: str, label: str, nothing: str, values: Iterable[tuple[str, str]], more: str = "") -> str:
        chosen = sent.get(name, "")
        rows = "".join(
            f'<option value="{escape(each)}"{" selected" if each == chosen else ""}>{escape(says)}</option>'
            for each, says in values
        )
        entry = f'<select {about(name)}{more}><option value="">{nothing}</option>{rows}</select>'
        return f'<p><label for="{name}">{label}</label> {entry}</p>'

    def options(rules: Ruleset) -> str:
        fields = (
            choice(
                f"option.{rules.key}.{name}",
                escape(f"{name}: {_meaning(rules, name)}"),
                f"as usual ({escape(values[0])})",
                zip(values, values, strict=True),
            )
            for name, values in known_options(rules).items()
        )
        return f'<details><summary>Options of {escape(rules.title)}</summary><div class="fields">{"".join(fields)}</div></details>'

    rulesets = [find(key) for key in keys()]
    return (
        '<h2 id="opens">Open an encounter</h2><form class="opens" method="post" action="/" aria-labelledby="opens">'
        + (_said(wrong.problem) if wrong else "")
        + '<div class="fields">'
        + text("title", "Title, such as The mill", 120)
        + choice(
            "ruleset",
            "Ruleset",
            "Choose one",
            ((each.key, f"{each.key}: {each.title}") for each in rulesets),
            " required",
        )
        + choice(
            "party",
            "The encounter whose party goes on, with its remaining points",
            "Nobody's",
            ((each, each) for each in former),
        )
        + "</div>"
        + "<details"
        + (" open" if field in {"side", "name"} else "")
        + '><summary>Another side than the players\', another name</summary><div class="fields">'
        + text("side", "Side of the encounter that goes on, or one combatant", 60)
        + text("name", "Name in the address, if not made of the title", 120)
        + "</div></details>"
        + '<p><button class="main">Open</button></p>'
        + "".join(map(options, rulesets))
        + "</form>"
    )


def _meaning(rules: Ruleset, name: str) -> str:
    """Return the meaning of an option; nothing for those of every log."""
    found = rules.catalogue().find_option(name)
    return found.says if found else ""


def _said(problem: Problem) -> str:
    """Return a form's error, and a hint."""
    what = (KINDS[problem.kind].title, problem.detail, problem.hint)
    said = " ".join(f"{each[:1].upper()}{each[1:]}." for each in what if each)
    return f'<p id="wrong" role="alert" tabindex="-1" autofocus>{escape(said)}</p>'
