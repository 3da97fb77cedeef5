"""Hit points, temporary points, and what becomes of those at 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from eventstore.events import (
    ActionTaken,
    CombatantJoined,
    ConditionGained,
    ConditionLost,
    DamageDealt,
    DiceRolled,
    EffectEnded,
    EffectStarted,
    Healed,
    RulingMade,
    SaveRolled,
    SheetChanged,
    TurnStarted,
)
from projections.because import Because, Cites, Derived
from projections.folds.effects import gain, lose
from projections.folds.vitals import update_status
from projections.mechanics import tallies as marks
from projections.mechanics.conditions import Effect
from projections.mechanics.grants import granted
from projections.mechanics.pools import HP, HP_MAX, TEMP, PoolRules, at_or_below
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import UNCONSCIOUS, exhaustion, fall_prone, told
from projections.rulesets.fifth_edition.dice import kept
from projections.rulesets.fifth_edition.leanings import deed_behind
from projections.rulesets.fifth_edition.state import Blow, Body, FifthState, Rolled
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant
from projections.time import Boundary

STATUSES = {
    "up": "more than 0 hit points",
    "unconscious": "more than 0 hit points, and unconscious",
    "dying": "0 hit points, with death saves to make",
    "stable": "0 hit points, and no death saves to make",
    "down": "0 hit points, and neither character nor monster is said",
    "dead": "dead",
}


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


@derives("zero.unconscious", "zero.monster-dies", "unconscious.falls", "damage.subtracts")
def status(state: FifthState, one: Combatant) -> Derived[str]:  # noqa: PLR0911 – one for each status
    """Return the status of a combatant: death first, then what holds at 0 hit points, then being unconscious."""
    unconscious, monster, falls, above = status.rules
    body = state.body(one.id)
    if body.dead:
        return Derived("dead", body.dead)
    level = exhaustion(state, one.id)
    if level.value >= 6:
        return Derived("dead", level.because)
    at_zero = at_or_below(one.pools[HP], 0, (), state.chosen("hp-floor") if body.fallen else {})
    if not at_zero.value:
        asleep = sleeps(state, one)
        of = (at_zero, *(Derived(one.id, Because(of=each.of)) for each in asleep))
        options = state.chosen("conditions-as-effects") if asleep else {}
        why_asleep = Because((falls,), tuple(each.seq for each in asleep), options, of)
        found = Derived("unconscious", why_asleep) if asleep else None
        woken = (by.get(one.id, {}).get("unconscious") for by in (state.freed_by, state.rid_by))
        back = tuple(Derived(one.id, why) for why in (body.fallen, *woken) if why)
        rules = (*body.why, above) if one.hp == 1 else (above, *body.why)
        return found or Derived("up", Because(rules, (one.joined,), {}, (at_zero, *back)))
    kind, because = kind_of(state, one)
    why = Derived(kind, because)
    if kind == "monster" and state.option("monsters-at-zero") == "die" and not body.stable:
        return Derived("dead", Because((monster,), (), state.chosen("monsters-at-zero"), (at_zero, why)))
    if not kind and not body.stable:
        return Derived("down", Because((unconscious,), (), {}, (at_zero, why)))
    if body.stable:
        return Derived("stable", Because(body.why, (), {}, (body.stable, at_zero)))
    counts = tuple(marks.count(state.tallies, one.id, name) for name in ("successes", "failures"))
    options = state.chosen("monsters-at-zero") if kind == "monster" else {}
    rules, fallen = (*body.why, unconscious), (Derived(one.id, body.fallen),) if body.fallen else ()
    return Derived("dying", Because(rules, (), options, (at_zero, why, *counts, *fallen)))


def sleeps(state: FifthState, one: Combatant) -> list[Effect]:
    """Return the conditions by which somebody is unconscious whatever its hit points are."""
    return [each for each in told(state, one.id) if each.name.casefold() == "unconscious"]


def kind_of(state: FifthState, one: Combatant) -> tuple[str, Because]:
    """Return whether somebody is a character or a monster, by its sheet, a death save, or the option; "" where nobody says."""
    if one.sheet.creature:
        return one.sheet.creature, Because((), one.records("creature"))
    proof = state.body(one.id).character
    if proof:
        return "character", Because((), (proof,), state.chosen("unmarked"))
    chosen = state.option("unmarked")
    return ("" if chosen == "unsaid" else chosen), Because((), one.records("creature"), state.chosen("unmarked"))


# ---------------------------------------------------------------- damage


@derives(
    "zero.massive-damage",
    "zero.knock-out",
    "death-save.damage",
    "stable.state",
    "temp.lost-first",
    "zero.unconscious",
    on=DamageDealt,
)
def damage_is_dealt(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Let damage decide what becomes of somebody at 0 hit points, or brought there."""
    event, lost = fact.event, state.loss
    if event.object or event.amount < 0:
        return
    massive, _, _, _, temp, falls = damage_is_dealt.rules
    one, body = state.combatants[event.target], state.body(event.target)
    before = None if one.hp is None else one.hp + lost.hp
    body.by = ((temp,) if lost.temp else ()) + ("damage.subtracts",)
    blow = blow_of(state, fact)
    if before is None or (one.hp or 0) > 0 or body.dead:
        return
    blow.beyond += max(0, event.amount - lost.temp - max(0, before))
    if before > 0 or blow.fell:
        blow.fell = True
        if knocked_out(state, fact, blow):
            knock_out(state, one, fact.seq)
        elif is_massive(one, blow) and may_die_at_once(state, one):
            one.pools[HP].changes.add_reason(Because((), (), state.chosen("edition") if event.nonlethal else {}))
            die(state, one, Because((massive,), blow.events, state.chosen("edition", "one-source"), points(state, one)))
        elif before > 0:
            options = state.chosen("edition") if is_massive(one, blow) else {}
            falls_to_zero(state, one, Because((falls,), (fact.seq,), options, points(state, one)))
        else:
            part_of_the_blow(state, one, fact.seq)
    elif one.status in UNCONSCIOUS:
        struck_at_zero(state, one, fact, blow)


