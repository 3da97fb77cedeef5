"""The page of an encounter: order, the chosen combatant and the latest deeds, as the log grows, and as its asker may see it.

The renderer is that of `export html`, but for the rows; components are drawn by Preact with htm (`vendor/`). Each script says at its
top what it has. Without JavaScript the state is there as HTML.
"""

import gzip
import re
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from itertools import compress, count
from operator import ne
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from markupsafe import Markup
from msgspec import structs
from starlette.responses import Response

from encounterlog.ask.audit import clause_text
from encounterlog.ask.may import describe_choice, find_choices
from encounterlog.exporters import html, load_exporter
from encounterlog.exporters.html.data import Page, Replayed, replay_of
from encounterlog.exporters.html.foes import EVERYTHING, Foes, make_foes
from encounterlog.exporters.html.rows import json_for_html
from encounterlog.exporters.session import Session, changes_the_past
from encounterlog.log.logs import LogView, replay_log
from encounterlog.log.opening import FOE_HIT_POINTS, find_documents, raise_as_refused
from encounterlog.service.bodies import quote_name
from encounterlog.service.calls import HTML, JSON, Call, json_reply
from encounterlog.service.pages import html_page
from encounterlog.service.problems import Problem
from encounterlog.service.reading import words_for_hit_points
from encounterlog.service.streams import ALL_SECRETS, MOST
from encounterlog.words.naming import make_voice
from eventstore.record import Recorded
from eventstore.wording import visible
from projections.card import defences
from projections.judging.book import rename_options
from projections.judging.known_words import known
from projections.language.notation import forms
from projections.language.notation.line_context import COMMON_KINDS
from projections.rulesets import find
from projections.views.view import Show, show

KEPT = 32  # the number of pages that are kept, so that a table of phones costs one page for each append


def make_session(seen: LogView) -> Session:
    """Return the session for exporters, over the records that the asker may see."""
    return Session(seen, for_players=not seen.secrets)


Audience = tuple[str, bool, Foes]  # the name of a log, or its end, whether secrets are shown, and what is shown of foes


class PageCache:
    """The data of the pages that were asked for last: at most so many pages, made of at most so many records.

    A hash is that of all that came before, so no page that is kept can be out of date.
    """

    def __init__(self, most: int = KEPT, records: int = MOST) -> None:
        self._most, self._records, self._lock = most, records, Lock()
        self._pages: OrderedDict[Audience, Page] = OrderedDict()
        self._growing: OrderedDict[Audience, tuple[tuple[Recorded, ...], Replayed]] = OrderedDict()
        """The pages in the making, each with the records that are in it."""
        self._drawing: WeakValueDictionary[Audience, Any] = WeakValueDictionary()

    def current_page(self, seen: LogView, foes: Foes) -> Page:
        """Return the data of a log as one audience sees it; raise Refused if its ruleset is not installed."""
        audience = (str(seen.path), seen.secrets, foes)
        with self._lock:
            turn = self._drawing.setdefault(audience, Lock())
        with turn:  # another request for the same waits, and finds it
            return self.kept_page(str(seen.head), seen, foes) or self._make_page(audience, seen)

    def kept_page(self, head: str, seen: LogView, foes: Foes) -> Page | None:
        """Return the data of the same log as it ended with a head, if they are kept."""
        key = (head, seen.secrets, foes)
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
            return self._pages.get(key)

    def _make_page(self, audience: Audience, seen: LogView) -> Page:
        """Return the page of a log, from its known part; if that fails halfway, the known part is forgotten."""
        foes, session, records = audience[2], make_session(seen), seen.records
        with self._lock:
            known, growing = self._growing.pop(audience, ((), None))
        news = records[len(known) :]
        if growing and len(records) < len(known) and known[: len(records)] == records:  # it has gone on since
            page = replay_of(session, live=True, foes=foes)
        else:
            if growing is None or records[: len(known)] != known or any(map(changes_the_past, news)):
                growing = Replayed(session, live=True, foes=foes)
            elif news:
                growing.take_news(session, news)
            known, page = records, growing.make_page()
        with self._lock:
            self._growing[audience], self._pages[str(seen.head), seen.secrets, foes] = (known, growing), page
            while sum(len(each) for each, _ in self._growing.values()) > self._records:
                self._growing.popitem(last=False)
            while len(self._pages) > self._most:
                self._pages.popitem(last=False)
        return page


