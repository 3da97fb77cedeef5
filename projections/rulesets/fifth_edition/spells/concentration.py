"""Concentration: what a combatant concentrates on, and what ends it."""

from __future__ import annotations

from typing import Any

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    CombatantLeft,
    ConditionGained,
    DamageDealt,
    EffectStarted,
    Fact,
    RulingMade,
    SaveRolled,
    SheetChanged,
)
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.folds.concentration import let_go
from projections.mechanics.concentration import concentrated, on_effects
from projections.mechanics.dues import lapse
from projections.mechanics.memo import remembered
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import depend_on, is_said
from projections.rulesets.fifth_edition.shapes import Casting, Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant

SAVE = "save for concentration"
NEXT_TURN = "its next turn"


@derives("concentration.holds-effect", "ready.spell", "spell.long-casting")
@remembered
def concentration(state: FifthState, one: Combatant) -> tuple[str, Because]:
    """Return what a combatant concentrates on: an effect, a readied spell or a long casting; "" for nothing."""
    effect, ready, casting = concentration.rules
    held, cast = state.held.get(one.id), state.castings.get(one.id)
    if held and held.spell:
        return held.name, Because((ready,), (held.seq,))
    if cast and cast.broken is None:
        return cast.name, Because((casting,), (cast.seq,))
    found = on_effects(state.effects, state.released, one.id)
    lost = (Derived(one.id, state.released_by[one.id]),) if one.id in state.released_by else ()
    of = (found, *lost, Derived(found.value, Because((), state.source_unstated)))
    options = state.chosen("same-effect") if found.value else {}
    return found.value, Because((effect,), () if found.value else (one.joined,), options, of)


def concentrates(state: FifthState, who: str) -> bool:
    """Say whether a combatant concentrates on anything."""
    held, cast = state.held.get(who), state.castings.get(who)
    return bool((held and held.spell) or (cast and cast.broken is None) or concentrated(state.effects, who))


def stop(state: FifthState, who: str, because: Because, but: int = 0) -> None:
    """End all that a combatant concentrates on, except what this record began."""
    held, cast = state.held.get(who), state.castings.get(who)
    if held and held.spell and held.seq != but:
        del state.held[who]
        state.lapsed[who] = because.flat().events[-1]
        state.released_by[who], state.lost_spell[who] = because, because
    if cast and cast.broken is None:
        state.castings[who] = Casting(cast.seq, cast.name, because)
        state.released_by[who] = because
    let_go(state, who, because + Because(of=(Derived(who, Because((), state.source_unstated)),)), but=but)
    lapse(state.dues, NEXT_TURN, who)


@derives("concentration.holds-effect", on=EffectStarted)
def concentration_is_known(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """Let an effect need concentration if the entry of its spell says so, and derive who concentrates on it."""
    deed = behind_effect(state, fact)
    alone = fact.event.targets[0] if len(fact.event.targets) == 1 else ""
    who = fact.event.source or (deed.who if deed else alone)
    caster = state.combatants.get(who)
    entry = figures.entry_of(caster, fact.event.effect, deed.action.name if deed else None) if caster else None
    if caster and deed and (entry is None or not entry.concentration) and deed.name == fact.event.effect.casefold():
        entry = figures.spell_of(state, caster, deed.action)
    for key in [key for key in state.effects if key[0] == fact.seq]:
        effect = state.effects[key]
        effect.concentration = effect.concentration or bool(entry and entry.concentration)
        if effect.concentration and not effect.source:
            effect.source = who
            state.source_unstated = (*state.source_unstated, *(each.seq for each in state.turn_deeds))


def behind_effect(state: FifthState, fact: Occurrence[EffectStarted]) -> Deed | None:
    """Return the act that began an effect: its cause, or without cause and source the only act of its name in this turn."""
    if fact.cause:
        return state.deeds.get(fact.cause)
    alike = [each for each in state.turn_deeds if each.name == fact.event.effect.casefold()]
    return alike[0] if len(alike) == 1 else None


@derives("concentration.one-at-a-time", on=EffectStarted)
def another_effect_ends_the_first(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """End concentration on one effect as another begins that is of another cause."""
    begun = (each for key, each in state.effects.items() if key[0] == fact.seq)
    who = next((each.source for each in begun if each.concentration), "")
    state.caused[fact.seq] = cause = fact.cause or fact.seq
    same = [key for key in concentrated(state.effects, who, fact.seq) if state.caused.get(key[0]) == cause]
    for each in [state.effects[key] for key in same]:
        each.of = (*each.of, Derived(who, Because((), (cause,))))
    if who and not same:
        act = None if fact.cause or fact.event.source else behind_effect(state, fact)
        because = Because(another_effect_ends_the_first.rules, (*((act.seq,) if act else ()), fact.seq))
        cast = state.castings.get(who)
        if cast and cast.seq == fact.cause:
            del state.castings[who]
        stop(state, who, because, fact.seq)


@derives("concentration.one-at-a-time", "ready.spell", "spell.long-casting", on=(ActionTaken, ActionHeld))
def casting_ends_the_first(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld]) -> None:
    """End concentration as a spell is readied, as a long casting begins, and in 2024 as a spell that needs it is cast."""
    event, who = fact.event, fact.event.combatant
    action = event.action
    if action is None or action.kind.casefold() != "cast":
        return
    one, ready, long = casting_ends_the_first.rules
    entry, name = figures.spell_of(state, state.combatants[who], action), spell_name(action)
    if isinstance(event, ActionHeld):
        stop(state, who, Because((one, ready), (fact.seq,)), fact.seq)
    elif is_long(state, action.time if action.time is not None else entry.time if entry else None):
        same = state.castings.get(who)
        if not (same and same.broken is None and same.name.casefold() == name.casefold()):
            stop(state, who, Because((one, long), (fact.seq,)), fact.seq)
            state.castings[who] = Casting(fact.seq, name)
    elif entry and entry.concentration:
        if state.is_new:
            stop(state, who, Because((one,), (fact.seq,), state.chosen("edition")), fact.seq)
        else:
            depend_on([state.effects[key] for key in concentrated(state.effects, who)], state.chosen("edition"))


def spell_name(action: Action) -> str:
    """Return what a spell is called whose casting lasts."""
    return action.name or "a spell"


def is_long(state: FifthState, time: Any) -> bool:
    """Say whether a casting time is a minute or more."""
    return time is not None and state.rules.calendar.whole(time, "second") >= 60


@derives(
    "concentration.incapacitated",
    on=(DamageDealt, ConditionGained, EffectStarted, SaveRolled, CombatantLeft, RulingMade, SheetChanged),
)
def the_incapacitated_let_go(state: FifthState, fact: Occurrence[Fact]) -> None:
    """End the concentration of combatants that are incapacitated, dead, at 0 hit points, or gone."""
    for one in [one for one in state.combatants.values() if concentrates(state, one.id)]:
        found = is_said(state, one.id, "no_concentration")
        if found.value or one.left or one.status in ("dead", "down"):
            stop(state, one.id, Because(the_incapacitated_let_go.rules, (fact.seq,), {}, (found,)))
