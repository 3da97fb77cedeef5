"""The Dodge, Disengage and Help actions."""

from __future__ import annotations

from eventstore.events import ActionTaken, AttackRolled, ConditionGained, DamageDealt, EffectStarted, Fact
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.conditions import acts_not, kept_from, stops
from projections.rulesets.fifth_edition.shapes import Help
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.time import Boundary


@derives("act.dodge", "act.disengage", on=ActionTaken)
def dodge_or_disengage_is_taken(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let a combatant dodge, or disengage for the rest of the turn."""
    who, kind = fact.event.combatant, fact.event.action.kind.casefold()
    if kind == "dodge":
        unable, stopped = acts_not(state, who), stops(state, who)
        why = Because(("act.dodge",), (fact.seq,), {}, (unable, stopped))
        (kept_from(state, who, "dodging", why) if unable.value or stopped.value else state.dodging.update({who: why}))
    elif kind == "disengage":
        state.disengaged[who] = fact.seq


@derives("act.dodge", on=(DamageDealt, ConditionGained, EffectStarted))
def dodging_is_lost(state: FifthState, _fact: Occurrence[Fact]) -> None:
    """End the dodging of combatants that are incapacitated or have speed 0."""
    for who in [*state.dodging]:
        unable, stopped = acts_not(state, who), stops(state, who)
        if unable.value or stopped.value:
            why = state.dodging.pop(who)
            kept_from(state, who, "dodging", Because(why.rules, why.events, {}, (unable, stopped)))


@derives("act.dodge", "act.help", "ready.lapses", at="turn began")
def own_turn_ends_it(state: FifthState, turn: Boundary) -> None:
    """End dodging, help and a readied act as the turn of their combatant begins."""
    if dodge := state.dodging.pop(turn.who, None):
        kept_from(state, turn.who, "dodging", dodge + Because((), (turn.seq,)))
    if turn.who in state.helps:
        help_ends(state, turn.who, turn.seq)
    state.lost_spell.pop(turn.who, None)
    if held := state.held.pop(turn.who, None):
        state.lapsed[turn.who] = turn.seq
        if held.spell:
            state.released_by[turn.who] = Because(("ready.lapses",), (held.seq, turn.seq))


@derives("act.disengage", at="turn ended")
def disengaging_ends(state: FifthState, turn: Boundary) -> None:
    """End disengaging with the turn."""
    if seq := state.disengaged.pop(turn.who, 0):
        events = (seq, state.began.get(turn.who, seq), turn.seq)
        kept_from(state, turn.who, "disengaged", Because(disengaging_ends.rules, events))


@derives("act.help", on=ActionTaken)
def help_is_given(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Keep help in an attack: a target of the own side is helped, against a target of another side."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.action.kind.casefold() != "help":
        return
    known = [state.combatants[who] for who in state.joined(event.action.targets)]
    foes = [each.id for each in known if each.side != one.side]
    allies = [each.id for each in known if each.side == one.side]
    if foes:
        state.helps[one.id] = Help(fact.seq, next(iter(allies), ""), foes[0])


@derives("act.help", on=AttackRolled)
def help_is_used_up(state: FifthState, fact: Occurrence[AttackRolled]) -> None:
    """End help with the first attack that it is for."""
    event = fact.event
    for helper, helped in [*state.helps.items()]:
        ally = helped.ally in ("", event.combatant)
        if state.is_new:
            ally = state.combatants[event.combatant].side == state.combatants[helper].side and event.combatant != helper
        if ally and event.target == helped.against:
            help_ends(state, helper, fact.seq)


def help_ends(state: FifthState, helper: str, seq: int) -> None:
    """End the help that a combatant gives."""
    helped = state.helps.pop(helper)
    why = Because(help_is_used_up.rules, (helped.seq, seq), state.chosen("edition"))
    kept_from(state, helped.against, "helped", why)


@check("act.help", on=AttackRolled)
def help_has_been_given(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    who, whom = fact.event.combatant, fact.event.target
    if not any(each.name.casefold() == "help" for each in fact.event.modifiers):
        return None
    given = (each.ally for each in state.helps.values() if each.against == whom)
    if any(state.is_new or ally in ("", who) for ally in given):
        return None
    return Breach(f"nobody helps {who} against {whom}", "no help", "help")