FIRST = (("model.js", "words.js", "log.js", "state.js", "why.js", "paper.js", "page.js"), (
    "components.js", "views.js", "rows.js", "live.js", "dice.js", "panels.js", "sending.js", "form.js", "proposals.js", "words.js", "preview.js",
    "turns.js", "blows.js", "card.js", "deciding.js", "search.js", "master.js", "card_controls.js",
    "keeping.js", "happened.js", "palette.js",
))  # fmt: skip
"""The parts of the page's script that the replay's has, too, and those that it lacks, in this order."""
LATER = (("picture.js", "fair.js", "play.js"), ("invite.js", "later.js"))
"""The parts that are fetched once a view needs them: from the replay's script, and from the page's."""
GIVES = "export { story, invite };"  # the names that the page takes from them
LIBRARY = 'import { html, render } from "/assets/preact.js";'  # the names that the script takes from the library
NOT_GIVEN = frozenset({"conscious", "visible", "paralysed", "wound"})
"""The conditions that are ends of others, other spellings, or kept by the log itself."""

OFFLINE = files("encounterlog.service").joinpath("offline")  # the files of the pages beside the page of an encounter
SHELL = ("../offline/offline.html", "../offline/offline.js")
"""The files that the worker keeps beside the style and the icon of all pages; a change of them is a new version of the worker."""
DRAWN = PageCache()  # the pages of this process


def encounter_page(call: Call) -> Response:
    """Return the page of an encounter as its asker may see it."""
    with call.hold_alone() as seen:
        view, said = show(replay_log(seen).state, history=False), words_for_hit_points(seen, None)
    content, session = _make_page(call, seen, said), make_session(seen)
    shown, foes_words = _visible_foes(call, seen).view_for_players(view)
    writes = (everybody := call.token.role in ALL_SECRETS) or call.token.writes
    return html_page(
        "encounter.html",
        title=visible(session.title),
        name=quote_name(call.name),
        head=session.head,
        role="master" if everybody else "writer" if writes else "reader",
        writes=writes,
        everybody=everybody,
        controls=Markup(html.read_source("controls.html")),  # noqa: S704 – a file of this program
        data=_json_markup(content),
        grammar=_json_markup(_grammar_data(content, everybody=everybody)) if writes else "",
        **static_view(shown, foes_words | content.words, frozenset(content.own)),
    )


def _json_markup(data: object) -> Markup:
    return Markup(json_for_html(data))  # noqa: S704 – JSON that ends no element


def _grammar_data(page: Page, *, everybody: bool) -> dict[str, Any]:
    rules = find(page.ruleset)
    of_turns = forms.of(rules.rules).clock == "turn"
    conditions = known(rules.rules).conditions
    table = {str(each["name"]) for each in rules.catalogue().tables.get("condition", ())}
    moves = "i {who}={total}" if rules.later_initiative else ""  # a combatant in the order, to a total
    if any(each.pattern == "<who>.initiative" for each in rules.addresses):
        moves = "rule override {who}.initiative={total} moved in the order"
    return {
        "words": sorted(forms.first_words(rules.rules)),
        "conditions": sorted(conditions),
        "grid": sorted(table or conditions - NOT_GIVEN),  # without a table, what a deed can give
        "acts": sorted(known(rules.rules).kinds or COMMON_KINDS),
        "saves": known(rules.rules).saves,
        "character": "creature=character" if "creature" in rules.sheet.__struct_fields__ else "",
        "surprise": any(forms.of(rules.rules).evening.get("surprise", ())),
        "everybody": everybody,
        "order": moves,
        "initiative": {"sides": not of_turns, "die": "d20" if of_turns else "d6"},
        "edition": page.options.get("edition", reference.editions[0]) if (reference := rules.documents()) else "",
    }


def page_data(call: Call, seen: LogView) -> Response:
    """Return the page's content, as data; with `since` only the changes for a page that shows the log up to this end, if that is known."""
    with call.hold_alone() as now:  # what is known of the log; the words are derived again if it has grown meanwhile
        is_now = now.records is seen.records
        words = words_for_hit_points(now, None) if is_now else None
    page = _make_page(call, seen, words if is_now else words_for_hit_points(seen, None))
    since = call.asked.get("since", "")
    before = DRAWN.kept_page(since, seen, _visible_foes(call, seen)) if since else None
    found = msgspec.json.encode(page if before is None else changes_between(before, page))
    return Response(found, media_type=JSON)


