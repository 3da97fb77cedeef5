"""Foundry VTT: one document of a combat and those of its chat messages, in the shape of versions 13 and 14.

That shape is taken from the published API; no export was opened in Foundry itself. A message names no user (`user` up to version
11, `author` from version 12): Foundry fills in the person who imports it. Ids are 16 characters that depend on the encounter
and the record alone, so that a later export has the same ones. Secrets are whispered to nobody in the world, so that only the
person who imports them reads them. Content is HTML without any markup from the log; a
character without width keeps Foundry from taking text for a roll or a link.
"""

import html
import re
from base64 import b32encode
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from itertools import pairwise
from typing import Any

import msgspec

from encounterlog.exporters.chapters import describe_line, isolate_text
from encounterlog.exporters.session import FactLine, Session
from encounterlog.exporters.tables import acting_combatant
from eventstore.events import CombatantJoined
from eventstore.shapes import Dice
from projections.views.view import Show

DOWN = "up"  # the status of combatants who are not defeated
_CALLS = re.compile(r"(\[(?=\[)|@(?=\w)|&(?=\w)|/(?=/))")
_PLAIN = re.compile(r"([0-9]{1,3})d([0-9]{1,5})")


def write(session: Session) -> Iterator[bytes]:
    """Yield a document with the head, the combat and the messages."""
    value = {
        "head": str(session.head),
        "combat": _make_combat(session),
        "messages": [_make_message(session, one) for one in session.lines],
    }
    yield msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def document_id(session: Session, kind: str, key: object) -> str:
    """Return the id of a document: 16 letters and digits."""
    digest = sha256(f"{session.opening.encounter} {kind} {key}".encode()).digest()
    return b32encode(digest).decode()[:16].lower()


def escape_html(text: str) -> str:
    """Return a text as HTML that shows it as it is."""
    return html.escape(_CALLS.sub("\\1\u2060", isolate_text(text)))


def _make_document(session: Session, kind: str, key: object, fields: dict[str, Any], **flags: Any) -> dict[str, Any]:
    return {
        "_id": document_id(session, kind, key),
        "type": "base",
        **fields,
        "flags": {"encounterlog": {"head": str(session.head), **flags}},
        "system": {},
        "_stats": {"systemId": None, "systemVersion": None, "coreVersion": None},
    }


def _make_combat(session: Session) -> dict[str, Any]:
    shown = session.views.last
    placed = list(dict.fromkeys(who for slot in shown.order for who in slot.combatants))
    others = [who for who in shown.combatants if who not in placed]
    order = [*placed, *sorted(others, key=lambda who: document_id(session, "combatant", who))]
    # Foundry sorts by initiative from the highest down, and equal ones by their ids: where the totals would not give the
    # order, such as after a tie or a delay, the places replace them
    totals = {who: slot.key.get("total") for slot in reversed(shown.order) for who in slot.combatants}
    scores = {who: total for who in placed if isinstance(total := totals[who], int)}
    if len(scores) < len(placed) or any(one <= other for one, other in pairwise(scores.values())):
        scores = {who: len(placed) - place for place, who in enumerate(placed)}
    joined = {
        event.combatant: max(1, one.row.when.round)  # 1 for those who were there before the first round
        for one in session.all_lines
        if one.step and isinstance(event := one.row.event, CombatantJoined)
    }
    fields = {
        "scene": None,
        "active": False,
        "round": shown.clock.round,
        "turn": order.index(shown.clock.turn) if shown.clock.turn in order else None,
        "sort": 0,
        "groups": [],
        "combatants": [_make_combatant(session, shown, who, scores.get(who), joined.get(who, 1)) for who in order],
    }
    return _make_document(session, "combat", "", fields, title=session.title, ruleset=session.opening.ruleset)


def _make_combatant(session: Session, shown: Show, who: str, initiative: int | None, joined: int) -> dict[str, Any]:
    one = shown.combatants[who]
    own = {"id": who, "side": one.side, "hp": one.hp, "hp_max": one.hp_max, "temp": one.temp, "nld": one.nld}
    fields = {
        "actorId": None,
        "tokenId": None,
        "sceneId": None,
        "name": isolate_text(one.name),
        "img": None,
        "initiative": initiative,
        "hidden": False,
        "defeated": one.status != DOWN,
        "group": None,
        "roundJoined": joined,
    }
    return _make_document(session, "combatant", who, fields, **own, status=one.status, conditions=one.conditions)


def _make_message(session: Session, one: FactLine) -> dict[str, Any]:
    row, when = one.row, one.row.when
    who = acting_combatant(row.event)
    alias = isolate_text(one.name(who)) if who else row.by
    moment = {"Round": when.round, "segment": when.segment, "phase": when.phase}
    fields = {
        "timestamp": int(datetime.fromisoformat(row.at).timestamp() * 1000),
        "title": "",
        "flavor": escape_html(", ".join(f"{name} {value}" for name, value in moment.items() if value)),
        "content": f"<p>{escape_html(describe_line(one))}</p>",
        "speaker": {"scene": None, "actor": None, "token": None, "alias": isolate_text(alias)},
        "whisper": [document_id(session, "user", "")] if row.secret else [],
        "blind": False,
        "rolls": [msgspec.json.encode(each).decode() for each in _make_rolls(row.event)],
        "sound": None,
        "emote": False,
        "style": 0,
    }
    flags = {"seq": row.seq, "round": when.round, "secret": row.secret, "changes": one.changes}
    return _make_document(session, "message", row.seq, fields, **flags)


def _make_rolls(event: Any) -> Iterator[dict[str, Any]]:
    """Yield the dice of a fact as rolls: of each die its face, and whether it counted."""
    die = getattr(event, "die", None)
    if not isinstance(die, Dice) or (plain := _PLAIN.fullmatch(die.notation)) is None:
        return
    faces = [{"result": face, "active": place not in die.dropped} for place, face in enumerate(die.faces)]
    term = {"class": "Die", "options": {}, "evaluated": True, "number": int(plain[1]), "faces": int(plain[2])}
    yield {
        "class": "Roll",
        "options": {},
        "dice": [],
        "formula": die.notation,
        "terms": [term | {"modifiers": [], "results": faces}],
        "total": sum(each["result"] for each in faces if each["active"]),
        "evaluated": True,
    }
