"""Effects that have ended and are used all the same, or that are recorded to end too early."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import AttackRolled, DamageDealt, DiceRolled, EffectEnded, Fact, SaveRolled
from projections.because import Because
from projections.folds.durations import still_runs
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.state import FifthState

ENDED = (
    "concentration.one-at-a-time", "concentration.damage-save", "concentration.incapacitated", "duration.runs-out",
    "concentration.holds-effect",
)  # fmt: skip
"""The clauses that end effects."""


@checks_by(*ENDED, on=(AttackRolled, SaveRolled, DiceRolled, DamageDealt))
def what_has_ended_is_not_used(state: FifthState, fact: Occurrence[Fact]) -> Iterator[Fault]:
    """Yield that a roll names an effect that has ended, or that damage or a save is caused by one, by what ended it."""
    event = fact.event
    who: Any = getattr(event, "combatant", None)
    for each in getattr(event, "modifiers", ()):
        name = each.name.casefold()
        why = state.rid_by.get(who, {}).get(name)
        if why and not runs(state, who, name):
            yield from use_of_ended(state, name, why)
    begun = state.begun.get(fact.cause)
    gone = state.ended_by.get(fact.cause)
    if begun and gone and not fact.implied and not any(key[0] == fact.cause for key in state.effects):
        yield from use_of_ended(state, begun.effect.casefold(), gone)


def runs(state: FifthState, who: str, name: str) -> bool:
    """Say whether an effect of this name still runs on a combatant."""
    return any(each.bearer == who and each.name.casefold() == name for each in state.effects.values())


def use_of_ended(state: FifthState, name: str, why: Because) -> Iterator[Fault]:
    """Yield that an effect has ended, by what ended it, or by concentration if its end was only recorded."""
    found = why.flat()
    needed = any(state.begun[seq].concentration for seq in found.events if seq in state.begun)
    rule = next((rule for rule in found.rules if rule in ENDED), ENDED[-1] if needed else "")
    if rule:
        yield Fault((rule,), f"{name} has ended", "no effect", name, why.own().events)


def ended_before(state: FifthState, event: Fact) -> bool:
    """Say whether an effect that is recorded to end was ended by a clause of this game before."""
    if not isinstance(event, EffectEnded):
        return False
    name = event.effect.casefold()
    stated = [why for who, own in state.rid_by.items() if who in (event.targets or (who,)) and (why := own.get(name))]
    return any(rule in ENDED for why in stated for rule in why.flat().rules)


@checks_by(*ENDED[:4], on=EffectEnded)
def effects_end_when_they_do(state: FifthState, fact: Occurrence[EffectEnded]) -> Iterator[Fault]:
    """Yield that an effect is recorded to expire before its time, or after a turn in which it had ended."""
    event = fact.event
    if not (event.reason or "").strip().casefold().startswith("expired"):
        return
    name = event.effect.casefold()
    if running := still_runs(state, event):
        says = f"{running.name} has time left"
        yield Fault(("duration.runs-out",), says, f"{running.left} left", "expired", (running.seq, *running.ticked_by))
        return
    for bearer in event.targets or state.rid_by:
        why = state.rid_by.get(bearer, {}).get(name)
        if why is None or runs(state, bearer, name):
            continue
        found = why.flat()
        rule = next((rule for rule in found.rules if rule in ENDED[:3]), "")
        if rule and state.precedes(max(found.events), state.clock.turn_event):
            yield Fault((rule,), f"{name} ended before", "no effect", "expired", found.events)
            return
