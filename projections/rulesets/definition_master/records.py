"""Which records a sheet has its keys from."""

from typing import Any

from eventstore.events import SheetChanged
from projections.mechanics.grants import granted
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import derives


@derives("hp.maximum-from-sheet", "wield.slots", on=SheetChanged)
def sheet_is_kept(state: MasterState, fact: Occurrence[SheetChanged]) -> None:
    """Keep which record gave each key of a sheet, also what is in the slots."""
    who, hands = fact.event.combatant, state.combat.hands
    state.combat.changed.setdefault(who, {}).update(dict.fromkeys(fact.event.sheet, fact.seq))
    if "wielding" in fact.event.sheet:
        hands.slots.pop(who, None)
        hands.changed[who] = fact.seq


def granted_to(state: MasterState, fact: Any, who: str, rule: str, *said: str) -> bool:
    """Say whether a ruling grants somebody an exception from a rule, or what these words name."""
    return granted(state.rulings, rule, who=(who,), event=(fact.seq, fact.cause), said=said).value


def records(state: MasterState, who: str, *keys: str) -> tuple[int, ...]:
    """Return the records that somebody has these keys of its sheet from."""
    changed = state.combat.changed.get(who, {})
    return tuple(sorted({changed.get(key, state.combatants[who].joined) for key in keys}))
