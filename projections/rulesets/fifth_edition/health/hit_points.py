"""Hit points: how they are counted, their maximum, temporary ones, bloodied."""

from __future__ import annotations

from collections.abc import Iterable

from eventstore.events import (
    CombatantJoined,
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectStarted,
    Fact,
    RulingMade,
    SheetChanged,
)
from projections.because import Because, Derived
from projections.folds.vitals import update_status
from projections.mechanics.pools import HP, HP_MAX, TEMP, PoolRules
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.conditions import exhaustion
from projections.rulesets.fifth_edition.health.dying import die
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant


@derives("damage.subtracts", "healing.to-maximum", "temp.not-added", "temp.beside", "temp.lost-first")
def pools(state: FifthState, one: Combatant) -> PoolRules:
    """Return how hit points are counted: not below 0 or by option the floor of the sheet, not above the maximum."""
    chosen, temporary = state.chosen("hp-floor"), state.chosen("temporary-points")
    floor = 0 if chosen["hp-floor"] == "zero" else one.sheet.hp_floor
    return PoolRules(
        floor=floor,
        temporary="replace" if temporary["temporary-points"] == "newer" else "larger",
        cites={HP: state.body(one.id).by, TEMP: pools.rules[2:], HP_MAX: state.body(one.id).most},
        floor_option=chosen,
        temp_option=temporary,
    )


@derives("temp.until-spent", on=EffectEnded)
def points_go_with_their_effect(state: FifthState, fact: Occurrence[EffectEnded]) -> None:
    """End temporary hit points in 2014 with the effect that gave them."""
    for who, cause in [*state.temp_of.items()]:
        gone = cause in state.begun and not any(key[0] == cause for key in state.effects)
        if gone and state.is_new:
            state.combatants[who].pools[TEMP].changes.add_reason(Because((), (), state.chosen("edition")))
        elif gone:
            del state.temp_of[who]
            state.combatants[who].pools[TEMP].put(0, fact.seq, (Because((), (), state.chosen("edition")),))


CHANGING = (ConditionGained, ConditionLost, EffectStarted, EffectEnded, RulingMade)
"""The facts that can change maxima and statuses, though they name no hit points."""


@derives(
    "healing.to-maximum", "exhaustion.table", "zero.maximum-zero", "exhaustion.levels",
    on=(*CHANGING, SheetChanged, CombatantJoined),
)  # fmt: skip
def maximum_changes(state: FifthState, fact: Occurrence[Fact]) -> None:
    """Let hit points fall to a smaller maximum, unless they were ruled after it; in 2024 a combatant dies at a maximum of 0."""
    for one in whose_may_change(state, fact.event):
        body, most = state.body(one.id), maximum(state, one)
        pool = one.pools[HP_MAX]
        if most is not None and most.value != pool.value:
            pool.put(most.value, fact.seq, (most.because,))
            body.most = most.because.rules or ("healing.to-maximum",)
        elif most is not None and most.because.options and state.is_new:
            for name in (HP, HP_MAX):
                one.pools[name].changes.add_reason(Because((), (), most.because.options))
        exceeds = pool.value is not None and one.hp is not None and one.hp > pool.value
        if exceeds and (HP not in one.ruled or one.ruled[HP] < pool.changes.seqs[-1]):
            options = {} if pool.value else state.chosen("edition")
            one.pools[HP].put(pool.value, fact.seq, (pool.since(), Because((), (), options)))
        if pool.value is not None and pool.value <= 0 and state.is_new and not body.dead and one.hp is not None:
            die(state, one, Because(("zero.maximum-zero",), (fact.seq,), state.chosen("edition")))


@derives("exhaustion.table", on=CHANGING)
def statuses_change(state: FifthState, _fact: Occurrence[Fact]) -> None:
    """Derive the status of each combatant again, which a condition, an effect or a ruling can change."""
    for one in state.combatants.values():
        update_status(state, one)


def whose_may_change(state: FifthState, event: Fact) -> Iterable[Combatant]:
    """Return the combatants whose maximum a fact may change: all, but for one that joins or has a new sheet."""
    if isinstance(event, CombatantJoined | SheetChanged):
        return (state.combatants[event.combatant],)
    return state.combatants.values()


def maximum(state: FifthState, one: Combatant) -> Derived[int] | None:
    """Return the maximum of hit points by the sheet, effects and exhaustion; None if it is unknown or ruled."""
    base = one.sheet.hp_max if one.sheet.hp_max is not None else one.sheet.hp
    if base is None or "hp_max" in one.ruled:
        return None
    changes = {
        e.name.casefold(): (part.amount, e.seq)
        for e in state.effects.values()
        if e.bearer == one.id and e.seq in state.begun
        for part in state.begun[e.seq].modifiers
        if (part.to or part.name).casefold() in ("hp_max", "hp-max", "hp max", "hit point maximum")
    }
    total = base + sum(amount for amount, _ in changes.values())
    events = (*one.records("hp_max", "hp"), *(seq for _, seq in changes.values()))
    level = exhaustion(state, one.id)
    if level.value < 4:
        return Derived(max(0, total), Because((), events))
    rules, halved = ((), total) if state.is_new else (("exhaustion.table",), total // 2)
    return Derived(max(0, halved), Because(rules, events, state.chosen("edition"), (level,)))


@derives("status.bloodied")
def bloodied(state: FifthState, who: str) -> Derived[bool] | None:
    """Return whether a combatant has half its hit points or fewer left, in 2024; None if that is unknown."""
    one = state.combatants[who]
    if not state.is_new or one.hp is None or one.hp_max is None:
        return None
    why = tuple(one.pools[name].derived() for name in (HP, HP_MAX))
    return Derived(2 * one.hp <= one.hp_max, Because(bloodied.rules, (one.joined,), state.chosen("edition"), why))
