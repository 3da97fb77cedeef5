"""Dragging a grappled combatant along."""

from __future__ import annotations

from eventstore.events import Moved
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import sources
from projections.rulesets.fifth_edition.state import FifthState


def dragged_by(state: FifthState, fact: Occurrence[Moved]) -> str:
    """Return the combatant that drags the moved one along by its own move, the cause of the fact; "" if none does."""
    mover, *_ = state.moves.get(fact.cause, ("",))
    return mover if mover in sources(state, fact.event.combatant, "grappled") else ""


def note_drag(state: FifthState, puller: str, who: str, seq: int) -> None:
    """Keep that a combatant drags another along, unless that is two sizes smaller, or in 2024 Tiny."""
    one, other = state.combatants[puller], state.combatants[who]
    larger, strides = figures.larger_by(one, other), state.strides.get(puller)
    if strides and (larger is None or larger <= 1):
        strides[-1].options = state.chosen("edition")
        if not (state.is_new and figures.size(other) == 0):
            strides[-1].drags, strides[-1].hold = seq, sources(state, who, "grappled")[puller]


def drags_now(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which a combatant has dragged another along in this turn, if it still holds one."""
    dragged = tuple(each.drags for each in state.strides.get(who, ()) if each.drags)
    holds = any(who in sources(state, other, "grappled") for other in state.combatants)
    return dragged if holds else ()