def points(state: FifthState, one: Combatant) -> tuple[Cites, ...]:
    """Return the points of somebody as reasons, and its temporary ones if a blow took of them."""
    names = (HP, HP_MAX, TEMP) if state.loss.temp else (HP, HP_MAX)
    return tuple(Derived(name, Because(of=(one.pools[name].since(),))) for name in names)


def part_of_the_blow(state: FifthState, one: Combatant, seq: int) -> None:
    """Keep that damage is part of the blow that made somebody fall, and no further one."""
    why = Derived(one.id, Because(("zero.unconscious",), (seq,), state.chosen("one-source"), points(state, one)))
    marks.add_reason(state.tallies, one.id, "failures", why)
    body = state.body(one.id)
    if body.stable:
        body.stable = Because(body.stable.rules, (), {}, (body.stable, why))
    update_status(state, one)


@derives("zero.massive-damage")
def may_die_at_once(state: FifthState, one: Combatant) -> bool:
    """Say whether massive damage kills somebody outright; in 2024 only characters."""
    return not state.is_new or kind_of(state, one)[0] != "monster"


@derives("concentration.each-source", "death-save.damage")
def blow_of(state: FifthState, fact: Occurrence[DamageDealt]) -> Blow:
    """Return the blow that damage is part of, and take it in: by option that of the same cause in the same turn, else its own.

    An effect that hurts is a cause where the records say so.
    """
    target, shared = fact.event.target, (fact.event.target, fact.cause)
    key, turn = (target, fact.seq), state.clock.turn_event
    if state.option("one-source") == "same-cause" and fact.cause and not (fact.implied and fact.cause in state.begun):
        last = state.sources.get(shared, shared)
        key = last if last not in state.blows or state.blows[last].turn == turn else key
        state.sources[shared] = key
    found = state.blows.setdefault(key, Blow(target, (), 0, turn=turn))
    found.events = (*found.events, fact.seq)
    found.amount += fact.event.amount
    state.blow_by[fact.seq] = key
    return found


