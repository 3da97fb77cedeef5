"""Shoving: prone, or 5 feet away."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import ConditionGained, ContestRolled, Fact, Moved, SaveRolled
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault
from projections.rulesets.fifth_edition.movement.cost import feet_of
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives


def shove_of(state: FifthState, cause: int) -> int:
    """Return the record of the shove behind a fact; 0 if there is none."""
    about = state.decided.get(cause, ("",))[0]
    deed = state.deeds.get(state.cause_of.get(cause, cause))
    return deed.seq if deed and (deed.kind == "shove" or about == "shove") else 0


def shoved_away(state: FifthState, fact: Occurrence[Moved]) -> Iterator[Fault]:
    """Yield that a shove pushes its target farther than 5 feet, or away after knocking it prone."""
    event, shove = fact.event, shove_of(state, fact.cause)
    if not shove or not event.forced:
        return
    feet = feet_of(event)
    if shove in state.shoved_down:
        yield Fault(("shove.effect",), "prone or away, not both", "one", "both", (shove,))
    elif feet > 5:
        yield Fault(("shove.effect",), "a shove pushes 5 feet", "5 ft", f"{feet} ft", (shove,))


@derives("shove.effect", on=(ConditionGained, Moved, ContestRolled, SaveRolled))
def shove_has_its_effect(state: FifthState, fact: Occurrence[Fact]) -> None:
    """Keep what a shove has done."""
    event = fact.event
    if isinstance(event, ContestRolled | SaveRolled):
        state.cause_of[fact.seq] = fact.cause
        return
    shove = shove_of(state, fact.cause)
    if isinstance(event, ConditionGained) and event.condition.casefold() == "prone":
        state.shoved_down[shove] = fact.seq
    elif shove and isinstance(event, Moved) and event.forced:
        state.shoved_away[shove] = fact.seq
