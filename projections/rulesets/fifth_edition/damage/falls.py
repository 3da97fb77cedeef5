"""Damage of a fall."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import DamageDealt, Moved
from projections.because import Because, Derived
from projections.mechanics.rolls import count_of
from projections.mechanics.squares import in_feet
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault
from projections.rulesets.fifth_edition.conditions import fall_prone
from projections.rulesets.fifth_edition.damage.taken import Dealing
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives


def wrong_fall(state: FifthState, deal: Dealing) -> Iterator[Fault]:
    """Yield that a fall does not deal the dice of its height."""
    height = state.heights.get(deal.fact.cause)
    if height is None:
        return
    wanted = min(20, height // 10)
    for part in deal.fact.event.parts:
        threw = count_of(part.dice.notation) if part.dice else None
        if threw and threw[1] == 6 and threw[0] != wanted:
            says, why = f"a fall of {height} feet", (deal.fact.cause,)
            yield Fault(("hazard.falling",), says, f"{wanted}d6", f"{threw[0]}d6", why)


@derives("hazard.falling", on=(Moved, DamageDealt))
def fall_is_recorded(state: FifthState, fact: Occurrence[Moved] | Occurrence[DamageDealt]) -> None:
    """Keep the height of a fall, and let the combatant fall prone once it takes damage by it."""
    event = fact.event
    if isinstance(event, Moved):
        if (event.mode or "").casefold() == "fall" and event.distance:
            state.heights[fact.seq] = in_feet(event.distance)
    elif fact.cause in state.heights and event.amount > 0:
        fall_prone(state, event.target, fact.seq, Derived(event.target, Because((), (fact.cause,))))
