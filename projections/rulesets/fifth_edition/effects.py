"""Effects and conditions that last: whose turns count them, the same one twice, dismissing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import AttackRolled, DiceRolled, EffectEnded, EffectStarted, SaveRolled
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.folds.durations import renew
from projections.folds.effects import effect_names
from projections.mechanics.conditions import Effect
from projections.mechanics.durations import Timer, from_whom, timer_on_turns
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.conditions import acts_not, depend_on, events_of
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives


@derives("duration.runs-out", "duration.until-turn", "round.six-seconds")
def timer(state: FifthState, effect: Effect, said: Duration) -> Timer:
    """Return the timer of a duration: it counts the turns that the duration names, else by option those of whom it comes from or its bearer."""
    whose = (effect.bearer, effect.source)
    if state.option("duration-of") == "originator" and not said.of:
        whose = (from_whom(state, effect), effect.bearer)
    at = said.at or state.option("duration-at")
    counted = Duration(amount=said.amount, unit=said.unit, of=said.of, at=at)
    found = timer_on_turns(effect, counted, *whose)
    runs = found.owner in (state.clock.turn, *state.clock.together)
    found.skip = int(found.at == "end" and runs and said.amount > 0)
    options = {} if said.of else state.chosen("duration-of")
    options |= {} if said.at else state.chosen("duration-at")
    turns = (state.clock.turn_event, state.clock.round_event, state.began.get(found.owner))
    effect.of = (*effect.of, Derived(found.owner, Because((), (*filter(None, turns),), options)))
    return found


@derives("effect.same-spell", on=EffectStarted)
def one_renews_another(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """Replace an effect by another of its name on the same bearer, by option."""
    if state.option("same-effect") == "renews":
        why = Because(one_renews_another.rules, (fact.seq,), state.chosen("same-effect"))
        renew(state, fact, why)
        for effect in (effect for key, effect in state.effects.items() if key[0] == fact.seq):
            effect.of = (*effect.of, Derived(effect.name, why))
    else:
        named = [each for each in state.effects.values() if each.name.casefold() == fact.event.effect.casefold()]
        before = (each for each in named if each.bearer in fact.event.targets and each.seq != fact.seq)
        depend_on(before, state.chosen("same-effect"))


@derives("effect.same-spell")
def names_of_effects(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the names of the effects on a combatant; of several with one name only one counts, though all of them run."""
    found = effect_names(state, who)
    once: dict[str, str] = {}
    for name in found.value:
        once.setdefault(name.casefold(), name)
    if len(once) == len(found.value):
        return found
    return Derived([*once.values()], Because(names_of_effects.rules, (), state.chosen("same-effect"), (found,)))


def bare(state: FifthState, who: str) -> list[str]:
    """Return the names of the effects on a combatant without the reason."""
    return [*{each.name.casefold(): each.name for each in state.effects.values() if each.bearer == who}.values()]


@checks_by("effect.same-spell", on=(AttackRolled, SaveRolled, DiceRolled))
def one_spell_counts_once(state: FifthState, fact: Occurrence[Any]) -> Iterator[Fault]:
    """Yield that a roll has two modifiers of one effect."""
    who = fact.event.combatant
    borne = {e.name.casefold() for e in state.effects.values() if e.bearer == who}
    names = [each.name.casefold() for each in fact.event.modifiers]
    for name in dict.fromkeys(names):
        if names.count(name) > 1 and name in borne:
            why = tuple(e.seq for e in state.effects.values() if e.bearer == who and e.name.casefold() == name)
            yield Fault(("effect.same-spell",), f"{name} counts once", "one", str(names.count(name)), why)


@check("duration.dismiss", on=EffectEnded)
def the_incapacitated_dismiss_nothing(state: FifthState, fact: Occurrence[EffectEnded]) -> Breach | None:
    event = fact.event
    if not state.is_new or not (event.reason or "").strip().casefold().startswith("dismiss"):
        return None
    named = [e for e in state.effects.values() if e.name.casefold() == event.effect.casefold()]
    who = event.source or next((e.source or e.bearer for e in named), "")
    found = acts_not(state, who)
    if not found.value:
        return None
    return Breach(f"{who} is incapacitated", "no dismissing", "dismissed", events_of(found))
