"""Logs with the words in capitals by which the rules know things."""

from typing import TypeVar

import msgspec
from msgspec import Struct, structs

from eventstore.events import Fact
from eventstore.record import Recorded
from eventstore.shapes import Action, Part
from projections.judging.audit import audit
from projections.replay.replay import replay
from projections.views.view import show

S = TypeVar("S", bound=Struct)

ENCODER = msgspec.json.Encoder(enc_hook=repr)


def in_capitals(event: Fact | None) -> Fact | None:
    """Return a fact with the words in capitals by which the rules know its action, effect, condition and parts."""
    if event is None:
        return None
    action: Action | None = getattr(event, "action", None)
    parts: tuple[Part, ...] = getattr(event, "parts", ())
    made: dict[str, object] = {"action": _capitals(action, "kind", "cost", "manner")} if action else {}
    if parts:
        made["parts"] = tuple(_capitals(part, "kind", "damage_type") for part in parts)
    return structs.replace(_capitals(event, "effect", "condition", "cost", "mode"), **made)


def _capitals(of: S, *fields: str) -> S:
    """Return a struct with the words of these fields in capitals, of those that it has."""
    said = {field: getattr(of, field, None) for field in fields}
    return structs.replace(of, **{field: _upper(word) for field, word in said.items() if word})


def _upper(words: str | tuple[str, ...]) -> str | tuple[str, ...]:
    return words.upper() if isinstance(words, str) else tuple(map(str.upper, words))


def outcome(records: list[Recorded]) -> tuple[str, str]:
    """Return what a log comes to as text, case folded: the view and the findings."""
    view, findings = show(replay(records).state), audit(records).findings
    return ENCODER.encode(view).decode().casefold(), ENCODER.encode(findings).decode().casefold()


def comes_to_the_same_in_capitals(records: list[Recorded]) -> bool:
    """Say whether a log comes to the same with those words in capitals."""
    return outcome([structs.replace(one, event=in_capitals(one.event)) for one in records]) == outcome(records)
