"""Throws with their degrees, the shield, burning, and what is sustained."""

from collections.abc import Iterator
from typing import Any

from ember_road.state import EmberState
from eventstore.events import ActionTaken, AttackRolled, DamageDealt, EffectStarted, SaveRolled
from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.folds import effects, levels
from projections.folds.durations import extend_effect, set_duration
from projections.mechanics.conditions import Effect, find_effects, has_effect
from projections.mechanics.dues import Due, answer, owe
from projections.mechanics.rolls import degree_of, reaches, wrong_degree
from projections.mechanics.timers import Timer, until
from projections.mechanics.triggers import allow_reaction, end_turn, may_react
from projections.occurrence import Occurrence
from projections.ruleset.durations import timer_of_next_turn
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.time import Boundary

BURN, FIRE = "throw against the fire", "blow of the fire"
GUARDS = {"shield up": (2, "shield.raised"), "prone": (-2, "prone.lowers-guard")}


def fear(state: EmberState, who: str) -> list[Derived[int]]:
    """Return the penalty that fear gives a combatant, if any."""
    found = levels.condition_level(state, who, "frightened")
    return [Derived(-found.value, Because(("fear.weakens",), of=(found,)))] if found.value else []


def guarded(state: EmberState, who: str) -> list[Derived[int]]:
    """Return what changes the guard of a combatant, each by its clause."""
    marks = [(has_effect(state.conditions, who, name), *row) for name, row in GUARDS.items()]
    return [Derived(by, Because((rule,), of=(mark,))) for mark, by, rule in marks if mark.value] + fear(state, who)


def misread(fact: Occurrence[Any], rule: str, needed: int | None, bonus: int, *by: Derived[int]) -> Iterator[Fault]:
    """Yield the fault of a throw with a wrong recorded degree, by the first clause that changed it, else by this one."""
    if wrong := wrong_degree(fact.event, degree_of(fact.event, needed, bonus)):
        why = Because(tuple(each.because.clause for each in by), of=by).flat()
        yield Fault((*why.rules, rule), f"{fact.event.combatant} has a {wrong[0]}", *wrong, why.events)


@checks_by("shield.raised", "prone.lowers-guard", "fear.weakens", "throw.of-an-attack", on=AttackRolled)
def an_attack_has_its_degree(state: EmberState, fact: Occurrence[AttackRolled]) -> Iterator[Fault]:
    """Yield the fault of an attack with a wrong recorded degree."""
    one, target = state.combatants[fact.event.combatant], state.combatants[fact.event.target or ""]
    mine, its = fear(state, one.id), guarded(state, target.id)
    needed = target.sheet.guard + sum(each.value for each in its)
    return misread(fact, "throw.of-an-attack", needed, one.sheet.skill + sum(each.value for each in mine), *its, *mine)


@checks_by("fear.weakens", "throw.of-a-save", on=SaveRolled)
def a_save_has_its_degree(state: EmberState, fact: Occurrence[SaveRolled]) -> Iterator[Fault]:
    """Yield the fault of a save with a wrong recorded degree; a flat throw has no bonus."""
    one = state.combatants[fact.event.combatant]
    mine = [] if fact.event.purpose in ("burning", "death") else fear(state, one.id)
    bonus = 0 if fact.event.purpose in ("burning", "death") else one.sheet.will
    return misread(fact, "throw.of-a-save", fact.event.dc, bonus + sum(each.value for each in mine), *mine)


@derives("lasts.next-turn")
def timer(state: EmberState, effect: Effect, said: Duration) -> Timer:
    """Count the turns that a duration names, else those of its bearer; the end of the turn that runs does not count."""
    return timer_of_next_turn(state, effect, said)


@derives("shield.until-next-turn", on=ActionTaken)
def a_shield_is_raised(state: EmberState, fact: Occurrence[ActionTaken]) -> None:
    """Let a shield that is raised be up until the next turn of its bearer begins."""
    if fact.event.action.kind == "raise":
        who = fact.event.combatant
        set_duration(state, effects.gain_condition(state, who, "shield up", fact.seq), until(who, "start"))


