"""Facts shortened to fit a line: long words are clipped, long lists cut, free text is left as it is."""

from typing import Any

from msgspec import Struct, structs

from encounterlog.text.layout import clip, name
from eventstore.events import CombatantJoined, Fact
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS

LONGEST = 28
"""The room for a word that is not free text, in columns."""
MOST = 3
"""The number of ids that are named of a longer list."""
WHOLE = ID_FIELDS | {"type", "rule", "ruleset", "reason", "decision", "text", "words", "awaiting", "detail", "link"}
"""The fields that stay whole: ids, which are names of something, free text, which comes last in a sentence, and links of a chain."""


def shortened(event: Fact) -> Fact:
    """Return a fact with its words clipped and its lists cut, so that its main content fits one line."""
    short: Fact = _struct(event)
    if isinstance(short, CombatantJoined):  # the one sentence that says an id beside a name
        return structs.replace(short, combatant=clip(short.combatant, LONGEST), side=short.side and name(short.side))
    return short


def _struct(value: Any) -> Any:
    return structs.replace(value, **{field: _field(field, getattr(value, field)) for field in value.__struct_fields__})


def _field(field: str, value: Any) -> Any:
    if field in ID_LIST_FIELDS:
        return value if len(value) <= MOST + 1 else (*value[:MOST], f"{len(value) - MOST} more")
    return value if field in WHOLE else _value(value)


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return clip(value, LONGEST)
    if isinstance(value, Struct):
        return _struct(value)
    if isinstance(value, dict):
        return {clip(key, 2 * LONGEST): _value(one) for key, one in value.items()}
    return tuple(map(_value, value)) if isinstance(value, tuple | list) else value