@derives("zero.knock-out")
def knocked_out(state: FifthState, fact: Occurrence[DamageDealt], blow: Blow) -> bool:
    """Say whether damage knocks somebody out instead: chosen, and not dealt at range; massive damage kills in 2014."""
    chosen = fact.event.nonlethal and not is_shot(state, fact)
    return chosen and (state.is_new or not is_massive(state.combatants[blow.who], blow))


@derives("zero.massive-damage", "death-save.damage")
def is_massive(one: Combatant, blow: Blow) -> bool:
    """Say whether as much damage as somebody's maximum remains beyond 0 hit points."""
    return one.hp_max is not None and blow.beyond >= one.hp_max > 0


def is_shot(state: FifthState, fact: Occurrence[DamageDealt]) -> bool:
    """Say whether damage comes from an attack at range, or from a spell that is no attack in melee."""
    deed = deed_behind(state, fact.cause)
    if deed is None:
        return False
    return bool(deed.manner & {"ranged", "thrown"}) or (deed.kind == "cast" and "melee" not in deed.manner)


def knock_out(state: FifthState, one: Combatant, seq: int) -> None:
    """Knock somebody out: in 2014 stable at 0, in 2024 unconscious at 1 hit point."""
    body, why = state.body(one.id), Because(knocked_out.rules, (seq,), state.chosen("edition"))
    before = Derived(one.hp, Because((), (), {}, (one.pools[HP].since(),)))
    one.pools[HP].put(1 if state.is_new else one.hp, seq, (why, before))
    body.why = knocked_out.rules
    fall_prone(state, one.id, seq, alone=not body.out)
    if state.is_new:
        body.by = knocked_out.rules
        gain(state, one.id, "unconscious", seq).of = (why, before)
        body.out = seq
    else:
        body.stable = why
    update_status(state, one)


def falls_to_zero(state: FifthState, one: Combatant, why: Because) -> None:
    """Let somebody fall to 0 hit points: a monster dies, a character is dying and lies prone."""
    body, (seq,) = state.body(one.id), why.events
    body.why, body.stable, body.fallen = (), None, why
    marks.clear(state.tallies, one.id, Because(why.rules, (seq,), {}, (one.standing,)))
    marks.add_reason(state.tallies, one.id, "failures", Derived(one.id, why))
    update_status(state, one)
    if one.status == "dead":
        body.dead = one.standing.because
    elif one.status == "dying":
        fall_prone(state, one.id, seq, alone=not body.out)


def struck_at_zero(state: FifthState, one: Combatant, fact: Occurrence[DamageDealt], blow: Blow) -> None:
    """Let damage at 0 hit points be a failure, two if critical, or death; it ends being stable."""
    body, rule = state.body(one.id), "death-save.damage"
    absorbed = fact.event.amount <= state.loss.temp
    if not fact.event.amount:
        return
    options = state.chosen("absorbed-damage") if absorbed else {}
    why = Because(
        (), (fact.seq,), state.chosen("one-source", "stable-hit") | options, (one.standing, *points(state, one))
    )
    if absorbed and state.option("absorbed-damage") == "does-not-count":
        marks.add_reason(state.tallies, one.id, "failures", Derived(one.id, why))
        return
    if is_massive(one, blow):
        die(state, one, Because((rule,), blow.events, state.chosen("one-source"), (Derived(one.id, why),)))
        return
    was_stable, body.stable = body.stable, None
    if was_stable:
        marks.clear(state.tallies, one.id, Because(("stable.state",), (fact.seq,), {}, (one.standing,)))
        marks.add_reason(state.tallies, one.id, "successes", Derived(one.id, why))
        body.why = ("stable.state",)
    counts = not was_stable or state.option("stable-hit") == "one-failure"
    if counts and not blow.failed:
        blow.failed = True
        body.why = (*(("stable.state",) if was_stable else ()), rule)
        options |= state.chosen("stable-hit") if was_stable else {}
        options |= state.chosen("one-source") if fact.cause else {}
        critical = critical_behind(state, fact)
        hit = (critical.seq, *(critical.events if critical.told is None else ())) if critical else ()
        options |= state.chosen("within-five") if critical else {}
        spared = points(state, one) if absorbed else ()
        fail(state, one, 2 if critical else 1, Because((rule,), (fact.seq, *hit), options, (one.standing, *spared)))
    else:
        marks.add_reason(state.tallies, one.id, "failures", Derived(one.id, why))
    update_status(state, one)
    if one.status == "dead":
        ended = (Because((), (fact.seq,)),) if was_stable else ()
        body.dead = Because(one.standing.because.rules, (), {}, (one.standing.because, *ended))