def _make_page(call: Call, seen: LogView, said: dict[str, str] | None) -> Page:
    own, by = (call.token.combatants, call.token.writer) if call.token.role == "player" else ((), "")
    page = DRAWN.current_page(seen, _visible_foes(call, seen))
    players = _combatants_of_players(call) if seen.secrets else ()  # for game masters alone
    return structs.replace(page, own=tuple(own), words=said or {}, players=players, by=by)


def _visible_foes(call: Call, seen: LogView) -> Foes:
    if seen.secrets:
        return EVERYTHING
    chosen = rename_options(seen.opening.options).get(FOE_HIT_POINTS)
    return make_foes(chosen, frozenset(_combatants_of_players(call)))


def _combatants_of_players(call: Call) -> tuple[str, ...]:
    tokens = (each for each in call.service.shelf.tokens.all() if each.encounter == call.name and not each.revoked)
    return tuple(sorted({who for each in tokens for who in each.combatants}))


OF_ASKER = frozenset({"own", "words", "players", "by"})
"""The fields that depend on who asks, and when: they are sent each time."""


def changes_between(before: Page, now: Page) -> dict[str, Any]:
    """Return the changes that a page which shows `before` needs to show `now`.

    `rows` has for each table that differs how many of its rows stay, and those that follow; `values` the other fields.
    """
    rows, values = dict[str, Any](), dict[str, Any]()
    for field in structs.fields(Page):
        old, new = getattr(before, field.name), getattr(now, field.name)
        if old == new and field.name not in OF_ASKER:
            continue
        if isinstance(old, list | tuple) and isinstance(new, list | tuple):
            stays = next(compress(count(), map(ne, old, new)), min(len(old), len(new)))
            rows[field.encode_name] = [stays, new[stays:]]
        else:
            values[field.encode_name] = new
    return {"since": before.head, "rows": rows, "values": values}


def card_reply(call: Call, seen: LogView) -> Response:
    """Return the card of a combatant."""
    who, everybody = call.asked["who"], call.token.role in ALL_SECRETS
    if not everybody and who not in call.token.combatants:
        hint = "players see the cards of their own combatants"
        raise Problem("forbidden", "this card is for the combatant's own player", hint)
    choices, past = find_choices(seen, who, None)
    state, name = past.state, make_voice(past.state)
    if who not in state.combatants:
        raise Problem("bad-request", "there is no such combatant", field="who")
    may: list[dict[str, Any]] = []
    for person, each in ((one, each) for one in choices.people for each in one.choices):
        rules = [{"id": rule, "says": clause_text(state.rules, rule)} for rule in each.because.rules[:2]]
        fields = {field: getattr(each, field) for field in ("status", "kind", "what", "left", "acts")}
        may.append(fields | {"says": describe_choice(each, person, name), "rules": rules})
    others = {"others": {each.id: defences(each.sheet) for each in state.combatants.values()}} if everybody else {}
    return json_reply(state.rules.card(state, state.combatants[who]) | {"who": who, "may": may} | others)


def list_monsters(call: Call) -> Response:
    """Return the monsters of an edition whose names have words that begin as those asked for, those of exactly these words first."""
    known = find_documents()
    with raise_as_refused():
        rows = known.find_creatures(call.asked["name"], call.asked.get("edition") or known.editions[0])
    return json_reply({"monsters": rows[:5]})


KINDS = {
    "html": ("html", HTML),
    "markdown": ("md", "text/markdown"),
    "csv": ("csv", "text/csv"),
    "json": ("json", JSON),
}
"""The kinds of exports that a page offers, each with the end of its file's name and its media type."""


def export_reply(call: Call, seen: LogView) -> Response:
    """Return an export as a file to be saved; it is made of the records that its asker may see."""
    kind = call.asked["kind"]
    if kind not in KINDS:
        raise Problem("bad-request", f"kind: there is no export of this kind, only {', '.join(KINDS)}", field="kind")
    ending, media = KINDS[kind]
    body = b"".join(load_exporter(kind)(make_session(seen)))
    name = f"attachment; filename*=UTF-8''{quote_name(call.name)}.{ending}"
    return Response(body, 200, {"content-disposition": name, "cache-control": "no-store"}, f"{media}; charset=utf-8")


