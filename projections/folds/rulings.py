"""The GM's word in the place of derived values: which can be ruled, with what, and what then holds."""

from typing import Any

from eventstore.events import RulingMade
from projections.folds.addresses import found
from projections.occurrence import Occurrence
from projections.rulesets.ruleset import derives
from projections.state import Ruled, State


@derives("log.ruling", on=RulingMade)
def ruling_counts(state: State, fact: Occurrence[RulingMade]) -> None:
    """Keep a ruling; one that overrides puts those of its values in place that can be."""
    state.rulings.append(fact)
    if fact.event.ruling == "override":
        for address, value in (fact.event.values or {}).items():
            if not refusal(state, address, value):
                assign(state, address, value, fact.seq)


def refusal(state: State, address: str, value: Any) -> str:
    """Return what a value at this address has to be where this one cannot be; "" where it can, or there is no such value."""
    for each, parts in found(state, address):
        return each.refusal(state, parts, value)
    return ""


def assign(state: State, address: str, value: Any, seq: int) -> None:
    """Put a value in the place of a derived one, by the first address of that name; by what `refusal` says it can be."""
    for each, parts in found(state, address):
        if each.rule:
            each.rule(state, *parts, value, seq)
        else:
            state.ruled[address] = Ruled(value, seq, each.until)
        return
