"""The combatants and sides that a fact names in its fields, its action, its contenders and its duration."""

from eventstore.events import EVENT_TYPES, Fact
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS

ONE = {kind: tuple(n for n in kind.__struct_fields__ if n in ID_FIELDS) for kind in EVENT_TYPES}
"""The fields of each type that hold one id."""
SEVERAL = {kind: tuple(n for n in kind.__struct_fields__ if n in ID_LIST_FIELDS) for kind in EVENT_TYPES}
"""The fields of each type that hold several ids."""


INSIDE: dict[type[Fact], tuple[str, ...]] = {
    kind: tuple(n for n in kind.__struct_fields__ if n in ("action", "duration", "contenders")) for kind in EVENT_TYPES
}
"""The fields of each type whose values may contain ids in turn."""


def named_ids(event: Fact) -> list[str]:
    """Return every id that a fact names, including those in its action, contenders and duration."""
    kind = type(event)
    found = [who for name in ONE[kind] if (who := getattr(event, name)) is not None]
    for name in SEVERAL[kind]:
        found += getattr(event, name)
    for name in INSIDE[kind]:
        match name, getattr(event, name):
            case _, None:
                pass
            case "action", action:
                found += action.targets
            case "duration", duration:
                found += [duration.of] if duration.of else []
            case _, contenders:
                found += [each.combatant for each in contenders]
    return found
