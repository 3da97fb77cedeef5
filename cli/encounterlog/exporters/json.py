"""JSON: the log itself, or every view in one document. The view of a round has only that round's changes of pools.

Facts and views are kept encoded, as there are many of them.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from encounterlog.exporters.session import Session
from eventstore.copying import encode_lines
from projections.views.view import show


def write_log(session: Session) -> Iterator[bytes]:
    """Yield the lines of a log."""
    return encode_lines(session.copy)


def write(session: Session) -> Iterator[bytes]:
    """Yield a document: the head, each fact with its changes, the view when each round ends, findings, tallies."""
    session.judged = True
    here: dict[int, set[int]] = {}
    for one in session.lines:
        here.setdefault(one.row.when.round, set()).add(one.row.seq)
    ends = session.ends(lambda number, state: _encode_raw(show(state, counted=here[number])))
    value: dict[str, Any] = {
        "head": str(session.head),
        "title": session.title,
        "encounter": session.opening.encounter,
        "ruleset": session.opening.ruleset,
        "options": session.opening.options,
        "for": "players" if session.for_players else "everybody",
        "facts": [_encode_raw(msgspec.to_builtins(one.row) | {"changes": one.changes}) for one in session.lines],
        "rounds": {str(number): shown for number, shown in ends.items()},
        "findings": session.findings,
        "statistics": session.statistics(),
    }
    yield msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _encode_raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(value))
