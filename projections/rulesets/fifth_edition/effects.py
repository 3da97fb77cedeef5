"""Effects and conditions that last: the turns that count them, the same one twice, dismissing, and use after their
end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eventstore.events import (
    AttackRolled,
    ConditionLost,
    DamageDealt,
    DiceRolled,
    EffectEnded,
    EffectStarted,
    Fact,
    SaveRolled,
)
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.folds.durations import earlier, renew, still_runs
from projections.folds.effects import effect_names, is_expiry
from projections.mechanics.conditions import Effect
from projections.mechanics.timers import Timer, timer_on_turns
from projections.occurrence import Occurrence
from projections.ruleset.durations import from_whom
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition.conditions import acts_not, carries, depend_on, events_of
from projections.rulesets.fifth_edition.state import FifthState


@derives("duration.runs-out", "duration.until-turn", "round.six-seconds")
def timer(state: FifthState, effect: Effect, said: Duration) -> Timer:
    """Return the timer of a duration, which counts the turns that the duration names, else by option those of the
    effect's originator or its bearer.
    """
    whose = (effect.bearer, effect.source)
    if not said.of and state.option("duration-of") == "originator":
        whose = (from_whom(state, effect), effect.bearer)
    at = said.at or state.option("duration-at")
    counted = Duration(amount=said.amount, unit=said.unit, of=said.of, at=at)
    found = timer_on_turns(effect, counted, *whose)
    runs = found.owner in (state.clock.turn, *state.clock.together)
    found.skip = int(found.at == "end" and runs and said.amount > 0)
    turns = (state.clock.turn_event, state.clock.round_event, state.began.get(found.owner))
    effect.of = (*effect.of, Derived(found.owner, Because((), (*filter(None, turns),))))
    return found


@derives("effect.same-spell", on=EffectStarted)
def one_renews_another(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """Replace an effect by another of its name on the same bearer, by option."""
    before = earlier(state, fact)
    if not before:
        return
    if state.option("same-effect") == "renews":
        why = Because(one_renews_another.rules, (fact.seq,))
        renew(state, fact, why)
        for effect in (effect for key, effect in state.effects.items() if key[0] == fact.seq):
            effect.of = (*effect.of, Derived(effect.name, why))
    else:
        depend_on(state.effects[key] for key in before)


@derives("effect.same-spell")
def names_of_effects(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the names of the effects on a combatant, each once; of several with one name all run, but only one
    counts.
    """
    found = effect_names(state, who)
    once = _each_once(found.value)
    return found if len(once) == len(found.value) else Derived(once, Because(names_of_effects.rules, (), (found,)))


def _each_once(names: Iterable[str]) -> list[str]:
    """Return each name once, in whatever capitals, as it came first."""
    once: dict[str, str] = {}
    for name in names:
        once.setdefault(name.casefold(), name)
    return [*once.values()]


def bare(state: FifthState, who: str) -> list[str]:
    """Return the names of the effects on a combatant without the reason."""
    return _each_once(each.name for each in state.effects.values() if each.bearer == who)


@checks_by("effect.same-spell", on=(AttackRolled, SaveRolled, DiceRolled))
def one_spell_counts_once(
    state: FifthState, fact: Occurrence[AttackRolled | SaveRolled | DiceRolled]
) -> Iterator[Fault]:
    """Yield a fault for a roll with two modifiers of one effect."""
    who = fact.event.combatant
    borne = {e.called for e in state.effects.values() if e.bearer == who}
    names = [each.name.casefold() for each in fact.event.modifiers]
    for name in dict.fromkeys(names):
        if names.count(name) > 1 and name in borne:
            why = tuple(e.seq for e in state.effects.values() if e.bearer == who and e.called == name)
            yield Fault(("effect.same-spell",), f"{name} counts once", "one", str(names.count(name)), why)


