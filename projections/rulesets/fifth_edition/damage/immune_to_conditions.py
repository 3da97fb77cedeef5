"""Conditions to which a combatant is immune."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import ConditionGained
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import borne, events_of, has
from projections.rulesets.fifth_edition.state import FifthState


@checks_by("immunity.nothing", "petrified.resists", on=ConditionGained)
def the_immune_gain_no_condition(state: FifthState, fact: Occurrence[ConditionGained]) -> Iterator[Fault]:
    """Yield that a combatant gains a condition to which it is immune, by its sheet or as it is petrified."""
    name = fact.event.condition.casefold()
    for who in state.joined(fact.event.targets):
        one = state.combatants[who]
        if name in (each.casefold() for each in one.sheet.immunities or ()):
            why = one.records("immunities")
            yield Fault(("immunity.nothing",), f"{who} is immune to being {name}", "none", name, why)
        elif name in figures.rows(state)["petrified"].get("immune", ()) and "petrified" in borne(state, who):
            why = events_of(has(state, who, "petrified"))
            yield Fault(("petrified.resists",), f"{who} is petrified", "none", name, why)
