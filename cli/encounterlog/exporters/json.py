"""JSON: every view in one document. The view of a round has only that round's changes of pools."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import structs

from encounterlog.exporters.session import Session
from encounterlog.pages.log import json_of
from projections.views.view import Show


def write(session: Session) -> Iterator[bytes]:
    """Yield a document: the head, each fact with what it changed, the view of the end of each round, findings, tallies."""
    here: dict[int, set[int]] = {}
    for one in session.told:
        here.setdefault(one.row.when.round, set()).add(one.row.seq)
    value: dict[str, Any] = {
        "head": str(session.head),
        "title": session.title,
        "encounter": session.opening.encounter,
        "ruleset": session.opening.ruleset,
        "options": session.opening.options,
        "for": "players" if session.for_players else "everybody",
        "facts": [json_of(one.row) | {"changes": one.changes} for one in session.told],
        "rounds": {str(number): _of_round(shown, here[number]) for number, shown in session.views.items()},
        "findings": session.findings,
        "statistics": session.statistics,
    }
    yield msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _of_round(shown: Show, here: set[int]) -> Show:
    """Return a view without the changes of earlier rounds."""
    return structs.replace(
        shown,
        combatants={
            who: structs.replace(one, changes=tuple(each for each in one.changes if each.event in here))
            for who, one in shown.combatants.items()
        },
    )
