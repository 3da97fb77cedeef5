"""JSON: every view in one document."""

from collections.abc import Iterator
from typing import Any

import msgspec

from encounterlog.exporters.session import Session
from encounterlog.pages.log import json_of


def write(session: Session) -> Iterator[bytes]:
    """Yield a document: the head, each fact with what it changed, the view of the end of each round, findings, tallies."""
    value: dict[str, Any] = {
        "head": str(session.head),
        "title": session.title,
        "encounter": session.opening.encounter,
        "ruleset": session.opening.ruleset,
        "options": session.opening.options,
        "for": "players" if session.for_players else "everybody",
        "facts": [json_of(one.row) | {"changes": one.changes} for one in session.told],
        "rounds": {str(number): shown for number, shown in session.views.items()},
        "findings": session.findings,
        "statistics": session.statistics,
    }
    yield msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
