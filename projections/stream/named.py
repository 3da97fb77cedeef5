"""Whom a fact names: combatants and sides in its fields, its action, its contenders and its duration."""

from collections.abc import Iterator
from typing import Any

from eventstore.events import EVENT_TYPES
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS

ONE = {kind: tuple(n for n in kind.__struct_fields__ if n in ID_FIELDS) for kind in EVENT_TYPES}
"""The fields of each type that name one."""
SEVERAL = {kind: tuple(n for n in kind.__struct_fields__ if n in ID_LIST_FIELDS) for kind in EVENT_TYPES}
"""The fields of each type that name several."""


def named(event: Any) -> Iterator[str]:
    """Yield every id that a fact names, those in its action, contenders and duration too."""
    kind = type(event)
    yield from (who for name in ONE[kind] if (who := getattr(event, name)) is not None)
    for name in SEVERAL[kind]:
        yield from getattr(event, name)
    if action := getattr(event, "action", None):
        yield from action.targets
    if (duration := getattr(event, "duration", None)) and duration.of:
        yield duration.of
    yield from (each.combatant for each in getattr(event, "contenders", ()))
