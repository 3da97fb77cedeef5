"""Tallies as the rows of a catalogue have them: their addresses, WHO.tallies.NAME, and the status that a full one gives.

A ruleset with `[[tally]]` rows lists `ADDRESSES` among its own, calls `add_marks` and `clear_marks` from functions marked with its
clauses, and asks `decided` for a status.
"""

from __future__ import annotations

from itertools import product

from projections.address import Address, a_tally
from projections.because import Because, Derived
from projections.folds.vitals import update_status
from projections.mechanics import tallies
from projections.mechanics.tallies import Tally
from projections.ruleset.catalogue import rows_by_name
from projections.state import State


def add_marks(state: State, who: str, name: str, because: Because, times: int = 1) -> None:
    """Mark a tally of a combatant, unless one is full already, and derive its status again."""
    if status_of_full_tally(state, who) is None:
        tallies.add_marks(state.tallies, who, name, because, times)
        update_status(state, state.combatants[who])


def clear_marks(state: State, who: str, because: Because) -> None:
    """Clear the tallies of a combatant, and derive its status again."""
    tallies.clear_marks(state.tallies, who, because)
    update_status(state, state.combatants[who])


def status_of_full_tally(state: State, who: str) -> Derived[str] | None:
    """Return the status of the tally that is full; None while none is."""
    found = tallies.full_tally(state.tallies, who, tally_rows(state).values())
    return Derived(found.value.status, found.because) if found else None


def tally_rows(state: State) -> dict[str, Tally]:
    """Return the tallies of a ruleset by name, as its catalogue has them."""
    return rows_by_name(state.rules.rules, "tally", Tally)


# ---------------------------------------------------------------- addresses


def _tally_count(state: State, who: str, name: str) -> Derived[int] | None:
    """Return how many marks a tally has, also because of one that is full; None if there is no such tally."""
    tally = tally_rows(state).get(name)
    if tally is None:
        return None
    found, full = tallies.count(state.tallies, who, name), status_of_full_tally(state, who)
    of = (found, full) if full else (found,)
    return Derived(found.value, Because((tally.rule,), (state.combatants[who].joined,), of=of))


def _rule_tally(state: State, who: str, name: str, value: int, seq: int) -> None:
    tallies.set_marks(state.tallies, who, name, value, Because(("log.ruling",), (seq,)))
    update_status(state, state.combatants[who])


ADDRESSES = (
    Address(
        "<who>.tallies.<name>",
        _tally_count,
        says="how many marks a tally has",
        wants=a_tally,
        rule=_rule_tally,
        places=lambda state: product(state.combatants, tally_rows(state)),
        lasts=True,
    ),
)
