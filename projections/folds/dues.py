"""Dues as time passes: the fact that crosses a due's boundary shows that it is unpaid, and the due lapses.

A ruleset records and answers dues with `mechanics.dues` on `State.dues`, where `Due.by` is a kind of boundary, such as
`turn ended`. From functions marked with its clauses it calls `unpaid` as a check, and `lapse_at` at those boundaries;
`due_steps` makes both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from eventstore.events import Fact, TurnEnded, TurnStarted
from projections.mechanics.dues import Due, dues_before, lapse
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Marked, derives, in_module
from projections.state import State
from projections.time import Boundary


def unpaid_dues(
    state: State, fact: Occurrence[Fact], holds: Callable[[Due], bool] = lambda _due: True
) -> Iterator[Fault]:
    """Yield the dues that are unpaid as a fact crosses their boundary, by the clauses that still hold."""
    for boundary in state.rules.schedule.crossed(state, fact):
        for due in dues_before(state.dues, boundary.kind, boundary.who):
            if holds(due):
                says = f"{due.who} owes a {due.what}"
                yield Fault(due.because.rules, says, f"a {due.what}", "none", due.because.events)


def lapse_at(state: State, boundary: Boundary) -> None:
    """Let the dues before a boundary lapse when it comes."""
    lapse(state.dues, boundary.kind, boundary.who)


def due_steps(module: str, *rules: str, holds: Callable[[State, Due], bool] = lambda *_: True) -> tuple[Marked, ...]:
    """Return the functions that find dues unpaid and let them lapse by these clauses as turns begin and end, for a module of rules."""

    def unpaid_by_clauses(state: State, fact: Occurrence[Fact]) -> Iterator[Fault]:
        return unpaid_dues(state, fact, lambda due: holds(state, due))

    checks = checks_by(*rules, on=(TurnStarted, TurnEnded))(unpaid_by_clauses)
    return in_module(module, *checks, derives(*rules, at=("turn began", "turn ended"), phase="aftermath")(lapse_at))
