"""The page of an encounter: the HTML replay, followed as the log grows; what it shows is what its asker may see.

The renderer is that of `export html`, with `live.js` for the stream, `form.js`, `words.js` and `told.js` for what is typed, `proposals.js` for
what players do to others, `panels.js`,
`turns.js`, `master.js` and `hands.js` for what is clicked, `happened.js` for what happened last and whose turn it is. Without JavaScript the state is there as HTML.
"""

from collections import OrderedDict
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from string import Template
from threading import Lock
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct, structs

from encounterlog.exporters import html
from encounterlog.exporters.html.data import Page, replay_of
from encounterlog.exporters.html.foes import EVERYTHING, Foes, of_option
from encounterlog.exporters.session import Session
from encounterlog.service.bodies import quoted
from encounterlog.service.calls import HTML, Call, Reply
from encounterlog.service.live.news import news
from encounterlog.service.live.still import still
from encounterlog.service.people import ALL_SECRETS
from encounterlog.service.seen import Seen, words
from encounterlog.writing.opening import FOE_HIT_POINTS
from eventstore.address import LogAddress
from eventstore.chain import Anchor
from eventstore.events import EncounterOpened
from eventstore.form import visible
from eventstore.record import Recorded
from projections.grammar import forms
from projections.judging.known_words import known
from projections.rulesets import find
from projections.rulesets.ruleset import Ruleset

SCRIPTS = (
    "live.js", "dice.js", "panels.js", "form.js", "proposals.js", "words.js", "told.js", "turns.js", "master.js", "hands.js", "happened.js",
)  # fmt: skip
"""What the script of the page has beside that of the replay, in this order."""
KEPT = 32
"""How many pages are kept, so that a table of phones costs one replay for each append."""


LATER_COUNTS = frozenset({"plain"})
"""The rulesets in which a later total of initiative takes the place of the first."""


class Whole(Struct, frozen=True):
    """A log as an exporter reads it."""

    path: LogAddress
    head: Anchor
    kept: tuple[Recorded, ...]

    @property
    def records(self) -> int:
        """How many records it has."""
        return len(self.kept)

    def __iter__(self) -> Iterator[Recorded]:
        """Yield the records."""
        return iter(self.kept)


Key = tuple[str, bool, Foes]
"""The end of a log, whether secrets are shown, and what is shown of foes."""


class Turn:
    """The turn to work out one page: one at a time, whoever asks."""

    def __init__(self) -> None:
        self.lock = Lock()


class Drawn:
    """The data of the pages that were asked for last, by the end of the log, whether secrets are in them, and what is shown of foes.

    A hash is that of all that came before, so nothing that is kept can be out of date.
    """

    def __init__(self, most: int = KEPT) -> None:
        self._most, self._lock = most, Lock()
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._drawing: WeakValueDictionary[Key, Turn] = WeakValueDictionary()

    def of(self, seen: Seen, foes: Foes) -> Page:
        """Return the data of a log as somebody sees it; raise Failure if its ruleset is not installed."""
        key = (str(seen.head), seen.secrets, foes)
        with self._lock:
            turn = self._drawing.setdefault(key, Turn())
        with turn.lock:  # whoever asks for the same waits, and finds it
            return self._found(key) or self._drawn(key, seen, foes)

    def known(self, head: str, seen: Seen, foes: Foes) -> Page | None:
        """Return the data of the same log as it ended with a head, if they are kept."""
        return self._found((head, seen.secrets, foes))

    def _found(self, key: Key) -> Page | None:
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
            return self._pages.get(key)

    def _drawn(self, key: Key, seen: Seen, foes: Foes) -> Page:
        page = replay_of(session_of(seen), live=True, foes=foes)
        with self._lock:
            self._pages[key] = page
            while len(self._pages) > self._most:
                self._pages.popitem(last=False)
        return page


DRAWN = Drawn()
"""The pages of this process."""


