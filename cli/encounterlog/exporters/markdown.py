"""Markdown, in the skeleton of the logs of Obsidian's initiative tracker, after the result: two tables, then rounds and turns.

Each deed is an item of a list, and each fact, below its deed if that has several, one with a block id, `^e-0042`, so that a note
can link to it. Nothing that was typed is markup: every character with a meaning in CommonMark or Obsidian is escaped.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from encounterlog import __version__
from encounterlog.exporters.chapters import Deed, describe_line, isolate_text, split_into_chapters, summarize_rounds
from encounterlog.exporters.session import Session
from projections.views.view import CombatantView, Show

PLAYERS = frozenset({"players", "player", "party", "heroes", "pcs"})
"""Sides that stand in the first table; in a log without any of them the first side does."""
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~=$^%!&@]|(?<=:)[:/]")
_FIRST = re.compile(r"^([-+]|\d+(?=[.)]))")


def write(session: Session) -> Iterator[bytes]:
    """Yield the lines of a page."""
    return (f"{each}\n".encode() for each in _format_session(session))


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    marked = _MARKUP.sub(lambda found: "\\" + found[0], isolate_text(text).lstrip())
    return _FIRST.sub(lambda found: f"\\{found[1]}" if found[1] in "-+" else f"{found[1]}\\", marked)


def _format_session(session: Session) -> Iterator[str]:
    first = next(session.lines)  # which raises for rounds that nobody played
    began = f"{session.local(first.row.at):%Y-%m-%d %H:%M:%S %Z}"
    yield from _front_matter(session)
    yield from ("", *(f"- {escape_markdown(each)}" for each in summarize_rounds(session)))
    yield from ("", f"**Combat started {escape_markdown(began)}**")
    everybody = {**session.views.before.combatants, **session.views.latecomers}
    sides = list(dict.fromkeys(one.side for one in everybody.values()))
    ours = {side for side in sides if side.casefold() in PLAYERS} or set(sides[:1])
    for title, is_ours in (("Player", True), ("Creature", False)):
        those = {who: one for who, one in everybody.items() if (one.side in ours) == is_ours}
        yield from _format_table(title, session, those)
    yield from ("", "## Combat Log")
    for chapter in split_into_chapters(session):
        yield from ("", f"### {chapter.title}")
        for place, part in enumerate(chapter.parts):
            yield from ("", f"##### {escape_markdown(part.title)}", "") if part.title else () if place else ("",)
            for deed in part.deeds:
                yield from _format_deed(deed)


def _front_matter(session: Session) -> Iterator[str]:
    values: dict[str, Any] = {
        "head": str(session.head),
        "title": isolate_text(session.title),
        "encounter": session.opening.encounter,
        "ruleset": session.opening.ruleset,
        "records": session.head.seq,
        "rounds": max(session.whole.rounds),
        "exporter": f"encounterlog {__version__}",
    }
    values |= {"for": "players"} if session.for_players else {}
    lines = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in values.items())
    yield from ("---", *lines, "---")


def _format_table(title: str, session: Session, those: dict[str, CombatantView]) -> Iterator[str]:
    yield from ("", f"## {title}s", "", f"| {title} | Initiative | HP | Statuses |", "| --- | :-: | :-: | :-: |")
    before, first, last, latecomers = session.views
    for who, one in those.items():
        views = (last,) if who in latecomers else (first, before)
        points = "unknown" if one.hp is None else f"{one.hp}/{one.hp if one.hp_max is None else one.hp_max}"
        words = [*([one.status] if one.status != "up" else []), *one.conditions, *(each.name for each in one.effects)]
        statuses = ", ".join(map(escape_markdown, dict.fromkeys(words))) or "-"
        yield f"| {escape_markdown(session.name(who))} | {_describe_initiative(views, who)} | {points} | {statuses} |"


def _describe_initiative(views: Iterable[Show], who: str) -> str:
    for place, slot in ((place, slot) for shown in views for place, slot in enumerate(shown.order, 1)):
        if who in slot.combatants:
            return escape_markdown(str(slot.key.get("total", slot.segment or slot.phase or place)))
    return "-"


def _format_deed(deed: Deed) -> Iterator[str]:
    first, *rest = deed.lines
    if not rest or deed.words == describe_line(first):
        yield f"- {escape_markdown(deed.words)} ^e-{first.row.seq:04}"
    else:
        yield f"- {escape_markdown(deed.words)}"
        rest = [*deed.lines]
    yield from (f"  - {escape_markdown(describe_line(one))} ^e-{one.row.seq:04}" for one in rest)
