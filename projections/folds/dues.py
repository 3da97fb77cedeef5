"""Dues as time passes: a due is found unpaid by the fact that crosses its boundary, and then lapses.

A ruleset owes and answers with `mechanics.dues` on `State.dues`, where `Due.by` is a kind of boundary, such as `turn ended`; from
functions marked with its clauses it calls `unpaid` as a check, and `lapse_at` at those boundaries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eventstore.events import Fact
from projections.mechanics.dues import Due, lapse, outstanding
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault
from projections.state import State
from projections.time import Boundary


def unpaid(state: State, fact: Occurrence[Fact], holds: Callable[[Due], bool] = lambda _due: True) -> Iterator[Fault]:
    """Yield the unpaid dues of combatants whose boundary a fact crosses, by the clauses of each due that still holds."""
    for boundary in state.rules.schedule.crossed(state, fact):
        for due in outstanding(state.dues, boundary.kind, boundary.who):
            if holds(due):
                says = f"{due.who} owes a {due.what}"
                yield Fault(due.because.rules, says, f"a {due.what}", "none", due.because.events)


def lapse_at(state: State, boundary: Boundary) -> None:
    """Let the dues before a boundary lapse as it comes."""
    lapse(state.dues, boundary.kind, boundary.who)