def critical_behind(state: FifthState, fact: Occurrence[DamageDealt]) -> Rolled | None:
    """Return the critical hit that damage comes from, as every hit from near at somebody unconscious is; None where it comes of none."""
    deed = deed_behind(state, fact.cause)
    seqs = [fact.cause, *(state.rolls_of.get(deed.seq, ()) if deed else ())]
    rolls = (state.rolled[seq] for seq in seqs if seq in state.rolled)
    return next((each for each in rolls if each.critical and each.target == fact.event.target), None)


def die(state: FifthState, one: Combatant, why: Because) -> None:
    """Let somebody die."""
    body = state.body(one.id)
    body.dead, body.why, body.stable = why, why.rules, None
    marks.add_reason(state.tallies, one.id, "failures", Derived(one.id, why))
    update_status(state, one)


def fail(state: FifthState, one: Combatant, times: int, why: Because) -> None:
    """Count failures of somebody; the third kills."""
    marks.mark(state.tallies, one.id, "failures", why, times)
    count_up(state, one)


@derives("death-save.three")
def count_up(state: FifthState, one: Combatant) -> None:
    """Let the third success make stable, and the third failure kill."""
    body = state.body(one.id)
    made, failed = (marks.count(state.tallies, one.id, name) for name in ("successes", "failures"))
    if failed.value >= 3:
        die(state, one, Because(count_up.rules, (), {}, (failed,)))
    elif made.value >= 3:
        body.stable, body.why = Because(count_up.rules, (), {}, (made,)), count_up.rules
        marks.clear(state.tallies, one.id, body.stable)
    update_status(state, one)


# ---------------------------------------------------------------- healing


@derives("healing.to-maximum", "healing.not-the-dead", "zero.unconscious", "death-save.three", on=Healed)
def somebody_heals(state: FifthState, fact: Occurrence[Healed]) -> None:
    """Let healing bring somebody back from 0 hit points, from death only what revives."""
    event, one = fact.event, state.combatants[fact.event.target]
    if event.temporary or state.rules.repeats(state, fact):
        if event.temporary:
            state.temp_of[one.id] = fact.cause
        return
    maximum, dead, falls, _ = somebody_heals.rules
    body = state.body(one.id)
    body.by = (maximum, "damage.subtracts")
    revived = revives(state, fact)
    if body.dead and not revived.value:
        update_status(state, one)
        stays_as_it_is(state, one)
        return
    if event.amount > 0 and (one.hp or 0) > 0:
        if one.status not in ("up", "unconscious"):
            body.fallen = Because((dead if body.dead else falls,), (fact.seq,), {}, (revived,))
        body.dead, body.stable, body.why = None, None, ()
        marks.clear(state.tallies, one.id, Because((falls,), (fact.seq,), {}, (one.standing,)))
        come_to(state, one, Because((falls,), (fact.seq,)))
    update_status(state, one)


def stays_as_it_is(state: FifthState, one: Combatant) -> None:
    """Keep that healing changes nothing of what somebody has who is dead."""
    for name in ("successes", "failures"):
        marks.add_reason(state.tallies, one.id, name, one.standing)
    for each in state.conditions.values():
        if is_out(state.body(one.id), one, each):
            each.of = (*each.of, one.standing)


