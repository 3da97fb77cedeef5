"""Conditions with a level, such as frightened 2: gained, raised, lowered, and fading at boundaries.

`[[level]]` rows of a catalogue name such conditions: what happens if one is gained again, when it fades by 1, how high it can be, and
the status of a combatant that has it, or has it in full. A ruleset with such rows lists `ADDRESSES` among its own,
names in one of its modules the functions that `level_functions` makes of the clauses, and asks `status` for the status
that a level gives; anything else that changes a level, such as a throw, calls `change` or `put`.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Literal

from msgspec import Struct

from eventstore.events import ConditionGained, ConditionLost
from projections.address import NOTHING, Address, a_count, a_list_of_names
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds import effects
from projections.folds.vitals import update_status
from projections.mechanics.conditions import find_effects
from projections.mechanics.resources import RETURNS
from projections.occurrence import Occurrence
from projections.open_types import Json
from projections.ruleset.catalogue import rows_by_name
from projections.ruleset.ruleset import Marked, derives, in_module
from projections.state import State
from projections.time import Boundary


class Graded(Struct, frozen=True, forbid_unknown_fields=True):
    """A row in the table of levels."""

    name: str
    """The condition."""
    rule: str
    """The clause by which it is gained."""
    again: Literal["higher", "adds"] = "higher"
    """The effect of a further one: the higher level stays, or both add up."""
    fades: str = ""
    """The word for the boundary at which it falls by 1, such as `own-turn-end`; "" if it does not."""
    fades_by: str = ""
    """The clause by which it falls; by default that by which it is gained."""
    limit: int = 0
    """The highest level; 0 if there is none."""
    status: str = ""
    """The status of a combatant that has it; "" if it decides none."""
    full: str = ""
    """The status of a combatant that has it at its limit."""
    full_by: str = ""
    """The clause behind that status; by default that by which it is gained."""


def level_rows(state: State) -> dict[str, Graded]:
    """Return the conditions with a level of a ruleset by name, as its catalogue has them."""
    return rows_by_name(state.rules.rules, "level", Graded)


def condition_level(state: State, who: str, name: str) -> Derived[int]:
    """Return the level of a combatant's condition, 0 without the condition, with its reason."""
    found = state.levels.get((who, name))
    return found or Derived(0, Because((), (state.combatants[who].joined,)))


def change_level(state: State, who: str, name: str, by: int, because: Because) -> None:
    """Raise or lower a condition of a combatant by so many levels; at 0 it ends."""
    set_level(state, who, name, condition_level(state, who, name).value + by, because)


def set_level(state: State, who: str, name: str, value: int, because: Because) -> None:
    """Set the level of a combatant's condition; at 0 it ends."""
    now = condition_level(state, who, name)
    _keep_level(state, who, name, clamp_level(level_rows(state)[name], value, because, now))


def _keep_level(state: State, who: str, name: str, found: Derived[int]) -> None:
    state.levels[who, name] = found
    there = find_effects(state.conditions, name, (who,), None)
    if found.value and not there:
        begun = effects.gain_condition(state, who, name, state.now)
        begun.of = (found,)
    elif there and not found.value:
        effects.end_conditions(state, there, Because(of=(found,)))
    update_status(state, state.combatants[who])


def status_by_level(state: State, one: Combatant, otherwise: Derived[str]) -> Derived[str]:
    """Return the status that a level gives a combatant, a full one before any other; else this one."""
    for row in level_rows(state).values():
        found = condition_level(state, one.id, row.name)
        if row.full and found.value >= row.limit:
            return Derived(row.full, Because((row.full_by or row.rule,), of=(found,)))
        if row.status and found.value:
            return Derived(row.status, Because((row.rule,), of=(found,)))
    keys = ((one.id, row.name) for row in level_rows(state).values() if row.status)
    past = tuple(state.levels[key] for key in keys if key in state.levels)
    return Derived(otherwise.value, Because(of=(otherwise, *past))) if past else otherwise


def level_in_detail(detail: str | None) -> int:
    """Return the level that the detail of a condition says: its first number; 1 where it has none."""
    found = re.search(r"\d+", detail or "")
    return int(found[0]) if found else 1


def add_level(row: Graded, now: Derived[int], said: int, because: Because) -> Derived[int]:
    """Return the level after a further gain: the sum, or the higher one.

    A lower level before is cited if it had changed: without the change, it could have been the higher.
    """
    if row.again == "adds":
        return clamp_level(row, now.value + said, because, now)
    if said <= now.value:
        return now
    return clamp_level(row, said, because, *((now,) if now.because.of else ()))


