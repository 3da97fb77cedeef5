"""Concentration: on what somebody concentrates, what asks for a save, and what ends it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    AttackRolled,
    CombatantLeft,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    DiceRolled,
    EffectEnded,
    EffectStarted,
    SaveRolled,
    TimePassed,
    TurnStarted,
)
from projections.because import Because, Derived
from projections.folds.concentration import let_go
from projections.folds.durations import still_runs
from projections.folds.vitals import update_status
from projections.mechanics.concentration import concentrated, on_effects
from projections.mechanics.dues import Due, lapse, outstanding, owe, owed
from projections.mechanics.memo import remembered
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import acts_not
from projections.rulesets.fifth_edition.health.status import sleeps
from projections.rulesets.fifth_edition.rolls.totals import comes_to
from projections.rulesets.fifth_edition.state import Casting, Deed, FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant
from projections.time import Boundary

SAVE = "save for concentration"


@derives("concentration.holds-effect", "ready.spell", "spell.long-casting")
@remembered
def concentration(state: FifthState, one: Combatant) -> tuple[str, Because]:
    """Return what somebody concentrates on: an effect, a spell held ready, or a long casting; "" for nothing."""
    effect, ready, casting = concentration.rules
    held, cast = state.held.get(one.id), state.castings.get(one.id)
    if held and held.spell:
        return held.name, Because((ready,), (held.seq,))
    if cast and cast.broken is None:
        return cast.name, Because((casting,), (cast.seq,))
    found = on_effects(state.effects, state.released, one.id)
    let = (Derived(one.id, state.let[one.id]),) if one.id in state.let else ()
    rests = (found, *let, Derived(found.value, Because((), state.unsaid)))
    options = state.chosen("same-effect") if found.value else {}
    return found.value, Because((effect,), () if found.value else (one.joined,), options, rests)


def concentrates(state: FifthState, who: str) -> bool:
    """Say whether somebody concentrates on anything."""
    held, cast = state.held.get(who), state.castings.get(who)
    return bool((held and held.spell) or (cast and cast.broken is None) or concentrated(state.effects, who))


def stop(state: FifthState, who: str, because: Because, but: int = 0) -> None:
    """End all that somebody concentrates on, except what a record begins."""
    held, cast = state.held.get(who), state.castings.get(who)
    if held and held.spell and held.seq != but:
        del state.held[who]
        state.lapsed[who] = because.flat().events[-1]
        state.let[who], state.lost_spell[who] = because, because
    if cast and cast.broken is None and cast.seq != but:
        state.castings[who] = Casting(cast.seq, cast.name, because)
        state.let[who] = because
    let_go(state, who, because, but=but)
    lapse(state.dues, SAVE, who)


@derives("concentration.holds-effect", on=EffectStarted)
def concentration_is_known(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """Let an effect need concentration where its entry, or that of its cast, says so; and know who concentrates on it."""
    deed = behind_effect(state, fact)
    who = fact.event.source or (
        deed.who if deed else next(iter(fact.event.targets), "") if len(fact.event.targets) == 1 else ""
    )
    caster = state.combatants.get(who)
    entry = figures.entry_of(caster, fact.event.effect, deed.action.name if deed else None) if caster else None
    for key in [key for key in state.effects if key[0] == fact.seq]:
        effect = state.effects[key]
        effect.concentration = effect.concentration or bool(entry and entry.concentration)
        if effect.concentration and not effect.source:
            effect.source = who
            state.unsaid = (*state.unsaid, *(each.seq for each in state.turn_deeds))


def behind_effect(state: FifthState, fact: Occurrence[EffectStarted]) -> Deed | None:
    """Return the act that an effect came of: its cause, else, if nobody is named as its source, the only one of its name in this turn."""
    if fact.cause or fact.event.source:
        return state.deeds.get(fact.cause)
    alike = [each for each in state.turn_deeds if (each.action.name or "").casefold() == fact.event.effect.casefold()]
    return alike[0] if len(alike) == 1 else None


@derives("concentration.one-at-a-time", on=EffectStarted)
def another_effect_ends_the_first(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """End what somebody concentrated on before, as another such effect begins."""
    begun = next((each for key, each in state.effects.items() if key[0] == fact.seq), None)
    if begun and begun.concentration and begun.source:
        because = Because(another_effect_ends_the_first.rules, (fact.seq,))
        cast = state.castings.get(begun.source)
        if cast and cast.seq == fact.cause:
            del state.castings[begun.source]
        stop(state, begun.source, because, fact.seq)
        if fact.event.parent is None:
            return


@derives("concentration.one-at-a-time", "ready.spell", "spell.long-casting", on=(ActionTaken, ActionHeld))
def casting_ends_the_first(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld]) -> None:
    """End concentration as a spell is readied, as a long casting begins, and in 2024 as a spell that needs it is cast."""
    event, who = fact.event, fact.event.combatant
    action = event.action
    if action is None or action.kind.casefold() != "cast":
        return
    one, ready, long = casting_ends_the_first.rules
    entry, name = figures.spell_of(state.combatants[who], action), action.name or "a spell"
    if isinstance(event, ActionHeld):
        stop(state, who, Because((one, ready), (fact.seq,)), fact.seq)
    elif is_long(state, action.time if action.time is not None else entry.time if entry else None):
        same = state.castings.get(who)
        if not (same and same.broken is None and same.name.casefold() == name.casefold()):
            stop(state, who, Because((one, long), (fact.seq,)), fact.seq)
            state.castings[who] = Casting(fact.seq, name)
    elif state.is_new and entry and entry.concentration and action.cost != "held":
        stop(state, who, Because((one,), (fact.seq,), state.chosen("edition")), fact.seq)


def is_long(state: FifthState, time: Any) -> bool:
    """Say whether a casting time is a minute or more."""
    return time is not None and state.rules.calendar.whole(time, "second") >= 60


@derives("concentration.incapacitated", on=(DamageDealt, ConditionGained, EffectStarted, SaveRolled, CombatantLeft))
def the_incapacitated_let_go(state: FifthState, fact: Occurrence[Any]) -> None:
    """End the concentration of whoever is incapacitated, dead, at 0 hit points, or gone."""
    rule = the_incapacitated_let_go.rules
    for one in list(state.combatants.values()):
        if not concentrates(state, one.id):
            continue
        down = one.status in ("dead", "down", "dying", "stable") or bool(one.left)
        found = acts_not(state, one.id)
        if down or found.value:
            stop(state, one.id, Because(rule, (fact.seq,), {}, (one.standing if down else found,)))


# ---------------------------------------------------------------- the save


@derives("concentration.damage-save", "concentration.each-source", on=DamageDealt)
def damage_asks_for_a_save(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Let whoever takes damage while concentrating owe a save, one for each source."""
    event, who = fact.event, fact.event.target
    absorbed = event.amount <= state.loss.temp and state.option("absorbed-damage") == "does-not-count"
    if event.object or event.amount <= 0 or absorbed or not concentrates(state, who):
        return
    key = state.blow_by.get(fact.seq, (who, fact.seq))
    options = state.chosen("absorbed-damage") if event.amount <= state.loss.temp else {}
    why = Because(damage_asks_for_a_save.rules, (fact.seq,), options)
    owe(state.dues, Due(who, SAVE, SAVE, why, key[1]))