def static_view(shown: Show, words: Mapping[str, str], own: Collection[str]) -> dict[str, Any]:
    """Return the values of `still.html`, the state without JavaScript; `words` stand for unseen hit points."""
    clock = shown.clock
    when = [f"Round {clock.round}" if clock.round else "Before round 1"]
    when += [f"{name} {value}" for name, value in (("phase", clock.phase), ("segment", clock.segment)) if value]
    places: dict[str, list[str]] = {}
    for number, slot in enumerate(shown.order, 1):
        for who in slot.combatants:
            places.setdefault(who, []).append(str(number))
    ordered = dict.fromkeys((*(who for who in places if who in shown.combatants), *shown.combatants))
    rows = []
    for who in sorted(ordered, key=lambda who: who not in own):  # the asker's own first
        one = shown.combatants[who]
        name = f"{one.name}{' (yours)' if who in own else ''}{' (acts now)' if clock.turn == who else ''}"
        burdens = ", ".join((*one.conditions, *(each.name for each in one.effects)))
        most = f" of {one.hp_max}" if one.hp_max is not None else ""
        known = f"{one.hp}{most}{f', {one.nld} non-lethal' if one.nld else ''}"
        points = known if one.hp is not None else words.get(who) or "unknown"
        place = ", ".join(places.get(who, ()))
        rows.append((place, name, one.side, points, one.status, burdens, one.concentration or ""))
    return {"when": ", ".join(when), "shown": shown, "rows": rows}


def page_script() -> str:
    """Return the script of the page: the renderer, the stream, the form, the card."""
    return "\n".join((LIBRARY, _join_scripts(*FIRST), f"export {{ {_shared_names()} }};"))


def later_script() -> str:
    """Return the script that the page fetches when it is needed: the timeline, the replay, the story, the dice, invitations."""
    taken = f'import {{ {_shared_names()} }} from "/assets/encounter.js";'
    return f"{LIBRARY}\n{taken}\n{_join_scripts(*LATER)}\n{GIVES}"


@cache
def _join_scripts(shared: tuple[str, ...], own: tuple[str, ...]) -> str:
    return "\n".join((*map(html.read_source, shared), *map(read_source, own)))


def _shared_names() -> str:
    named = re.findall(r"^(?:const|let|(?:async )?function) (\w+)", _join_scripts(*FIRST), re.M)
    return ", ".join(sorted(set(named) & set(re.findall(r"\w+", _join_scripts(*LATER)))))


def page_style() -> str:
    """Return the style of the page."""
    return html.read_source("page.css") + read_source("live.css")


def service_worker() -> str:
    """Return the worker of an installed page, which shows the last known state; its version is that of its files."""
    version = sha256("".join(map(read_source, SHELL)).encode()).hexdigest()[:12]
    return read_source("../offline/worker.js").replace("$version", version)


def read_source(name: str) -> str:
    """Return one of the files beside this module."""
    return files(__package__).joinpath(name).read_text("utf-8")


MADE: dict[str, Callable[[], str]] = {
    "worker.js": service_worker,
    "encounter.js": page_script,
    "later.js": later_script,
    "encounter.css": page_style,
    "preact.js": partial(read_source, "vendor/preact.js"),
}
"""The files that pages refer to and that are made of others; the rest stands in `offline/`.

None says anything of an encounter, and none needs a token, so the worker may keep them on any device. The page itself
(`keeping.js`) writes the words that a device keeps: those that a player or an onlooker reads, never a game master's.
"""
MEDIA = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "html": f"{HTML}; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}


def asset_reply(call: Call) -> Response:
    """Return a style or a script of the pages."""
    name = call.path["file"]
    if name not in MADE and name not in {each.name for each in OFFLINE.iterdir()}:
        raise Problem("not-found", "there is no such file")
    headers = {"cache-control": "public, max-age=300", "vary": "Accept-Encoding"}
    if name == "worker.js":
        headers["service-worker-allowed"] = "/"  # it answers for the pages, which stand above the files
    accepted = call.headers.get("accept-encoding", "").split(",")
    gzipped = any(re.fullmatch(r"\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]\d*).*)?", each) for each in accepted)
    headers |= {"content-encoding": "gzip"} if gzipped else {}
    return Response(_asset_bytes(name, gzipped=gzipped), 200, headers, MEDIA[name.rpartition(".")[2]])


@cache
def _asset_bytes(name: str, *, gzipped: bool) -> bytes:
    plain = MADE[name]().encode() if name in MADE else OFFLINE.joinpath(name).read_bytes()
    return gzip.compress(plain, mtime=0) if gzipped else plain
