"""Flying, and falling out of the air."""

from __future__ import annotations

from projections.because import Because, Derived
from projections.mechanics.conditions import matching
from projections.rulesets.fifth_edition.conditions import carries, has, kept_from, lose, stops
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant


def cannot_fly(state: FifthState, one: Combatant) -> tuple[int, ...]:
    """Return the records by which a flyer falls instead of flying on; none if it does not."""
    why = falling(state, one)
    return why.flat().events if why else ()


@derives("move.flyer-falls")
def falling(state: FifthState, one: Combatant) -> Because | None:
    """Return why a flyer falls: prone, at speed 0, or in 2024 incapacitated; None if it does not, or hovers."""
    flies = one.id in state.airborne or carries(state, one.id, "flying")
    if not flies or one.sheet.speeds.get("hover"):
        return None
    down = brings_down(state, one.id)
    if not any(each.value for each in down):
        return None
    flying = has(state, one.id, "flying")
    return Because(falling.rules, state.airborne.get(one.id, ()), state.chosen("edition"), (flying, *down))


def brings_down(state: FifthState, who: str) -> tuple[Derived[bool], Derived[bool]]:
    """Return whether a condition brings a flyer down, and whether its speed of 0 does."""
    return has(state, who, "prone", *(("incapacitated",) if state.is_new else ())), stops(state, who)


def land(state: FifthState, who: str, seq: int) -> None:
    """End the flight of a combatant."""
    if state.airborne.pop(who, None):
        kept_from(state, who, "fall", Because(("move.flyer-falls",), (seq,)))
    lose(state, matching(state.conditions, "flying", (who,), None))