def clamp_level(row: Graded, value: int, because: Because, *of: Derived[int]) -> Derived[int]:
    """Return a level, from 0 to the limit of its row, because of this and of other values that it is made from."""
    most = max(0, value)
    cited = Because(because.rules, because.events, (*because.of, *of), because.options)
    return Derived(min(most, row.limit or most), cited)


# ---------------------------------------------------------------- by the rows of a catalogue


def gain_level(state: State, fact: Occurrence[ConditionGained]) -> None:
    """Take the level of a condition from the detail of the fact by which it is gained."""
    if row := level_rows(state).get(fact.called):
        said, because = level_in_detail(fact.event.detail), Because((row.rule,), (fact.seq,))
        for who in effects.joined_targets(state, fact.event):
            _keep_level(state, who, row.name, add_level(row, condition_level(state, who, row.name), said, because))


def drop_level(state: State, fact: Occurrence[ConditionLost]) -> None:
    """Set the level of a condition to 0 when it is recorded as lost."""
    row = level_rows(state).get(fact.called)
    for who in fact.event.targets:
        if row and condition_level(state, who, row.name).value:
            set_level(state, who, row.name, 0, Because((row.rule,), (fact.seq,)))


def lower_fading_conditions(state: State, boundary: Boundary) -> None:
    """Lower the conditions that fade at a boundary by 1: those of its combatant, or of all if it has none."""
    for row in level_rows(state).values():
        if RETURNS.get(row.fades) != boundary.kind:
            continue
        for who in (boundary.who,) if boundary.who else tuple(state.combatants):
            if condition_level(state, who, row.name).value:
                because = Because((row.fades_by or row.rule,), of=(_boundary_with_reason(state, boundary),))
                change_level(state, who, row.name, -1, because)


def _boundary_with_reason(state: State, boundary: Boundary) -> Derived[Boundary]:
    """Return a boundary; its reason is the fact that crosses it and, where a turn ends, the facts that began it."""
    turns = (turn.events for turn in reversed(state.round.turns) if turn.combatant == boundary.who)
    begun = next(turns, ()) if boundary.kind == "turn ended" else ()
    return Derived(boundary, Because((), (*begun, boundary.seq)))


def level_functions(module: str, *rules: str) -> tuple[Marked, ...]:
    """Return the functions by which levels are gained, lost, and fade, by these clauses, as functions of a module of rules."""
    return in_module(
        module,
        derives(*rules, on=ConditionGained, phase="effects")(gain_level),
        derives(*rules, on=ConditionLost, phase="effects")(drop_level),
        derives(*rules, at=tuple(RETURNS.values()), phase="effects")(lower_fading_conditions),
    )


# ---------------------------------------------------------------- addresses


def _conditions_with_levels(state: State, who: str) -> Derived[list[str]]:
    found = effects.condition_names(state, who)
    folded = {each: each.casefold() for each in found.value}
    own = {name: condition_level(state, who, name) for name in folded.values() if name in level_rows(state)}
    named = [f"{each} {own[folded[each]].value}" if folded[each] in own else each for each in found.value]
    return Derived(named, Because(of=(found, *own.values())))


def _rule_conditions(state: State, who: str, value: Json, seq: int) -> None:
    """Put exactly these conditions on a combatant; the number after a name is its level."""
    folded = {each: each.casefold().rstrip("0123456789 ") for each in map(str, effects.stated_list(value))}
    named = {each: name if name in level_rows(state) else each for each, name in folded.items()}
    said = {name: level_in_detail(each) for each, name in named.items()}
    effects.set_conditions(state, who, [*named.values()] or NOTHING, seq)
    for name in level_rows(state):
        if said.get(name, 0) or condition_level(state, who, name).value:
            _rule_level(state, who, name, said.get(name, 0), seq)


def _rule_level(state: State, who: str, name: str, value: int, seq: int) -> None:
    set_level(state, who, name, value, Because(("log.ruling",), (seq,)))


ADDRESSES: tuple[Address, ...] = (
    Address(
        "<who>.conditions",
        _conditions_with_levels,
        says="its conditions, with their levels",
        wants=a_list_of_names,
        rule=_rule_conditions,
    ),
    Address(
        "<who>.levels.<name>",
        lambda state, who, name: condition_level(state, who, name) if name in level_rows(state) else None,
        says="the level of a condition",
        wants=a_count,
        rule=_rule_level,
        places=lambda state: product(state.combatants, level_rows(state)),
        lasts=True,
    ),
)
"""The addresses of a ruleset with such rows."""