def due_for(state: FifthState, fact: Occurrence[SaveRolled]) -> Due | None:
    """Return the save that a record answers: that for the damage which it names, else the oldest of the DC that it states, else the oldest."""
    who = fact.event.combatant
    key = state.blow_by.get(fact.cause, (who, fact.cause))[1]
    own = list(owed(state.dues, SAVE, who))
    named = [due for due in own if due.about == key]
    alike = [due for due in own if (found := dc(state, who, due.about)) and found.value == fact.event.dc]
    return next(iter((*named, *alike, *own)), None)


@derives("concentration.dc")
def dc(state: FifthState, who: str, about: int) -> Derived[int] | None:
    """Return the DC of a save: 10 or half the damage of its source, in 2024 30 at most."""
    blow = state.blows.get((who, about))
    if blow is None:
        return None
    found = max(10, blow.amount // 2)
    return Derived(
        min(30, found) if state.is_new else found, Because(dc.rules, blow.events, state.chosen("edition", "one-source"))
    )


@derives("concentration.damage-save")
def is_the_save(state: FifthState, fact: Occurrence[SaveRolled]) -> bool:
    """Say whether a save is one for concentration: by its purpose, or as the damage is its cause."""
    event = fact.event
    if event.purpose == "concentration":
        return True
    return (
        figures.ability(event.save) == "constitution"
        and event.purpose is None
        and fact.cause in state.blow_by
        and not fact.implied
    )


def made(state: FifthState, fact: Occurrence[SaveRolled]) -> tuple[bool | None, Derived[int] | None]:
    """Return whether a save for concentration is made, and its DC, where the damage is known."""
    event, comes = fact.event, comes_to(state, fact.event)
    due = due_for(state, fact)
    about = due.about if due else state.blow_by.get(fact.cause, ("", 0))[1]
    found = dc(state, event.combatant, about)
    needed = found.value if found else event.dc if event.dc is not None else 10
    return (event.succeeded if comes is None else comes >= needed), found


@derives("concentration.damage-save", "concentration.dc", on=SaveRolled)
def a_failed_save_ends_it(state: FifthState, fact: Occurrence[SaveRolled]) -> None:
    """End the concentration of whoever fails its save."""
    who = fact.event.combatant
    if not is_the_save(state, fact):
        return
    good, found = made(state, fact)
    due = due_for(state, fact)
    if due:
        state.dues.pop((due.who, due.what, due.about), None)
        state.kept_up[who] = (*state.kept_up.get(who, ()), fact.seq)
    if good is False:
        of = (Derived(who, due.because),) if due else ()
        stop(state, who, Because(a_failed_save_ends_it.rules[:1], (fact.seq,), {}, (*of, *((found,) if found else ()))))
    elif found:
        for key in concentrated(state.effects, who):
            state.effects[key].of = (*state.effects[key].of, Derived(good, Because((), (fact.seq,), {}, (found,))))


@checks_by("concentration.dc", "save.total", on=SaveRolled)
def the_dc_is_right(state: FifthState, fact: Occurrence[SaveRolled]) -> Iterator[Fault]:
    """Yield that a save for concentration is told against another DC, or that its outcome is told wrongly."""
    event = fact.event
    if not is_the_save(state, fact):
        return
    good, found = made(state, fact)
    words = {True: "made", False: "failed"}
    if found and event.dc is not None and event.dc != found.value:
        yield Fault(
            ("concentration.dc",),
            f"half the damage, at least 10, is DC {found.value}",
            str(found.value),
            str(event.dc),
            found.because.events,
        )
    elif good is not None and event.succeeded not in (None, good):
        rule = "concentration.dc" if found and event.dc is None else "save.total"
        why = found.because.events if found and event.dc is None else (fact.seq,)
        yield Fault((rule,), f"the save is {words[good]}", words[good], words[bool(event.succeeded)], why)


@check("concentration.damage-save", on=TurnStarted)
def saves_are_recorded(state: FifthState, fact: Occurrence[TurnStarted]) -> tuple[Breach, ...]:
    if state.option("missing-facts") == "silent":
        return ()
    found = outstanding(state.dues, SAVE, fact.event.combatant)
    return tuple(Breach(f"{due.who} owes a save", "a save", "none", (due.about,), "notice") for due in found)


@derives("concentration.damage-save", at="turn began")
def saves_lapse(state: FifthState, turn: Boundary) -> None:
    """Let the saves lapse that somebody did not make before its turn."""
    if lapse(state.dues, SAVE, turn.who):
        state.kept_up[turn.who] = (turn.seq,)


def due_saves(state: FifthState, who: str) -> Derived[list[str]]:
    """Return the DCs of the saves that somebody owes."""
    found = [(due, dc(state, who, due.about)) for due in owed(state.dues, SAVE, who)]
    one, dcs = state.combatants[who], [f"DC {each.value}" if each else "DC 10" for _, each in found]
    why = tuple(cites for due, each in found for cites in (due.because, *((each,) if each else ())))
    rests = Derived(dcs, Because((), state.kept_up.get(who, ()), {}, (concentration(state, one)[1],)))
    return Derived(dcs, Because(("concentration.dc",), (one.joined,), {}, (*why, rests)))


# ---------------------------------------------------------------- waking up


@derives(
    "unconscious.falls",
    on=(
        ActionTaken,
        ActionHeld,
        CombatantLeft,
        ConditionGained,
        ConditionLost,
        DamageDealt,
        EffectEnded,
        EffectStarted,
        SaveRolled,
        TimePassed,
    ),
    at=("turn began", "turn resumed", "turn ended", "place passed", "round closed", "round opened"),
)
def sleepers_wake(state: FifthState, _fact: Occurrence[Any] | Boundary) -> None:
    """Derive the status of whoever was unconscious anew, once what made it so has run out or ended."""
    for one in state.combatants.values():
        if one.status == "unconscious" and not sleeps(state, one):
            update_status(state, one)


# ---------------------------------------------------------------- what ended, and is used all the same

ENDED = (
    "concentration.one-at-a-time",
    "concentration.damage-save",
    "concentration.incapacitated",
    "duration.runs-out",
    "concentration.holds-effect",
)


@checks_by(*ENDED, on=(AttackRolled, SaveRolled, DiceRolled, DamageDealt))
def what_has_ended_is_not_used(state: FifthState, fact: Occurrence[Any]) -> Iterator[Fault]:
    """Yield that a roll names an effect that has ended, or that damage or a save comes of one, by what ended it."""
    event = fact.event
    who = getattr(event, "combatant", None) or getattr(event, "target", None) or ""
    for each in getattr(event, "modifiers", ()):
        name = each.name.casefold()
        if any(e.bearer == who and e.name.casefold() == name for e in state.effects.values()):
            continue
        if why := state.rid_by.get(who, {}).get(name):
            yield from used(state, name, why)
    begun = state.begun.get(fact.cause)
    if begun and not fact.implied and not any(key[0] == fact.cause for key in state.effects):
        name = begun.effect.casefold()
        gone = next(
            (own[name] for own in state.rid_by.values() if name in own and fact.cause in own[name].flat().events), None
        )
        if gone:
            yield from used(state, name, gone)


def used(state: FifthState, name: str, why: Because) -> Iterator[Fault]:
    """Yield that an effect has ended, by what ended it; one that was only told to end, if it needed concentration."""
    found = why.flat()
    needed = any(state.begun[seq].concentration for seq in found.events if seq in state.begun)
    rule = next((rule for rule in found.rules if rule in ENDED), ENDED[-1] if needed else "")
    if rule:
        yield Fault((rule,), f"{name} has ended", "no effect", name, why.own().events)


def ended_before(state: FifthState, event: Any) -> bool:
    """Say whether an effect that is told to end has been ended by a clause of this game."""
    if not isinstance(event, EffectEnded):
        return False
    name = event.effect.casefold()
    told = [why for who, own in state.rid_by.items() if who in (event.targets or (who,)) and (why := own.get(name))]
    return any(rule in ENDED for why in told for rule in why.flat().rules)


@checks_by(*ENDED[:4], on=EffectEnded)
def effects_end_when_they_do(state: FifthState, fact: Occurrence[EffectEnded]) -> Iterator[Fault]:
    """Yield that an effect is told to expire before its time, or long after it has ended."""
    event = fact.event
    if not (event.reason or "").strip().casefold().startswith("expired"):
        return
    name = event.effect.casefold()
    if running := still_runs(state, event):
        says = f"{running.name} has time left"
        yield Fault(("duration.runs-out",), says, f"{running.left} left", "expired", (running.seq, *running.ticked_by))
        return
    for bearer in event.targets or [who for who in state.rid_by if name in state.rid_by[who]]:
        why = state.rid_by.get(bearer, {}).get(name)
        if why is None or any(e.bearer == bearer and e.name.casefold() == name for e in state.effects.values()):
            continue
        found = why.flat()
        rule = next((rule for rule in found.rules if rule in ENDED[:3]), "")
        if rule and state.clock.turn_event and state.precedes(max(found.events), state.clock.turn_event):
            yield Fault((rule,), f"{name} ended before", "no effect", "expired", found.events)
            return
