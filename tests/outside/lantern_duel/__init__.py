"""Lantern Duel: a ruleset made of mechanics alone: a turn list with one parry a round, one casting and one pool."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from eventstore.events import ActionTaken, DamageDealt, EffectStarted, InitiativeRolled, TurnStarted
from projections.because import Because, Derived
from projections.fight import Combatant, TimelineRow
from projections.folds import budget
from projections.mechanics import pools, rolls as dice, triggers, work
from projections.occurrence import Occurrence
from projections.ruleset.budget import Budget
from projections.ruleset.ruleset import Breach, Ruleset, boundaries_of, check, checks_of, derives, steps_of
from projections.scheduling.turn_schedule import TurnSchedule, breach_of_order, rounds_from_turns
from projections.state import State
from projections.time import Boundary, Calendar, Point


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    hp: int = 5  # flames


class LanternState(State):
    """A duel: rolls with their events, turns, what was used up, what can be parried, spells being cast."""

    rolls: dict[str, tuple[int, int]] = {}
    openings: triggers.Triggers = field(default_factory=triggers.Triggers)
    spells: list[work.Work] = []


@derives("order.highest-first", "order.equal-by-roll", on=InitiativeRolled)
def rolls(state: LanternState, fact: Occurrence[InitiativeRolled]) -> None:
    """Keep a roll, and put everybody in place: the highest first, of equal ones who rolled first."""
    state.rolls[fact.event.combatant or ""] = (dice.face(fact.event.die or 0), fact.seq)


@derives("round.follows-turns")
def meets(state: LanternState, fact: Occurrence[Any]) -> tuple[Boundary, ...]:
    """Return the boundaries of turns, and of the rounds that follow from them."""
    return rounds_from_turns(state, fact)


@derives("spell.next-turn", at="turn began")
def time_passes(state: LanternState, time: Boundary) -> None:
    """As a turn begins, let the spell of the last one be ready."""
    for spell in work.under_way(state.spells, time.who, snuffs):
        work.complete(spell, time.seq, state.clock.round, Because(time_passes.rules))


@derives("parry.answers-an-attack", "spell.next-turn", on=ActionTaken)
def acts(state: LanternState, fact: Occurrence[ActionTaken]) -> None:
    """Let an attack be parried at once; let a spell be cast until the next turn."""
    action, who = fact.event.action, fact.event.combatant
    triggers.end_turn(state.openings, fact.seq)
    if action.kind == "attack":
        triggers.allow_reaction(state.openings, fact.seq, to=action.targets)
    elif action.kind == "cast":
        why = Because(("spell.next-turn",), (fact.seq,))
        state.spells.append(work.Work(who, action.name or "", fact.seq, state.clock.round, 1, why))


@derives("spell.snuffed")
def snuffs(_spell: work.Work, _blow: work.Incident) -> Because | None:
    """Say by which rule a blow ends a spell that is being cast."""
    return Because(snuffs.rules)


@derives("spell.snuffed", on=DamageDealt)
def blow_lands(state: LanternState, fact: Occurrence[DamageDealt]) -> None:
    """Let a blow befall what its victim is casting."""
    for spell in work.under_way(state.spells, fact.event.target, snuffs):
        work.disturb(spell, work.Incident(fact.seq, state.clock.round))


@check("turn.in-order", on=TurnStarted)
def turns_come_in_order(state: LanternState, fact: Occurrence[TurnStarted]) -> Breach | None:
    return breach_of_order(state, fact)


PARRIES = budget.by_rows(__name__, "parry.once-a-round")


@check("parry.answers-an-attack", on=ActionTaken)
def a_parry_answers_an_attack(state: LanternState, fact: Occurrence[ActionTaken]) -> Breach | None:
    answers = triggers.answerable(state.openings, fact.event.trigger or 0, who=fact.event.combatant)
    return (
        None if fact.event.action.kind != "parry" or answers.value else Breach("there is nothing to parry", "an attack")
    )


@check("spell.snuffed", on=EffectStarted)
def a_snuffed_spell_has_no_effect(state: LanternState, fact: Occurrence[EffectStarted]) -> Breach | None:
    spell = work.of_fact(state.spells, fact, fact.event.effect)
    return Breach("it was snuffed out", "none") if spell and work.status(spell, snuffs).value == work.SPOILED else None


def spells(state: LanternState) -> Iterator[TimelineRow]:
    """Yield the rows of the spells of the duel."""
    for spell in state.spells:
        how = work.status(spell, snuffs)
        yield TimelineRow(Point(spell.start), spell.who, how.value, how.because, "cast", spell.name)


@derives("light.flames")
def light(_state: LanternState, _one: Combatant) -> pools.PoolRules:
    return pools.PoolRules(floor=0, cites={pools.HP: light.rules})


@derives("light.dark")
def status(_state: LanternState, one: Combatant) -> Derived[str]:
    return pools.status_by(one.pools[pools.HP], 0, "dark", status.rules)


RULESET = Ruleset(
    key="lantern-duel",
    revision=1,
    title="Lantern Duel",
    scheduler="turn list",
    rules=Path(__file__).with_name("rules.toml"),
    state=LanternState,
    sheet=Sheet,
    calendar=Calendar(seconds={"second": 1, "round": 10}, tick="round"),
    statuses={"up": "with a light", "dark": "without one"},
    steps=steps_of(__name__),
    boundaries=boundaries_of(__name__),
    checks=checks_of(__name__),
    pools=light,
    status=status,
    budget=Budget(),
    schedule=TurnSchedule(
        ranked=lambda s: [[who] for who in sorted(s.rolls, key=lambda who: -s.rolls[who][0])],
        key=lambda s, who: Derived({"roll": s.rolls[who][0]}, Because(rolls.rules, s.rolls[who][1:])),
        rules=rolls.rules,
        crossed=meets,
        acts=spells,
        rounds_from=(TurnStarted,),
    ),
)
