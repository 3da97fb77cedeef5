"""Objections: why a fact has no effect at all, in any ruleset."""

import msgspec

from eventstore.events import EVENT_TYPES, CombatantJoined, EncounterOpened, Fact, SheetChanged
from eventstore.form import reword_complaint, split_complaint
from projections.state import State

NAMING = tuple(kind for kind in EVENT_TYPES if kind not in (EncounterOpened, CombatantJoined, SheetChanged))
"""The types of facts that name only combatants and sides who have joined."""
_WHO = {
    kind: tuple(n for n in kind.__struct_fields__ if n in ("combatant", "target"))
    for kind in EVENT_TYPES
    if kind is not CombatantJoined
}
"""The fields that say whom a fact is about: unless they have joined, it has no effect."""


def find_objection(state: State, event: Fact) -> tuple[str, str] | None:
    """Return why a fact has no effect, as rule and sentence: a combatant has not joined, or a sheet is malformed."""
    for name in _WHO.get(type(event), ()):
        who = getattr(event, name)
        if who is not None and who not in state.combatants:
            return "log.stranger", f"{who} has not joined"
    if not isinstance(event, CombatantJoined | SheetChanged):
        return None
    old = {} if isinstance(event, CombatantJoined) else msgspec.to_builtins(state.combatants[event.combatant].sheet)
    try:
        msgspec.convert(old | event.sheet, state.rules.sheet)
    except msgspec.ValidationError as error:
        reason, field = split_complaint(str(error))
        return "log.sheet", f"sheet.{field}: {reword_complaint(reason)}"
    return None
