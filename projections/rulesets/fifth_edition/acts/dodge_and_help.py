"""Dodging, disengaging, helping."""

from __future__ import annotations

from typing import Any

from eventstore.events import ActionTaken, AttackRolled, ConditionGained, DamageDealt, EffectStarted
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.conditions import acts_not, kept_from, stops
from projections.rulesets.fifth_edition.state import FifthState, Help
from projections.rulesets.ruleset import Breach, check, derives
from projections.time import Boundary


@derives("act.dodge", "act.disengage", on=ActionTaken)
def somebody_takes_care(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let somebody dodge, or be disengaged for the rest of the turn."""
    who, kind = fact.event.combatant, fact.event.action.kind.casefold()
    if kind == "dodge":
        unable, stopped = acts_not(state, who), stops(state, who)
        why = Because(("act.dodge",), (fact.seq,), {}, (unable, stopped))
        (kept_from(state, who, "dodging", why) if unable.value or stopped.value else state.dodging.update({who: why}))
    elif kind == "disengage":
        state.disengaged[who] = fact.seq


@derives("act.dodge", on=(DamageDealt, ConditionGained, EffectStarted))
def dodging_is_lost(state: FifthState, _fact: Occurrence[Any]) -> None:
    """End the dodging of whoever is incapacitated or has speed 0."""
    for who in [*state.dodging]:
        unable, stopped = acts_not(state, who), stops(state, who)
        if unable.value or stopped.value:
            why = state.dodging.pop(who)
            state.ended["dodging", who] = Because(why.rules, why.events, {}, (unable, stopped))


@derives("act.dodge", "act.help", "ready.lapses", at="turn began")
def own_turn_ends_it(state: FifthState, turn: Boundary) -> None:
    """End dodging, help and what is held as the own turn begins."""
    if dodge := state.dodging.pop(turn.who, None):
        state.ended["dodging", turn.who] = dodge + Because((), (turn.seq,))
    if turn.who in state.helps:
        help_ends(state, turn.who, turn.seq)
    held = state.held.pop(turn.who, None)
    state.lost_spell.pop(turn.who, None)
    if held:
        state.lapsed[turn.who] = turn.seq
        if held.spell:
            state.let[turn.who] = Because(("ready.lapses",), (held.seq, turn.seq))


@derives("act.disengage", at="turn ended")
def disengaging_ends(state: FifthState, turn: Boundary) -> None:
    """End being disengaged with the turn."""
    if seq := state.disengaged.pop(turn.who, 0):
        events = (seq, state.began.get(turn.who, seq), turn.seq)
        state.ended["disengaged", turn.who] = Because(disengaging_ends.rules, events)


@derives("act.help", on=ActionTaken)
def somebody_helps(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Keep help in an attack: of the targets those of the own side are helped, one of another it is against."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.action.kind.casefold() != "help":
        return
    foes = [who for who in event.action.targets if who in state.combatants and state.combatants[who].side != one.side]
    allies = [who for who in event.action.targets if who in state.combatants and state.combatants[who].side == one.side]
    if foes:
        state.helps[one.id] = Help(fact.seq, next(iter(allies), ""), foes[0])


@derives("act.help", on=AttackRolled)
def help_is_used_up(state: FifthState, fact: Occurrence[AttackRolled]) -> None:
    """End help with the first attack of whoever it is for."""
    event = fact.event
    for helper, helped in [*state.helps.items()]:
        ally = event.combatant == helped.ally or not helped.ally
        if state.is_new:
            ally = state.combatants[event.combatant].side == state.combatants[helper].side and event.combatant != helper
        if ally and event.target == helped.against:
            help_ends(state, helper, fact.seq)


def help_ends(state: FifthState, helper: str, seq: int) -> None:
    """End somebody's help, and keep what ended it."""
    helped = state.helps.pop(helper)
    state.ended["helped", helped.against] = Because(help_is_used_up.rules, (helped.seq, seq))


@check("act.help", on=AttackRolled)
def help_is_not_kept(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    if not any(each.name.casefold() == "help" for each in fact.event.modifiers):
        return None
    for helped in state.helps.values():
        if helped.against == fact.event.target and (helped.ally in ("", fact.event.combatant) or state.is_new):
            return None
    return Breach(f"nobody helps {fact.event.combatant} against {fact.event.target}", "no help", "help")
