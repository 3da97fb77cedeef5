"""What a combatant cannot spend now, or do, though enough of it is left."""

from __future__ import annotations

from projections.because import Because
from projections.rulesets.fifth_edition.movement import mounts, prone
from projections.rulesets.fifth_edition.spells import slots
from projections.rulesets.fifth_edition.state import FifthState
from projections.state import Combatant


def bars(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return why a combatant cannot spend a slot now, or do an act of a kind; None if it can."""
    if what.startswith("slot-"):
        return slots.bars(state, one)
    return prone.bars(state, one, what) or mounts.bars(state, one, what)
