"""The page of an encounter: order, the chosen combatant and the latest deeds, as the log grows, and as its asker may see it.

The renderer is that of `export html`, but for the rows. `live.js` has the stream; `form.js`, `words.js` and
`preview.js` have typed lines; `sending.js` sends them, in secret or not; `proposals.js` has acts of players on
others. `panels.js`, `turns.js`, `master.js` and `card_controls.js` have the controls, `rows.js` the order,
`components.js` and `card.js` a combatant's card, `views.js` the further views. `palette.js` has commands by their
words, `keeping.js` the storage of the device, `happened.js` the latest deeds and whose turn it is. Components are
drawn by Preact with htm (`vendor/`). Without JavaScript the state is there as HTML.
"""

import re
from functools import cache
from html import escape
from importlib.resources import files
from string import Template

import msgspec
from msgspec import structs

from encounterlog.core.logs import LogView, replayed
from encounterlog.core.opening import FOE_HIT_POINTS
from encounterlog.exporters import html
from encounterlog.exporters.html.data import Page
from encounterlog.exporters.html.foes import EVERYTHING, Foes, of_option
from encounterlog.exporters.html.rows import inert
from encounterlog.service.bodies import quoted
from encounterlog.service.calls import HTML, Call, Reply
from encounterlog.service.live.card import edition_of
from encounterlog.service.live.news import news
from encounterlog.service.live.page_cache import PageCache, session_of
from encounterlog.service.live.still import still
from encounterlog.service.offline import HEAD
from encounterlog.service.people import ALL_SECRETS
from encounterlog.service.true_words import words
from eventstore.events import EncounterOpened
from eventstore.form import visible
from projections.judging.book import renamed
from projections.judging.known_words import known
from projections.language.notation import forms
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find
from projections.views.view import show

SCRIPTS = (
    "components.js", "views.js", "rows.js", "live.js", "dice.js", "panels.js", "sending.js", "form.js", "proposals.js", "words.js", "preview.js",
    "turns.js", "blows.js", "card.js", "deciding.js", "search.js", "master.js", "card_controls.js",
    "keeping.js", "happened.js", "palette.js",
)  # fmt: skip
"""The parts of the page's script that the replay lacks, in this order."""
FIRST = ("model.js", "words.js", "log.js", "state.js", "why.js", "paper.js", "page.js")
"""The parts that it shares with the replay's script; the rows are others, and the rest is fetched later."""
LATER = (("picture.js", "fair.js", "play.js"), ("invite.js", "later.js"))
"""The parts that are fetched once a view needs them: from the replay's script, and from the page's."""
GIVES = "export { story, invite };"
"""The names that the page takes from them."""
LIBRARY = 'import { html, render } from "/assets/preact.js";'
"""The names that the script takes from the library."""
NOT_GIVEN = frozenset({"conscious", "visible", "paralysed", "wound"})
"""The conditions that are ends of others, other spellings, or kept by the log itself."""

TRIED = """\
<p class="hint">Before the end of the log, for places in the order, and without a connection it is not tried which facts decide.</p>
"""
"""The note below the facts behind a value."""


DRAWN = PageCache()
"""The pages of this process."""


def encounter(call: Call) -> Reply:
    """Return the page of an encounter as its asker may see it."""
    with call.alone() as seen:
        view, said = show(replayed(seen).state, history=False), words(seen, None)
    page, session = _page(call, seen, said), session_of(seen)
    shown, foes_words = _foes(call, seen).of_view(view)
    writes = call.token.role in ALL_SECRETS or call.token.writes
    everybody = call.token.role in ALL_SECRETS
    body = Template(_source("table.html")).substitute(
        title=escape(visible(session.title)),
        head=escape(str(session.head)),
        notice=_source("notice.html"),
        controls=html.source("controls.html"),
        panels=(_source("card_controls.html") if writes else "") + (_source("master.html") if everybody else ""),
        tried=TRIED,
        still=still(shown, foes_words | page.words, frozenset(page.own)),
        dock=_form(page, everybody=everybody) if writes else "",
    )
    text = Template(_source("page.html")).substitute(
        title=escape(visible(session.title)),
        head=HEAD,
        name=escape(quoted(call.name)),
        role="master" if everybody else "writer" if writes else "reader",
        panes=body,
        data=inert(page),
    )
    return Reply(200, text.encode(), f"{HTML}; charset=utf-8", {"cache-control": "no-store"})