@check("duration.dismiss", on=EffectEnded)
def the_incapacitated_dismiss_nothing(state: FifthState, fact: Occurrence[EffectEnded]) -> Breach | None:
    event = fact.event
    if not state.is_new or not (event.reason or "").strip().casefold().startswith("dismiss"):
        return None
    named = [e for e in state.effects.values() if e.called == fact.called]
    who = event.source or next((e.source or e.bearer for e in named), "")
    found = acts_not(state, who)
    if not found.value:
        return None
    return Breach(f"{who} is incapacitated", "no dismissing", "dismissed", events_of(found))


ENDED = (
    "concentration.one-at-a-time", "concentration.damage-save", "concentration.incapacitated", "duration.runs-out",
    "concentration.holds-effect",
)  # fmt: skip
"""The clauses that end effects."""


@checks_by(*ENDED, on=(AttackRolled, SaveRolled, DiceRolled, DamageDealt))
def what_has_ended_is_not_used(state: FifthState, fact: Occurrence[Fact]) -> Iterator[Fault]:
    """Yield a fault for a roll that names an ended effect, and for damage or a save that one causes, by the clause that
    ended it.
    """
    event = fact.event
    who: str = getattr(event, "combatant", None) or ""
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
    return any(each.bearer == who and each.called == name for each in state.effects.values())


def use_of_ended(state: FifthState, name: str, why: Because) -> Iterator[Fault]:
    """Yield a fault for an ended effect, by the clause that ended it, or by that on concentration if its end was only
    recorded.
    """
    found = why.flat()
    needed = any(state.begun[seq].concentration for seq in found.events if seq in state.begun)
    rule = next((rule for rule in found.rules if rule in ENDED), ENDED[-1] if needed else "")
    if rule:
        yield Fault((rule,), f"{name} has ended", "no effect", name, why.own().events)


def ended_before(state: FifthState, event: Fact) -> bool:
    """Say whether a clause of this game ended an effect before the record of its end, or derives a condition that is
    recorded as lost.

    What concentration ended in this turn has not expired in it.
    """
    if isinstance(event, ConditionLost):
        return all(is_derived(state, who, event.condition.casefold()) for who in state.joined(event.targets))
    if not isinstance(event, EffectEnded):
        return False
    name = event.effect.casefold()
    stated = [why for who, own in state.rid_by.items() if who in (event.targets or (who,)) and (why := own.get(name))]
    clauses = ENDED[3:] if is_expiry(event) and all(is_of_turn(state, why) for why in stated) else ENDED
    return any(rule in clauses for why in stated for rule in why.flat().rules)


def is_derived(state: FifthState, who: str, name: str) -> bool:
    """Say whether a combatant has a condition that no record of one began, or had one until this round."""
    fallen, began = state.body(who).fallen, state.clock.round_event
    over = (
        fallen if name == "unconscious" else None,
        state.ended.get((name, who)),
        state.rid_by.get(who, {}).get(name),
    )
    lately = any(why and not state.precedes(max(why.flat().events), began) for why in over)
    flown = name == "flying" and (
        who in state.airborne or any(each.mode == "fly" for each in state.strides.get(who, ()))
    )
    does = (name == "dodging" and who in state.dodging) or (name == "disengaged" and who in state.disengaged)
    return lately or flown or does or carries(state, who, name)


def is_of_turn(state: FifthState, why: Because) -> bool:
    """Say whether something happened in the running turn."""
    return not state.precedes(max(why.flat().events), state.clock.turn_event)


@checks_by(*ENDED[:4], on=EffectEnded)
def effects_end_when_they_do(state: FifthState, fact: Occurrence[EffectEnded]) -> Iterator[Fault]:
    """Yield a fault for an effect recorded to expire before its time, or in a later turn than its end."""
    event = fact.event
    if not is_expiry(event):
        return
    name = fact.called
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
        if rule and not is_of_turn(state, why):
            yield Fault((rule,), f"{name} ended before", "no effect", "expired", found.events)
            return
