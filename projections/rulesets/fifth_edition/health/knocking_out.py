"""Knocking out: a melee attack that leaves its target alive."""

from __future__ import annotations

from eventstore.events import DamageDealt
from projections.because import Because, Derived
from projections.folds.effects import gain
from projections.folds.vitals import update_status
from projections.mechanics.pools import HP
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind
from projections.rulesets.fifth_edition.conditions import fall_prone
from projections.rulesets.fifth_edition.health.dying import is_massive
from projections.rulesets.fifth_edition.shapes import Blow
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant


@derives("zero.knock-out")
def is_knocked_out(state: FifthState, fact: Occurrence[DamageDealt], blow: Blow) -> bool:
    """Say whether damage knocks its target out: the attacker chose it, not at range; in 2014 massive damage kills instead."""
    chosen = fact.event.nonlethal and not is_ranged(state, fact)
    return chosen and (state.is_new or not is_massive(state.combatants[blow.who], blow))


def is_ranged(state: FifthState, fact: Occurrence[DamageDealt]) -> bool:
    """Say whether damage is that of a ranged attack, or of a spell that is no melee attack."""
    deed = deed_behind(state, fact.cause)
    if deed is None:
        return False
    return bool(deed.manner & {"ranged", "thrown"}) or (deed.kind == "cast" and "melee" not in deed.manner)


def knock_out(state: FifthState, one: Combatant, seq: int) -> None:
    """Knock a combatant out: in 2014 it is stable at 0, in 2024 unconscious at 1 hit point."""
    body, why = state.body(one.id), Because(is_knocked_out.rules, (seq,), state.chosen("edition"))
    before = Derived(one.hp, Because((), (), {}, (one.pools[HP].since(),)))
    one.pools[HP].put(1 if state.is_new else one.hp, seq, (why, before))
    body.why = is_knocked_out.rules
    fall_prone(state, one.id, seq)
    if state.is_new:
        body.by = is_knocked_out.rules
        gain(state, one.id, "unconscious", seq).of = (why, before)
        body.out = seq
    else:
        body.stable = why
    update_status(state, one)


@check("zero.knock-out", on=DamageDealt)
def only_blows_knock_out(state: FifthState, fact: Occurrence[DamageDealt]) -> Breach | None:
    if not fact.event.nonlethal or not is_ranged(state, fact):
        return None
    return Breach("only a melee attack knocks out", "melee", "at range", (fact.cause,))
