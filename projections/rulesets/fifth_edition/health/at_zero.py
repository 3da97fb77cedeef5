"""Damage that brings a combatant to 0 hit points, or hits one that is there: dying, massive damage, failures."""

from __future__ import annotations

from eventstore.events import DamageDealt
from projections.because import Because, Derived
from projections.folds.vitals import update_status
from projections.mechanics import tallies as marks
from projections.mechanics.pools import HP
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.attacks.circumstances import roll_behind
from projections.rulesets.fifth_edition.conditions import UNCONSCIOUS, fall_prone
from projections.rulesets.fifth_edition.health.dying import add_failures, die, is_massive, points
from projections.rulesets.fifth_edition.health.knocking_out import is_knocked_out, knock_out
from projections.rulesets.fifth_edition.health.status import kind_of
from projections.rulesets.fifth_edition.shapes import Blow, Rolled
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives
from projections.state import Combatant


@derives(
    "zero.massive-damage", "zero.knock-out", "death-save.damage", "stable.state", "temp.lost-first", "zero.unconscious",
    on=DamageDealt,
)  # fmt: skip
def damage_is_dealt(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Let damage bring a combatant to 0 hit points, knock it out, kill it, or count as failed death saves."""
    event, lost = fact.event, state.loss
    if event.object or event.amount <= 0:
        return
    massive, _, _, _, temp, falls = damage_is_dealt.rules
    one, body = state.combatants[event.target], state.body(event.target)
    body.by = ((temp,) if lost.temp else ()) + ("damage.subtracts",)
    blow = blow_of(state, fact)
    if one.hp is None or one.hp > 0 or body.dead:
        return
    before = one.hp + lost.hp
    blow.beyond += event.amount - lost.temp - max(0, before)
    if before > 0 or blow.fell:
        blow.fell = True
        if is_knocked_out(state, fact, blow):
            knock_out(state, one, fact.seq)
        elif is_massive(one, blow) and may_die_at_once(state, one):
            one.pools[HP].changes.add_reason(Because((), (), state.chosen("edition") if event.nonlethal else {}))
            die(state, one, Because((massive,), blow.events, state.chosen("edition", "one-source"), points(one)))
        elif before > 0:
            options = state.chosen("edition") if is_massive(one, blow) else {}
            falls_to_zero(state, one, Because((falls,), (fact.seq,), options, points(one)))
        else:
            note_same_blow(state, one, fact.seq)
    elif one.status in UNCONSCIOUS:
        hit_at_zero(state, one, fact, blow)


def note_same_blow(state: FifthState, one: Combatant, seq: int) -> None:
    """Keep that damage is part of the blow that brought a combatant to 0 hit points, and no failed death save."""
    why = Derived(one.id, Because(("zero.unconscious",), (seq,), state.chosen("one-source"), points(one)))
    marks.add_reason(state.tallies, one.id, "failures", why)
    body = state.body(one.id)
    if body.stable:
        body.stable = Because(body.stable.rules, (), {}, (body.stable, why))
    update_status(state, one)


@derives("zero.massive-damage")
def may_die_at_once(state: FifthState, one: Combatant) -> bool:
    """Say whether massive damage kills a combatant outright; in 2024 only a character."""
    return not state.is_new or kind_of(state, one)[0] != "monster"


@derives("concentration.each-source", "death-save.damage")
def blow_of(state: FifthState, fact: Occurrence[DamageDealt]) -> Blow:
    """Return the blow that damage is part of, with this damage added.

    Damage of one cause in one turn is one blow by option, else each damage is a blow of its own. An effect is such a cause
    only if the damage names it. What an act deals after a further attack roll of it at the target is another blow.
    """
    target, shared, apart = fact.event.target, (fact.event.target, fact.cause), tuple[int, ...]()
    key, turn = (target, fact.seq), state.clock.turn_event
    if state.option("one-source") == "same-cause" and fact.cause and not (fact.implied and fact.cause in state.begun):
        last = state.sources.get(shared, shared)
        apart = struck_again(state, state.blows[last], fact) if last in state.blows else ()
        key = last if last not in state.blows or (state.blows[last].turn == turn and not apart) else key
        state.sources[shared] = key
    found = state.blows.setdefault(key, Blow(target, apart, 0, turn=turn))
    found.events = (*found.events, fact.seq)
    found.amount += fact.event.amount
    state.blow_by[fact.seq] = key
    return found


def struck_again(state: FifthState, blow: Blow, fact: Occurrence[DamageDealt]) -> tuple[int, ...]:
    """Return the last attack roll of the act behind damage that came at its target after a blow of that act, if there is one."""
    rolls = (state.rolled[seq] for seq in reversed(state.rolls_of.get(fact.cause, ())))
    last = next((each.seq for each in rolls if each.target == blow.who), 0)
    return (last,) if last and state.precedes(blow.events[-1], last) else ()


def falls_to_zero(state: FifthState, one: Combatant, why: Because) -> None:
    """Let a combatant fall to 0 hit points: a monster dies, a character is dying and falls prone."""
    body, (seq,) = state.body(one.id), why.events
    body.why, body.stable, body.fallen = (), None, why
    marks.clear(state.tallies, one.id, Because(why.rules, (seq,), {}, (one.standing,)))
    marks.add_reason(state.tallies, one.id, "failures", Derived(one.id, why))
    update_status(state, one)
    body.fallen = why + Because((), (), one.standing.because.flat().options)
    if one.status == "dead":
        body.dead = one.standing.because
    elif one.status == "dying":
        fall_prone(state, one.id, seq)


def hit_at_zero(state: FifthState, one: Combatant, fact: Occurrence[DamageDealt], blow: Blow) -> None:
    """Count damage to a combatant at 0 hit points as a failed death save, as two by a critical hit.

    Massive damage kills instead. A stable combatant has death saves to make again; by option this is all that the damage does.
    By option damage that temporary hit points absorb does nothing.
    """
    body, absorbed = state.body(one.id), fact.event.amount <= state.loss.temp
    options = state.chosen("absorbed-damage") if absorbed else {}
    chosen = state.chosen("one-source", "stable-hit") | options
    why = Derived(one.id, Because((), (fact.seq,), chosen, (one.standing, *points(one))))
    if absorbed and state.option("absorbed-damage") == "does-not-count":
        marks.add_reason(state.tallies, one.id, "failures", why)
        return
    if is_massive(one, blow):
        die(state, one, Because(("death-save.damage",), blow.events, state.chosen("one-source"), (why,)))
        return
    was_stable = stable_ends(state, one, fact.seq, why)
    if blow.failed or (was_stable and state.option("stable-hit") != "one-failure"):
        marks.add_reason(state.tallies, one.id, "failures", why)
    else:
        blow.failed = True
        body.why = (*(("stable.state",) if was_stable else ()), "death-save.damage")
        options |= state.chosen("stable-hit") if was_stable else {}
        fail_by_damage(state, one, fact, Because((), (), options, points(one)))
    update_status(state, one)
    if one.status == "dead":
        body.dead = Because(one.standing.because.rules, (fact.seq,), {}, (one.standing.because,))


def stable_ends(state: FifthState, one: Combatant, seq: int, why: Derived[str]) -> bool:
    """End being stable by damage, and return whether the combatant was stable."""
    body = state.body(one.id)
    if not body.stable:
        return False
    body.stable, body.why = None, ("stable.state",)
    marks.clear(state.tallies, one.id, Because(("stable.state",), (seq,), {}, (one.standing,)))
    marks.add_reason(state.tallies, one.id, "successes", why)
    return True


def fail_by_damage(state: FifthState, one: Combatant, fact: Occurrence[DamageDealt], besides: Because) -> None:
    """Count damage as a failed death save, as two by a critical hit, with further reasons."""
    critical = critical_behind(state, fact)
    hit = (critical.seq, *(critical.events if critical.stated is None else ())) if critical else ()
    options = besides.options | (state.chosen("one-source") if fact.cause else {})
    options |= state.chosen("within-five") if critical else {}
    why = Because(("death-save.damage",), (fact.seq, *hit), options, (one.standing, *besides.of))
    add_failures(state, one, 2 if critical else 1, why)


def critical_behind(state: FifthState, fact: Occurrence[DamageDealt]) -> Rolled | None:
    """Return the critical hit that deals damage; None if there is none."""
    found = roll_behind(state, fact)
    return found if found and found.critical and found.target == fact.event.target else None
