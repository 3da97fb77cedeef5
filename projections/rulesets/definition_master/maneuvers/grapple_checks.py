"""Checks of moves, attacks, spells and damage in a grapple."""

from collections.abc import Iterator

from eventstore import events
from projections.mechanics.grants import words
from projections.mechanics.work import same
from projections.rulesets.definition_master.acts.acts import AOO, entry_of
from projections.rulesets.definition_master.attacks.wielding import traits, weapon_of
from projections.rulesets.definition_master.maneuvers.contests import bout_behind, only_bout
from projections.rulesets.definition_master.maneuvers.grapple import BREAKS, CHOKES, EXPOSED, NEEDS, PINS, STAYS
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.squares.ground import feet
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.table import kinds, mentions
from projections.rulesets.faults import Fault, checks_by

HALF, WEAPONS = "grapple.move-half", "grapple.weapons"
SOMATIC, VERBAL = "grapple.no-somatic", "grapple.casting-without-somatic"


@checks_by(STAYS, PINS, HALF, NEEDS, on=events.Moved)
def nobody_walks_in_a_grapple(state: MasterState, fact: Reading) -> Iterator[Fault]:
    """Yield a move of a combatant in a grapple other than by the aggressor's Move option, and a move by that option without a win."""
    event, who = fact.event, fact.event.combatant
    hold, bout = state.combat.grapples.of(who), only_bout(state, fact, who, "grapple-move")
    if bout and not bout.attempt.is_won:
        yield Fault((NEEDS,), f"{bout.attempt.aggressor} has not won this", "no move", "a move", (bout.seq,))
    elif bout:
        by_defender = state.option("grapple-move-speed") == "defender"
        most = state.combatants[bout.attempt.defender if by_defender else bout.attempt.aggressor].sheet.speed // 2
        if feet(event) > most:
            yield Fault((HALF,), f"up to {most} ft", f"{most} ft", f"{feet(event)} ft", (bout.seq,))
    elif hold and not event.forced and not fact.is_granted(STAYS):
        pinned = hold.is_pinned and who == hold.defender
        says = f"{who} is {'pinned by' if pinned else 'in a grapple with'} {hold.other(who)}"
        yield Fault((PINS if pinned else STAYS,), says, "no move", "a move", (hold.seq,))


@checks_by(PINS, WEAPONS, on=(events.ActionTaken, events.AttackRolled))
def nobody_strikes_as_a_hold_forbids(state: MasterState, fact: Reading) -> Iterator[Fault]:
    """Yield an attack of a combatant pinned, a kill-shot at a combatant not exposed, a weapon that is of no use in a grapple."""
    act: MasterAct | None = fact.act
    if act is None:
        return
    for who in act.action.targets if {"kill", "shot"} <= {*words(f"{act.kind} {act.action.name or ''}")} else ():
        hold = state.combat.grapples.holds.get(who)
        if hold and hold.stage != EXPOSED:
            yield Fault((PINS,), f"{who} is not exposed", "no kill-shot", "a kill-shot", (hold.seq,))
    hold = state.combat.grapples.of(act.combatant) if act.kind in kinds("assaults") and act.cost != AOO else None
    if hold is None:
        return
    if hold.is_pinned and act.combatant == hold.defender:
        yield Fault((PINS,), f"{act.combatant} is pinned by {hold.aggressor}", "no attack", "an attack", (hold.seq,))
    weapon = unfit_weapon(state, act) if act.kind in ("attack", "bash") else ""
    if weapon and not fact.is_granted(WEAPONS):
        due = "unarmed, a dagger or a blunt striker"
        yield Fault((WEAPONS,), f"{act.combatant} is in a grapple", due, weapon, (hold.seq,))


def unfit_weapon(state: MasterState, act: MasterAct) -> str:
    """Return the weapon of an attack, if it cannot be used in a grapple; else ""."""
    name, weapon = act.action.name, weapon_of(state, act.combatant, act.action.name)
    bare = mentions("bare", name) or "unarmed" in act.action.manner or not (weapon or name)
    return "" if bare or mentions("in-grapple", name, *traits(weapon)) else name or "its weapon"


@checks_by(SOMATIC, VERBAL, on=events.ActionTaken)
def spells_are_cast_as_a_hold_allows(state: MasterState, fact: Reading) -> Iterator[Fault]:
    """Yield a spell with gestures that a combatant casts while held, and one to be spoken by a combatant who cannot speak."""
    action, who = fact.event.action, fact.event.combatant
    hold = state.combat.grapples.holds.get(who) if action.kind.casefold() == "cast" else None
    if hold is None:
        return
    entry = entry_of(fact.one, action)
    said = action.components if action.components is not None else entry.components if entry else None
    needs = {word.casefold() for word in said or ()}
    freed = not same(action.granted_by, action.name or "")
    if "somatic" in needs and not freed and not fact.is_granted(SOMATIC):
        yield Fault((SOMATIC,), f"{who} is held by {hold.aggressor}", "no gestures", "a somatic component", (hold.seq,))
    own = (each for each in state.conditions.values() if each.bearer == who)
    mute = next((each for each in own if mentions("mute", each.name)), None)
    if mute and "verbal" in needs:
        yield Fault((VERBAL,), f"{who} is {mute.name}", "no speech", "a verbal component", (hold.seq, mute.seq))


@checks_by(BREAKS, CHOKES, on=events.DamageDealt)
def options_deal_their_damage(state: MasterState, fact: Reading) -> Iterator[Fault]:
    """Yield damage of a break, and damage of a submission other than the maximum hit points once it is complete."""
    event, who = fact.event, fact.event.target
    bone, choke = (bout_behind(state, fact, who, kind) for kind in ("break", "submission"))
    if bone and event.amount:
        yield Fault((BREAKS,), "a break gives a broken bone and no damage", "0", str(event.amount), (bone.seq,))
    if choke:
        most = state.combatants[who].hp_max or 0
        complete = state.combat.submitted.get(who) in choke.attempt.rolls
        if not (complete and event.nonlethal and event.amount == most):
            due = f"{most} non-lethal" if complete else "nothing yet"
            shown = state.combat.choked[who].flat().events if complete else choke.attempt.rolls
            yield Fault((CHOKES,), f"a submission deals {due}", due, str(event.amount), shown)