def _form(page: Page, *, everybody: bool) -> str:
    """Return the form for writers, with the material of its lines: words of the grammar, conditions of the ruleset."""
    rules = find(page.ruleset)
    of_turns = forms.of(rules.rules).clock == "turn"
    grammar = {
        "words": sorted(forms.words(rules.rules)),
        "conditions": sorted(known(rules.rules).conditions),
        "grid": _grid(rules),
        "character": "creature=character" if "creature" in rules.sheet.__struct_fields__ else "",
        "surprise": any(forms.of(rules.rules).evening.get("surprise", ())),
        "everybody": everybody,
        "order": _moves(rules),
        "initiative": {"sides": not of_turns, "die": "d20" if of_turns else "d6"},
        "edition": edition_of(rules, page.options),
    }
    return Template(_source("form.html")).substitute(
        grammar=inert(grammar), hide=_source("hide.html") if everybody else ""
    )


def _grid(rules: Ruleset) -> list[str]:
    """Return the conditions that have a button: those in the ruleset's table, or else all that it knows and a deed can give."""
    own = {str(each["name"]) for each in rules.catalogue().tables.get("condition", ())}
    return sorted(own or known(rules.rules).conditions - NOT_GIVEN)


def _moves(rules: Ruleset) -> str:
    """Return the line by which a combatant moves in the order to a total; "" where totals are not moved."""
    if any(each.pattern == "<who>.initiative" for each in rules.addresses):
        return "rule override {who}.initiative={total} moved in the order"
    return "i {who}={total}" if rules.later_initiative else ""


def data(call: Call, seen: LogView) -> Reply:
    """Return the page's content, as data; with `since` only the changes for a page that shows the log up to this end, if that is known."""
    page = _page(call, seen, _words(call, seen))
    since = call.asked.get("since", "")
    before = DRAWN.known(since, seen, _foes(call, seen)) if since else None
    return Reply(200, msgspec.json.encode(page if before is None else news(before, page)))


def _words(call: Call, seen: LogView) -> dict[str, str] | None:
    """Return the words for hit points, from what is known of the log; they are derived again if it has grown meanwhile."""
    with call.alone() as now:
        if now.records is seen.records:
            return words(now, None)
    return words(seen, None)


def _page(call: Call, seen: LogView, said: dict[str, str] | None) -> Page:
    own = call.token.combatants if call.token.role == "player" else ()
    page = DRAWN.of(seen, _foes(call, seen))
    players = _players(call) if seen.secrets else ()  # for game masters alone
    return structs.replace(page, own=tuple(own), words=said or {}, players=players, by=_writer(call))


def _writer(call: Call) -> str:
    """Return the name that a player writes under."""
    return (call.token.by or call.token.role) if call.token.role == "player" else ""


def _foes(call: Call, seen: LogView) -> Foes:
    """Return what is shown of the hit points of foes."""
    if seen.secrets:
        return EVERYTHING
    opened = next(iter(seen.records)).event
    chosen = renamed(opened.options).get(FOE_HIT_POINTS) if isinstance(opened, EncounterOpened) else None
    return of_option(chosen, frozenset(_players(call)))


def _players(call: Call) -> tuple[str, ...]:
    """Return the combatants of all players."""
    tokens = (each for each in call.service.shelf.tokens.all() if each.encounter == call.name and not each.revoked)
    return tuple(sorted({who for each in tokens for who in each.combatants}))


@cache
def script() -> str:
    """Return the script of the page: the renderer, the stream, the form, the card."""
    return "\n".join((LIBRARY, _first(), f"export {{ {', '.join(_shared())} }};"))


@cache
def later() -> str:
    """Return the script that the page fetches when it is needed: the timeline, the replay, the story, the dice, invitations."""
    taken = f'import {{ {", ".join(_shared())} }} from "/assets/encounter.js";'
    return f"{LIBRARY}\n{taken}\n{_later()}\n{GIVES}"


@cache
def _first() -> str:
    return "\n".join((*map(html.source, FIRST), *map(_source, SCRIPTS)))


@cache
def _later() -> str:
    return "\n".join((*map(html.source, LATER[0]), *map(_source, LATER[1])))


def _shared() -> list[str]:
    """Return the names of the page's script that the later script mentions."""
    named = re.findall(r"^(?:const|let|(?:async )?function) (\w+)", _first(), re.M)
    return sorted(set(named) & set(re.findall(r"\w+", _later())))


def library() -> str:
    """Return Preact with htm as one module."""
    return _source("vendor/preact.js")


@cache
def style() -> str:
    """Return the style of the page."""
    return html.source("page.css") + _source("live.css")


def _source(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