@derives("zero.unconscious", "zero.knock-out")
def come_to(state: FifthState, one: Combatant, why: Because) -> None:
    """Let regained hit points end the unconsciousness of 0 hit points or of knocking out; any other lasts."""
    body = state.body(one.id)
    lose(state, [key for key, each in state.conditions.items() if is_out(body, one, each)], why)
    body.out = 0


def is_out(body: Body, one: Combatant, condition: Effect) -> bool:
    """Say whether a condition is the unconsciousness that came of 0 hit points or of knocking out."""
    alike = condition.name.casefold() == "unconscious" and condition.bearer == one.id
    return alike and condition.seq == body.out


@derives("zero.unconscious", on=ConditionGained)
def unconsciousness_is_told(state: FifthState, fact: Occurrence[ConditionGained]) -> None:
    """Keep that unconsciousness told of somebody at 0 hit points, or knocked out, is the one that holds already."""
    if fact.event.condition.casefold() != "unconscious":
        return
    for who in fact.event.targets:
        one = state.combatants.get(who)
        if one and (state.body(who).out or (one.hp is not None and one.hp <= 0)):
            state.body(who).out = fact.seq


@derives("zero.unconscious", on=ConditionLost)
def unconsciousness_is_over(state: FifthState, fact: Occurrence[ConditionLost]) -> None:
    """Forget whose unconsciousness has been told to end."""
    if fact.event.condition.casefold() == "unconscious":
        for who in filter(state.combatants.__contains__, fact.event.targets):
            state.body(who).out = 0


@derives("healing.not-the-dead")
def revives(state: FifthState, fact: Occurrence[Healed]) -> Derived[bool]:
    """Return whether healing brings back the dead: its entry or effect says so, or a ruling."""
    deed, one = deed_behind(state, fact.cause), state.combatants[fact.event.target]
    entry = figures.spell_of(state.combatants[deed.who], deed.action) if deed else None
    begun = state.begun.get(fact.cause)
    attributes = (*(entry.attributes if entry else ()), *(begun.attributes if begun else ()))
    said = any(each.casefold() == "revives" for each in attributes)
    people, events = (one.id, one.side), (fact.seq, fact.cause)
    words = (deed.action.name or "",) if deed else ()
    ruled = granted(state.rulings, revives.rules[0], who=people, event=events, said=words)
    return Derived(True, Because(revives.rules)) if said else ruled


@check("healing.not-the-dead", on=Healed)
def the_dead_are_not_healed(state: FifthState, fact: Occurrence[Healed]) -> Breach | None:
    one = state.combatants[fact.event.target]
    if one.status != "dead" or fact.event.temporary or fact.event.amount <= 0 or revives(state, fact).value:
        return None
    return Breach(f"{one.id} is dead", "no healing", str(fact.event.amount), one.standing.because.flat().events)


@check("healing.to-maximum", on=Healed)
def healing_is_not_below_zero(_state: FifthState, fact: Occurrence[Healed]) -> Breach | None:
    amount = fact.event.amount
    return Breach("healing is never below 0", "0 or more", str(amount)) if amount < 0 else None


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


# ---------------------------------------------------------------- death saves


@derives("death-save.due", at=("turn began", "place passed"))
def death_saves_begin_anew(state: FifthState, turn: Boundary) -> None:
    """Let somebody owe a death save as its turn begins, and those of before count no longer for it."""
    body = state.body(turn.who)
    body.saved, body.turns = (), True
    body.owes = turn.seq if state.combatants[turn.who].status == "dying" and turn.kind == "turn began" else 0


@derives("death-save.due")
def owed(state: FifthState, who: str) -> Derived[str]:
    """Return the death save that somebody owes, or none."""
    body = state.body(who)
    due = bool(body.owes) and not body.saved and state.combatants[who].status == "dying"
    saved = Derived(due, Because((), (*filter(None, (body.owes, *body.saved)),)))
    first = body.owes if due else state.combatants[who].joined
    why = Because(owed.rules, (first,), {}, (state.combatants[who].standing, saved))
    return Derived("death save" if due else "none", why)


