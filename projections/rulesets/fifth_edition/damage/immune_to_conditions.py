"""Conditions to which a combatant is immune."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import ConditionGained
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.conditions import events_of, filled, has
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import clauses


@checks_by("immunity.nothing", *clauses("immune"), on=ConditionGained)
def the_immune_gain_no_condition(state: FifthState, fact: Occurrence[ConditionGained]) -> Iterator[Fault]:
    """Yield that a combatant gains a condition to which it is immune, by its sheet or by another condition."""
    name = fact.event.condition.casefold()
    for who in state.joined(fact.event.targets):
        one = state.combatants[who]
        if name in (each.casefold() for each in one.sheet.immunities or ()):
            why = one.records("immunities")
            yield Fault(("immunity.nothing",), f"{who} is immune to being {name}", "none", name, why)
            continue
        for row in filled(state, "immune"):
            if name in row.immune and (stone := has(state, who, row.name)).value:
                yield Fault((row.rule,), f"{who} is {row.name}", "none", name, events_of(stone))
