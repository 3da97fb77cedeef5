"""Death, and the count of successes and failures that leads to it or away from it."""

from __future__ import annotations

from projections.because import Because, Cites, Derived
from projections.folds.effects import lose
from projections.folds.vitals import update_status
from projections.mechanics import tallies as marks
from projections.mechanics.conditions import Effect
from projections.mechanics.pools import HP, HP_MAX
from projections.rulesets.fifth_edition.shapes import Blow, Body
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant


def die(state: FifthState, one: Combatant, why: Because) -> None:
    """Let a combatant die."""
    body = state.body(one.id)
    body.dead, body.why, body.stable = why, why.rules, None
    marks.add_reason(state.tallies, one.id, "failures", Derived(one.id, why))
    update_status(state, one)


def add_failures(state: FifthState, one: Combatant, times: int, why: Because) -> None:
    """Count failed death saves; the third kills."""
    marks.mark(state.tallies, one.id, "failures", why, times)
    decide_at_three(state, one)


@derives("death-save.three")
def decide_at_three(state: FifthState, one: Combatant) -> None:
    """Let the third success make a combatant stable, and the third failure kill it."""
    made, failed = (marks.count(state.tallies, one.id, name) for name in ("successes", "failures"))
    if failed.value >= 3:
        die(state, one, Because(decide_at_three.rules, (), {}, (failed,)))
    elif made.value >= 3:
        become_stable(state, one, Because(decide_at_three.rules, (), {}, (made,)))
    update_status(state, one)


def become_stable(state: FifthState, one: Combatant, why: Because, rules: tuple[str, ...] = ()) -> None:
    """Let a combatant be stable, by these clauses or else those of the reason; its death saves count no longer."""
    body = state.body(one.id)
    body.stable, body.why = why, rules or why.rules
    marks.clear(state.tallies, one.id, why)
    update_status(state, one)


@derives("zero.unconscious", "zero.knock-out")
def wake_up(state: FifthState, one: Combatant, why: Because) -> None:
    """End the unconsciousness of 0 hit points, or of being knocked out; any other lasts."""
    body = state.body(one.id)
    lose(state, [key for key, each in state.conditions.items() if is_unconsciousness_at_zero(body, one, each)], why)
    body.out = 0


def is_unconsciousness_at_zero(body: Body, one: Combatant, condition: Effect) -> bool:
    """Say whether a condition is the unconsciousness of 0 hit points, or of being knocked out."""
    alike = condition.name.casefold() == "unconscious" and condition.bearer == one.id
    return alike and bool(body.out) and condition.seq >= body.out


def points(one: Combatant) -> tuple[Cites, ...]:
    """Return the hit points of a combatant and their maximum as reasons."""
    return tuple(one.pools[name].derived() for name in (HP, HP_MAX))


@derives("zero.massive-damage", "death-save.damage")
def is_massive(one: Combatant, blow: Blow) -> bool:
    """Say whether the damage that remains at 0 hit points is as much as the maximum."""
    return one.hp_max is not None and blow.beyond >= one.hp_max