@derives("death-save.outcome", "death-save.one-and-twenty", "death-save.three", on=SaveRolled)
def death_save_is_rolled(state: FifthState, fact: Occurrence[SaveRolled]) -> None:
    """Count a death save as a success or a failure, a 1 as two failures, and let a 20 bring back a hit point."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.purpose != "death":
        return
    outcome, special, _ = death_save_is_rolled.rules
    body = state.body(one.id)
    if one.status == "down":
        body.character = fact.seq
        update_status(state, one)
        fall_prone(state, one.id, fact.seq)
    body.saved = (*body.saved, fact.seq)
    made = outcome_of(event)
    if made is None:
        return
    if one.status != "dying":
        marks.add_reason(state.tallies, one.id, "successes" if made else "failures", one.standing)
        return
    shown = kept(event.die) if event.die is not None else 0
    body.why = (special,) if shown in (1, 20) else (outcome,)
    if shown == 20:
        state.twenties[fact.seq] = one.id
        points_back(state, one, fact.seq)
        return
    why = Because(body.why, (fact.seq,), {}, (one.standing,))
    marks.mark(state.tallies, one.id, "successes" if made else "failures", why, 2 if shown == 1 else 1)
    count_up(state, one)


def points_back(state: FifthState, one: Combatant, seq: int) -> None:
    """Let somebody have one hit point again."""
    body, why = state.body(one.id), Because(("death-save.one-and-twenty",), (seq,), {}, (one.standing,))
    one.pools[HP].put(1, seq, (one.standing,))
    body.by, body.fallen = why.rules, why
    marks.clear(state.tallies, one.id, why)
    come_to(state, one, why)
    update_status(state, one)


@derives("death-save.outcome")
def outcome_of(event: SaveRolled) -> bool | None:
    """Return whether a death save succeeds: with 10 or more; a 20 always and a 1 never; without a die as stated."""
    if event.die is None:
        return event.succeeded if event.total is None else event.total >= 10
    shown = kept(event.die)
    return shown == 20 or (shown != 1 and shown + sum(each.amount for each in event.modifiers) >= 10)


def is_told_twice(state: FifthState, fact: Occurrence[Any]) -> bool:
    """Say whether healing of 1 is the point that a death save of 20 has brought back already."""
    return (
        isinstance(fact.event, Healed)
        and fact.event.amount == 1
        and state.twenties.get(fact.cause) == fact.event.target
    )


@checks_by("dead.out", "death-save.due", "death-save.outcome", on=SaveRolled)
def death_saves_are_right(state: FifthState, fact: Occurrence[SaveRolled]) -> Iterator[Fault]:
    """Yield that a death save is not due, or that its outcome is told wrongly; the dead make no saves at all."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    stands = one.standing.because.flat().events
    if one.status == "dead":
        yield Fault(("dead.out",), f"{one.id} is dead", "no save", "a save", stands)
        return
    if event.purpose != "death":
        return
    body, rules = state.body(one.id), ("death-save.due",)
    if one.status not in ("dying", "down") and one.hp is not None:
        yield Fault(rules, f"{one.id} is {one.status}, and owes no death save", "none", "one", stands)
    elif body.saved and body.turns:
        yield Fault(rules, f"{one.id} has made its death save", "none", "another", body.saved)
    yield from wrong_outcome(event)


def wrong_outcome(event: SaveRolled) -> Iterator[Fault]:
    """Yield that a death save is told otherwise than it comes out, or that an ability is added."""
    made, rules = outcome_of(event), ("death-save.outcome",)
    for each in event.modifiers:
        if figures.ability(each.name) and each.amount:
            yield Fault(rules, "no ability is added to a death save", "none", each.name)
            return
    if event.die is not None and made is not None and event.succeeded not in (None, made):
        words = {True: "a success", False: "a failure"}
        yield Fault(rules, f"{kept(event.die)} is {words[made]}", words[made], words[bool(event.succeeded)])


