"""Hit points: how they are counted, their maximum, temporary ones, bloodied."""

from __future__ import annotations

from typing import Any

from eventstore.events import (
    CombatantJoined,
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectStarted,
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
    """Return how points are counted: never below 0, or by option the sheet's floor, never above the maximum."""
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
    """Let temporary points go with the effect that gave them, in 2014."""
    for who, cause in [*state.temp_of.items()]:
        gone = cause in state.begun and not any(key[0] == cause for key in state.effects)
        if gone and state.is_new:
            state.combatants[who].pools[TEMP].changes.add_reason(Because((), (), state.chosen("edition")))
        elif gone:
            del state.temp_of[who]
            state.combatants[who].pools[TEMP].put(0, fact.seq, (Because((), (), state.chosen("edition")),))


@derives(
    "healing.to-maximum",
    "exhaustion.table",
    "zero.maximum-zero",
    "exhaustion.levels",
    on=(ConditionGained, ConditionLost, EffectStarted, EffectEnded, SheetChanged, CombatantJoined, RulingMade),
)
def maximum_changes(state: FifthState, fact: Occurrence[Any]) -> None:
    """Let hit points fall to a maximum that has become smaller; at a maximum of 0 somebody dies in 2024."""
    for one in state.combatants.values():
        body, most = state.body(one.id), maximum(state, one)
        pool = one.pools[HP_MAX]
        if most is not None and most.value != pool.value:
            pool.put(most.value, fact.seq, (most.because,))
            body.most = most.because.rules or ("healing.to-maximum",)
        elif most is not None and most.because.options and state.is_new:
            for name in (HP, HP_MAX):
                one.pools[name].changes.add_reason(Because((), (), most.because.options))
        if pool.value is not None and one.hp is not None and one.hp > pool.value:
            one.pools[HP].put(pool.value, fact.seq, (pool.since(),))
        if pool.value is not None and pool.value <= 0 and state.is_new and not body.dead and one.hp is not None:
            die(state, one, Because(("zero.maximum-zero",), (fact.seq,), state.chosen("edition")))
        elif (one.status == "dead" and body.dead is None and (one.hp or 0) > 0) or isinstance(
            fact.event, ConditionGained | ConditionLost | EffectStarted | EffectEnded
        ):
            update_status(state, one)


def maximum(state: FifthState, one: Combatant) -> Derived[int] | None:
    """Return the maximum of hit points by the sheet, effects and exhaustion; None where nothing changes it."""
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
    level = exhaustion(state, one.id)
    halved = not state.is_new and level.value >= 4
    total = base + sum(amount for amount, _ in changes.values())
    rules = ("exhaustion.table",) if halved else ()
    events = (*one.records("hp_max", "hp"), *(seq for _, seq in changes.values()))
    worn = level.value >= 4
    options = state.chosen("edition") if worn else {}
    return Derived(max(0, total // 2 if halved else total), Because(rules, events, options, (level,) if worn else ()))


@derives("status.bloodied")
def bloodied(state: FifthState, who: str) -> Derived[bool] | None:
    """Return whether somebody has half its hit points or fewer left, in 2024; None where that is unknown."""
    one = state.combatants[who]
    if not state.is_new or one.hp is None or one.hp_max is None:
        return None
    why = tuple(one.pools[name].derived() for name in (HP, HP_MAX))
    return Derived(2 * one.hp <= one.hp_max, Because(bloodied.rules, (one.joined,), state.chosen("edition"), why))
