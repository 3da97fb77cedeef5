"""Effects and conditions that run out, are renewed, or depend on a combatant's concentration."""

from msgspec import structs

from eventstore.events import CombatantLeft, EffectStarted
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.folds.concentration import concentration_of, end_previous, release
from projections.folds.durations import earlier_effects, renew_effect
from projections.folds.effects import EFFECTS, effect_names, keep_reason_of_staying
from projections.mechanics.conditions import Effect, effects_held
from projections.mechanics.memo import memoize
from projections.mechanics.timers import Timer
from projections.occurrence import Occurrence
from projections.ruleset.durations import timer_of_bearer
from projections.ruleset.ruleset import derives
from projections.rulesets.plain.state import PlainState


@derives("effect.renewed", on=EffectStarted)
def end_renewed_effect(state: PlainState, fact: Occurrence[EffectStarted]) -> None:
    """End an effect of the same name on the same bearer when a new one begins, by option."""
    if not (before := earlier_effects(state, fact)):
        return
    if state.option("same-effect") == "stacks":
        keep_reason_of_staying(state, before, Because(end_renewed_effect.rules))
    else:
        renew_effect(state, fact, Because(end_renewed_effect.rules, (fact.seq,)))


@derives("concentration.one-at-a-time", on=EffectStarted)
def end_former_concentration(state: PlainState, fact: Occurrence[EffectStarted]) -> None:
    """End the effect on which the source concentrated before, with its children, by option."""
    before = effects_held(state.effects, fact.event.source, but=fact.seq) if fact.event.concentration else ()
    if before and state.option("concentration") == "any":
        keep_reason_of_staying(state, before, Because(end_former_concentration.rules))
    elif before:
        end_previous(state, fact, Because(end_former_concentration.rules, (fact.seq,)))


@derives("concentration.one-at-a-time", on=CombatantLeft, phase="consequences")
def end_concentration_of_leaver(state: PlainState, fact: Occurrence[CombatantLeft]) -> None:
    """End the effect on which a leaving combatant concentrated, with its children."""
    release(state, fact.event.combatant, Because(end_concentration_of_leaver.rules, (fact.seq,)))


@derives("effect.runs-out")
def effect_timer(state: PlainState, effect: Effect, said: Duration) -> Timer:
    """Count a duration on the turns that it names, else on its bearer's or its source's."""
    return timer_of_bearer(state, effect, said)


@derives("concentration.one-at-a-time")
@memoize
def concentration_object(state: PlainState, one: Combatant) -> tuple[str, Because]:
    """Return the effect on which a combatant concentrates."""
    return concentration_of(state, one, concentration_object.rules)


@derives("effect.renewed")
def counting_effects(state: PlainState, who: str) -> Derived[list[str]]:
    """Return the effects on a combatant; of several of a name, or a renewed one, the deciding option is cited."""
    found = effect_names(state, who)
    names = [name.casefold() for name in found.value]
    if len(set(names)) < len(names):
        return Derived(found.value, Because(counting_effects.rules, (), (found,)))
    ended = state.rid_by.get(who, {})
    renewed = tuple(ended[name] for name in names if name in ended and "effect.renewed" in ended[name].rules)
    return Derived(found.value, Because((), (), (*renewed, found)))


ADDRESSES = (structs.replace(EFFECTS, read=counting_effects),)
