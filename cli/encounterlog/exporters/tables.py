"""Two tables of a session, for CSV and Parquet: one row per fact, or one per round and combatant."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from encounterlog.ask.listing import kind
from encounterlog.exporters.session import Session
from encounterlog.exporters.walking import FactLine
from projections.views.statistics import Tally

NUMBER, TEXT, TRUTH, MOMENT = "number", "text", "truth", "moment"
"""The types of columns; a moment is text in RFC 3339, UTC."""


class Table(NamedTuple):
    """The name and type of each column, and the rows."""

    columns: dict[str, str]
    rows: Iterator[tuple[Any, ...]]


EVENTS = {
    "seq": NUMBER,
    "line": NUMBER,
    "at": MOMENT,
    "by": TEXT,
    "round": NUMBER,
    "phase": TEXT,
    "segment": NUMBER,
    "turn": TEXT,
    "second": NUMBER,
    "type": TEXT,
    "who": TEXT,
    "targets": TEXT,
    "name": TEXT,
    "total": NUMBER,
    "amount": NUMBER,
    "cause": NUMBER,
    "secret": TRUTH,
    "words": TEXT,
    "note": TEXT,
    "changes": TEXT,
    "fact": TEXT,
}
ROUNDS = {
    field: TEXT
    if field in ("combatant", "name", "side", "status", "dealt_with", "took_from", "healed_with")
    else NUMBER
    for field in Tally.__struct_fields__
}


def table(session: Session) -> Table:
    """Return the wanted table."""
    if session.wanted.table == "rounds":
        return Table(ROUNDS, map(_tally, session.statistics()))
    return Table(EVENTS, map(_fact, session.lines))


def _tally(one: Tally) -> tuple[Any, ...]:
    values = (getattr(one, field) for field in ROUNDS)
    return tuple(_json(value) if isinstance(value, dict) else value for value in values)


def _fact(one: FactLine) -> tuple[Any, ...]:
    row, event = one.row, one.row.event
    action = getattr(event, "action", None)
    targets = getattr(event, "targets", ()) or getattr(action, "targets", ()) or (getattr(event, "target", None),)
    return (
        row.seq,
        row.line,
        row.at,
        row.by,
        row.when.round,
        row.when.phase or None,
        row.when.segment or None,
        row.when.turn or None,
        row.when.second or None,
        kind(row) or None,
        acting(event),
        " ".join(filter(None, targets)) or None,
        (action.name or action.kind) if action else getattr(event, "name", None),
        _whole(getattr(event, "total", None)),
        _whole(getattr(event, "amount", None)),
        one.cause or None,
        row.secret,
        row.words,
        row.note or None,
        _json(one.changes) if one.changes else None,
        None if event is None else _json(event),
    )


def acting(event: Any) -> str | None:
    """Return the combatant behind a fact: its actor, or the source of damage or an effect."""
    return getattr(event, "combatant", None) or getattr(event, "source", None) or getattr(event, "side", None)


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