@check("death-save.due", on=TurnStarted)
def death_saves_are_recorded(state: FifthState, _fact: Occurrence[TurnStarted]) -> tuple[Breach, ...]:
    if state.option("missing-facts") == "silent":
        return ()
    owing = [who for who in state.turns.running if who in state.combatants and owed(state, who).value != "none"]
    return tuple(
        Breach(f"{who} owes a death save", "a death save", "none", (state.body(who).owes,), "notice") for who in owing
    )


# ---------------------------------------------------------------- stable


@derives("stable.first-aid", "stable.state", "death-save.three", on=ConditionGained)
def somebody_is_stable(state: FifthState, fact: Occurrence[ConditionGained]) -> None:
    """Let whoever gains the condition be stable, or dead, as it is told."""
    name = fact.event.condition.casefold()
    for who in fact.event.targets:
        one = state.combatants.get(who)
        if one is None or name not in ("stable", "dead"):
            continue
        lose(state, [(fact.seq, who)])
        body = state.body(who)
        if name == "dead":
            die(state, one, Because(("dead.out",), (fact.seq,)))
        elif (one.hp or 0) <= 0 and not body.dead and not body.stable:
            body.stable, body.why = Because(somebody_is_stable.rules[:2], (fact.seq,)), ("stable.state",)
            marks.clear(state.tallies, who, body.stable)
            fall_prone(state, who, fact.seq)
            update_status(state, one)


@derives("stable.first-aid", on=(DiceRolled, ActionTaken))
def first_aid_is_given(state: FifthState, fact: Occurrence[Any]) -> None:
    """Keep whom an act of first aid is for, and let a check of 10 make it stable."""
    event = fact.event
    if isinstance(event, ActionTaken):
        whom = next(iter(event.action.targets), "")
        if event.action.kind.casefold() == "stabilize" and whom in state.combatants:
            state.aid[event.combatant] = fact.seq, whom
        return
    if event.combatant not in state.aid or "medicine" not in (event.purpose or "").casefold():
        return
    seq, whom = state.aid[event.combatant]
    made = state.made.get(fact.seq) if event.dc is not None else (comes(event) or 0) >= 10
    one = state.combatants[whom]
    state.aided[fact.seq] = bool(made)
    state.aided[seq] = bool(made)
    if made and one.status == "dying":
        body = state.body(whom)
        body.stable, body.why = Because(first_aid_is_given.rules, (seq, fact.seq)), first_aid_is_given.rules
        marks.clear(state.tallies, whom, body.stable)
        update_status(state, one)


def comes(event: DiceRolled) -> int | None:
    """Return what a check comes to."""
    return event.total if event.die is None else kept(event.die) + sum(each.amount for each in event.modifiers)


@checks_by("stable.first-aid", "death-save.three", on=ConditionGained)
def being_stable_has_its_reason(state: FifthState, fact: Occurrence[ConditionGained]) -> Iterator[Fault]:
    """Yield that somebody is told to be stable by a check that failed, or by a death save that was not the third."""
    if fact.event.condition.casefold() != "stable":
        return
    if state.aided.get(fact.cause) is False:
        yield Fault(("stable.first-aid",), "the check failed", "DC 10", "less", (fact.cause,))
    for who in fact.event.targets:
        one, saved = state.combatants.get(who), fact.cause in state.made_saves
        if one and saved and one.status == "dying":
            count = marks.count(state.tallies, who, "successes").value
            yield Fault(
                ("death-save.three",), f"{who} has {count} of three successes", "three", str(count), (fact.cause,)
            )


@derives("death-save.three", on=SaveRolled)
def death_save_is_kept(state: FifthState, fact: Occurrence[SaveRolled]) -> None:
    """Keep which saves were death saves, for what names one as its cause."""
    if fact.event.purpose == "death":
        state.made_saves[fact.seq] = fact.event.combatant


# ---------------------------------------------------------------- knocking out


@check("zero.knock-out", on=DamageDealt)
def only_blows_knock_out(state: FifthState, fact: Occurrence[DamageDealt]) -> Breach | None:
    if not fact.event.nonlethal or not is_shot(state, fact):
        return None
    return Breach("only a melee attack knocks out", "melee", "at range", (fact.cause,))
