"""Dragging a grappled combatant along."""

from __future__ import annotations

from eventstore.events import Moved
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import sources
from projections.rulesets.fifth_edition.state import FifthState


def dragged_by(state: FifthState, fact: Occurrence[Moved]) -> str:
    """Return who drags somebody along by its own move, which the fact names as its cause; "" where nobody does."""
    mover, stride, _ = state.moves.get(fact.cause, ("", None, None))
    return mover if stride and mover in sources(state, fact.event.combatant, "grappled") else ""


def drag(state: FifthState, puller: str, who: str, seq: int) -> None:
    """Note that somebody dragged another along, unless that one is two sizes smaller."""
    one, other = state.combatants[puller], state.combatants[who]
    sizes = figures.size(one), figures.size(other)
    small = (
        sizes[0] is not None and sizes[1] is not None and (sizes[0] - sizes[1] > 1 or (state.is_new and sizes[1] == 0))
    )
    if not small and (strides := state.strides.get(puller)):
        strides[-1].drags, strides[-1].hold = seq, sources(state, who, "grappled")[puller]


def drags_now(state: FifthState, who: str) -> tuple[int, ...]:
    """Return the records by which somebody has dragged another in this turn, whom it still holds."""
    told = tuple(each.drags for each in state.strides.get(who, ()) if each.drags)
    holds = any(who in sources(state, other, "grappled") for other in state.combatants)
    return told if holds else ()