@derives("shield.block", on=ActionTaken)
def an_attack_can_be_blocked(state: EmberState, fact: Occurrence[ActionTaken]) -> None:
    """Let the targets of an attack block it until a combatant acts again."""
    if fact.event.action.kind != "block":
        end_turn(state.triggers, fact.seq)
    if fact.event.action.kind == "strike":
        allow_reaction(state.triggers, fact.seq, to=fact.event.action.targets)


@check("shield.block", on=ActionTaken)
def a_block_needs_a_shield_and_an_attack(state: EmberState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who, up = fact.event.combatant, has_effect(state.conditions, fact.event.combatant, "shield up")
    if fact.event.action.kind != "block" or (
        up.value and may_react(state.triggers, fact.event.trigger or 0, who=who).value
    ):
        return None
    return Breach(
        f"{who} has {'no attack to block' if up.value else 'no shield up'}", "a shield up, and an attack", "a block"
    )


@derives("prone.ends-by-standing", on=ActionTaken)
def who_stands_is_up(state: EmberState, fact: Occurrence[ActionTaken]) -> None:
    """Let a combatant that stands up be prone no longer."""
    if fact.event.action.kind == "stand":
        prone = find_effects(state.conditions, "prone", (fact.event.combatant,), None)
        effects.end_conditions(state, prone, Because(who_stands_is_up.rules, (fact.seq,)))


# ---------------------------------------------------------------- what is sustained


@derives("sustain.one-turn", on=EffectStarted)
def a_spell_lasts_a_turn(state: EmberState, fact: Occurrence[EffectStarted]) -> None:
    """Let a spell without a duration last until the end of its caster's next turn."""
    for who in fact.event.targets if fact.event.duration is None and fact.event.source else ():
        set_duration(state, state.effects[fact.seq, who], until(fact.event.source or "", "end"))


@derives("sustain.goes-on", on=ActionTaken)
def a_spell_goes_on(state: EmberState, fact: Occurrence[ActionTaken]) -> None:
    """Let a sustained spell last until its caster's next turn ends."""
    who, action = fact.event.combatant, fact.event.action
    if action.kind == "sustain":
        extend_effect(state, who, action.name or "", until(who, "end"), Because(a_spell_goes_on.rules, (fact.seq,)))


@check("sustain.needs-a-spell", on=ActionTaken)
def only_what_lasts_is_sustained(state: EmberState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who, action = fact.event.combatant, fact.event.action
    if action.kind != "sustain" or find_effects(state.effects, action.name or "", (), who):
        return None
    return Breach(f"{who} has no {action.name or 'spell'} to sustain", "a spell of its own", "none")


# ---------------------------------------------------------------- burning


@derives("burn.flat-throw", at="turn ended")
def a_throw_falls_due(state: EmberState, time: Boundary) -> None:
    """Let a combatant that burns as its turn ends owe a flat throw before its next one."""
    burns = levels.condition_level(state, time.who, "burning")
    if burns.value:
        owe(state.dues, Due(time.who, BURN, "turn began", Because(a_throw_falls_due.rules, (time.seq,), of=(burns,))))


@derives("burn.hurts", at="turn ended")
def the_fire_is_to_hurt(state: EmberState, time: Boundary) -> None:
    """Let a combatant that burns as its turn ends owe the damage of its fire."""
    burns = levels.condition_level(state, time.who, "burning")
    if burns.value:
        owe(state.dues, Due(time.who, FIRE, "turn began", Because(the_fire_is_to_hurt.rules, (time.seq,), of=(burns,))))


@derives("burn.hurts", on=DamageDealt)
def the_fire_hurts(state: EmberState, fact: Occurrence[DamageDealt]) -> None:
    """Let damage recorded as the fire's answer the owed damage."""
    if any(part.name == "burning" for part in fact.event.parts):
        answer(state.dues, fact.event.target, FIRE, fact.cause)


@derives("burn.ends-at-fifteen", on=SaveRolled)
def the_fire_may_go_out(state: EmberState, fact: Occurrence[SaveRolled]) -> None:
    """Let the fire go out by a flat throw of 15."""
    who = fact.event.combatant
    if (
        fact.event.purpose == "burning"
        and (due := answer(state.dues, who, BURN, fact.cause))
        and reaches(fact.event, 15)
    ):
        levels.set_level(state, who, "burning", 0, Because(the_fire_may_go_out.rules, (fact.seq,), of=(due.because,)))
