"""The combatants and sides that a fact names in its fields, its action, its contenders and its duration."""

from eventstore.events import EVENT_TYPES, Fact
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS

ONE = {kind: tuple(n for n in kind.__struct_fields__ if n in ID_FIELDS) for kind in EVENT_TYPES}
"""The fields of each type that hold one id."""
SEVERAL = {kind: tuple(n for n in kind.__struct_fields__ if n in ID_LIST_FIELDS) for kind in EVENT_TYPES}
"""The fields of each type that hold several ids."""


def named_ids(event: Fact) -> list[str]:
    """Return every id that a fact names, including those in its action, contenders and duration."""
    kind = type(event)
    found = [who for name in ONE[kind] if (who := getattr(event, name)) is not None]
    for name in SEVERAL[kind]:
        found += getattr(event, name)
    if action := getattr(event, "action", None):
        found += action.targets
    if (duration := getattr(event, "duration", None)) and duration.of:
        found.append(duration.of)
    return found + [each.combatant for each in getattr(event, "contenders", ())]
