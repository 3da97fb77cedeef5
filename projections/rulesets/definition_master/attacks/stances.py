"""Stances: reckless and defensive fighting, charges, full defense, shattering, and what each of them brings, for how long."""

from typing import Any

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, EffectStarted
from projections.because import Because, Derived
from projections.mechanics.conditions import of
from projections.mechanics.grants import words
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.attacks.combat_tables import Bonus, bonuses
from projections.rulesets.definition_master.health.sources import attacker
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.state_of_combat import Stance
from projections.rulesets.ruleset import derives
from projections.time import Boundary

CHOSEN = ("reckless", "defensive")
"""The ways of attacking that somebody chooses."""
DONE = ("charge", "full-defense", "shatter")
"""The acts that bring a stance."""
SWINGS = ("attack", "bash", "trip", "disarm", "shatter", "charge", "cast", "grapple", "shove", "trample")
"""The kinds of acts with which somebody attacks."""


@derives("reckless.trade", "defensive.trade", on=ActionTaken)
def is_chosen(state: MasterState, fact: Occurrence[ActionTaken]) -> None:
    """Begin the stance that an attack is made in."""
    action = fact.event.action
    if action.kind in SWINGS:
        for name in CHOSEN:
            if any(name in words(each) for each in action.manner):
                begins(state, fact.event.combatant, name, fact.seq)


@derives("charge.ac-penalty", "full-defense.ac-bonus", "shatter.ac-penalty", on=ActionTaken)
def comes_with(state: MasterState, fact: Occurrence[ActionTaken]) -> None:
    """Begin the stance that an act brings with it."""
    if fact.event.action.kind in DONE:
        begins(state, fact.event.combatant, fact.event.action.kind, fact.seq)


@derives("reckless.trade", "defensive.trade", on=(AttackRolled, DamageDealt))
def shows(state: MasterState, fact: Occurrence[Any]) -> None:
    """Begin the stance that a named part of an attack or of its damage shows."""
    event = fact.event
    who = event.combatant if isinstance(event, AttackRolled) else attacker(state, fact)
    parts = event.modifiers if isinstance(event, AttackRolled) else event.parts
    for name in CHOSEN:
        if any(name in words(part.name) for part in parts):
            begins(state, who, name, fact.seq)


def begins(state: MasterState, who: str, name: str, seq: int) -> None:
    """Begin a stance; one that is in force goes on."""
    own = state.combat.stances.own.setdefault(who, [])
    if who in state.combatants and not any(each.name == name for each in own):
        own.append(Stance(name, seq, state.clock.round))


@derives("full-round.until-next-turn", at=("turn began", "turn resumed"))
def ends(state: MasterState, boundary: Boundary) -> None:
    """End somebody's stances as its next turn is really taken."""
    over = state.combat.stances.own.pop(boundary.who, [])
    state.combat.stances.over[boundary.who] = {each.name: (each, boundary.seq) for each in over}


@derives("full-round.until-next-turn", at="turn put off")
def goes_on(state: MasterState, boundary: Boundary) -> None:
    """Let stances go on that ended with a turn which is then put off, and so was not taken."""
    turn = state.flow.turns.in_hand.get(boundary.who)
    over = state.combat.stances.over.get(boundary.who, {}).values()
    if again := [each for each, seq in over if turn and turn.seq == seq]:
        state.combat.stances.own[boundary.who] = again
        state.combat.stances.over.pop(boundary.who)


def in_force(state: MasterState, who: str, to: str, two_handed: bool = False) -> list[tuple[Bonus, Stance]]:
    """Return what somebody's stances bring to this just now; with a two-handed weapon a charge brings more damage."""
    own = state.combat.stances.own.get(who, ())
    found = [(row, each) for each in own for row in rows(each.name, to, two_handed)]
    return [(row, each) for row, each in found if row.until != "own-turn-end" or state.clock.turn == who]


def ended(state: MasterState, who: str) -> tuple[Derived[str], ...]:
    """Return the stances that ended last, with the records that began and ended them."""
    over = state.combat.stances.over.get(who, {}).items()
    return tuple(Derived(name, Because((), (stance.seq, seq))) for name, (stance, seq) in over)


def rows(name: str, to: str, two_handed: bool = False) -> list[Bonus]:
    """Return what a stance brings to this, by the table."""
    special = [row for row in bonuses() if row.name == f"{name}-two-handed"]
    return special if special and two_handed else [row for row in bonuses() if (row.name, row.to) == (name, to)]


# ---------------------------------------------------------------- effects


@derives("attack.meets-ac-hits", on=EffectStarted)
def effect_brings(state: MasterState, fact: Occurrence[EffectStarted]) -> None:
    """Keep what an effect adds to which rolls."""
    state.combat.bearing[fact.seq] = fact.event.modifiers


def added(state: MasterState, who: str, *to: str) -> list[tuple[str, int, Because]]:
    """Return what effects and rulings add to this for somebody, by name."""
    found = [(mod, each.seq) for each in of(state.effects, who) for mod in state.combat.bearing.get(each.seq, ())]
    found += [(mod, fact.seq) for fact in state.rulings if who in fact.event.combatants for mod in fact.event.modifiers]
    return [(mod.name, mod.amount, Because((), (seq,))) for mod, seq in found if (mod.to or "").casefold() in to]