def session_of(seen: Seen) -> Session:
    """Return the session that exporters tell of, over the records that somebody may see."""
    return Session(Whole(seen.path, seen.head, seen.records), for_players=not seen.secrets)


def encounter(call: Call) -> Reply:
    """Return the page of an encounter as its asker may see it."""
    seen = call.seen()
    page = _page(call, seen)
    session = session_of(seen)
    shown, foes_words = _foes(call, seen).of_view(session.last)
    writes = call.token.role in ALL_SECRETS or call.token.writes
    body = html.panes(
        session,
        notice=_source("notice.html"),
        deeds=_source("happened.html"),
        still=still(shown, foes_words | page.words, frozenset(page.own)),
        dock=_form(page, everybody=call.token.role in ALL_SECRETS) if writes else "",
        live=True,
    )
    text = Template(_source("page.html")).substitute(
        title=escape(visible(session.title)), name=escape(quoted(call.name)), panes=body, data=html.inert(page)
    )
    return Reply(200, text.encode(), f"{HTML}; charset=utf-8", {"cache-control": "no-store"})


def _form(page: Page, *, everybody: bool) -> str:
    """Return the form for who may write, with what its lines are made of: words of the grammar, conditions of the ruleset."""
    rules = find(page.ruleset)
    of_turns = forms.of(rules.rules).clock == "turn"
    grammar = {
        "words": sorted(forms.words(rules.rules)),
        "conditions": sorted(known(rules.rules).conditions),
        "everybody": everybody,
        "order": _moves(rules),
        "initiative": {"sides": not of_turns, "die": "d20" if of_turns else "d6"},
    }
    panels = _source("master.html") if everybody else ""
    return Template(_source("form.html")).substitute(grammar=html.inert(grammar), panels=panels)


def _moves(rules: Ruleset) -> str:
    """Return the line by which somebody moves in the order to a total; "" where totals are not moved."""
    if any(each.pattern == "<who>.initiative" for each in rules.addresses):
        return "rule override {who}.initiative={total} moved in the order"
    return "i {who}={total}" if rules.key in LATER_COUNTS else ""


def data(call: Call, seen: Seen) -> Reply:
    """Return what the page shows, as data; with `since` what is new on a page that shows the log to this end, if that is known."""
    page = _page(call, seen)
    since = call.asked.get("since", "")
    before = DRAWN.known(since, seen, _foes(call, seen)) if since else None
    return Reply(200, msgspec.json.encode(page if before is None else news(before, page)))


def _page(call: Call, seen: Seen) -> Page:
    own = call.token.combatants if call.token.role == "player" else ()
    page = DRAWN.of(seen, _foes(call, seen))
    players = _players(call) if seen.secrets else ()  # nobody else is told
    return structs.replace(page, own=tuple(own), words=words(seen, None) or {}, players=players, by=_writer(call))


def _writer(call: Call) -> str:
    """Return the name that a player writes under."""
    return (call.token.by or call.token.role) if call.token.role == "player" else ""


def _foes(call: Call, seen: Seen) -> Foes:
    """Return what is shown of the hit points of foes."""
    if seen.secrets:
        return EVERYTHING
    opened = next(iter(seen.records)).event
    chosen = opened.options.get(FOE_HIT_POINTS) if isinstance(opened, EncounterOpened) else None
    return of_option(chosen, frozenset(_players(call)))


def _players(call: Call) -> tuple[str, ...]:
    """Return the combatants of all players."""
    tokens = (each for each in call.service.shelf.tokens.all() if each.encounter == call.name and not each.revoked)
    return tuple(sorted({who for each in tokens for who in each.combatants}))


def script() -> str:
    """Return the script of the page: the renderer, the stream, the form, the hands."""
    return "\n".join((*map(html.source, html.SCRIPTS), *map(_source, SCRIPTS)))


def style() -> str:
    """Return the style of the page."""
    return html.source("page.css") + _source("live.css")


def _source(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
