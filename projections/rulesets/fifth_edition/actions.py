"""The actions Dodge, Disengage, Help, Hide and Ready."""

from __future__ import annotations

import re

from msgspec.structs import replace

from eventstore.events import (
    ActionHeld,
    ActionTaken,
    AttackRolled,
    ConditionGained,
    DamageDealt,
    DiceRolled,
    EffectStarted,
    Fact,
    Moved,
)
from projections.because import Because, Derived, asked_options
from projections.folds.effects import gain
from projections.mechanics.conditions import matching
from projections.mechanics.resources import spend
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts import used_up
from projections.rulesets.fifth_edition.conditions import acts_not, depend_on, kept_from, lose, stops
from projections.rulesets.fifth_edition.deeds import IN_WORDS, deed_of, is_released
from projections.rulesets.fifth_edition.rolls import roll_total
from projections.rulesets.fifth_edition.state import FifthState, Held, Help
from projections.time import Boundary


@derives("act.dodge", "act.disengage", on=ActionTaken)
def dodge_or_disengage_is_taken(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let a combatant dodge, or disengage for the rest of the turn."""
    who, kind = fact.event.combatant, fact.kind
    if kind == "dodge":
        unable, stopped = acts_not(state, who), stops(state, who)
        why = Because(("act.dodge",), (fact.seq,), (unable, stopped))
        (kept_from(state, who, "dodging", why) if unable.value or stopped.value else state.dodging.update({who: why}))
    elif kind == "disengage":
        state.disengaged[who] = fact.seq


@derives("act.dodge", on=(DamageDealt, ConditionGained, EffectStarted), phase="status")
def dodging_is_lost(state: FifthState, _fact: Occurrence[Fact]) -> None:
    """End the dodging of combatants that are incapacitated or have speed 0."""
    for who in [*state.dodging]:
        unable, stopped = acts_not(state, who), stops(state, who)
        if unable.value or stopped.value:
            why = state.dodging.pop(who)
            kept_from(state, who, "dodging", Because(why.rules, why.events, (unable, stopped)))


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
    """End disengaging with the turn, whoever's it is."""
    for who in [who for who in state.disengaged if who == turn.who or who not in state.turns.running]:
        seq = state.disengaged.pop(who)
        events = (seq, state.began.get(turn.who, seq), turn.seq)
        kept_from(state, who, "disengaged", Because(disengaging_ends.rules, events))


@derives("act.help", on=ActionTaken)
def help_is_given(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Keep help in an attack: a target of the helper's side is helped against a target of another side."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if fact.kind != "help":
        return
    known = [state.combatants[who] for who in state.joined(event.action.targets)]
    foes = [each.id for each in known if each.side != one.side]
    allies = [each.id for each in known if each.side == one.side]
    if foes:
        state.helps[one.id] = Help(fact.seq, next(iter(allies), ""), foes[0])


@derives("act.help", on=AttackRolled, phase="consequences")
def help_is_used_up(state: FifthState, fact: Occurrence[AttackRolled]) -> None:
    """End help with the first attack for which it was given."""
    event = fact.event
    for helper, helped in [(helper, each) for helper, each in state.helps.items() if each.against == event.target]:
        ally = helped.ally in ("", event.combatant)
        if state.is_new:
            ally = state.combatants[event.combatant].side == state.combatants[helper].side and event.combatant != helper
        if ally:
            help_ends(state, helper, fact.seq)
        else:
            state.helps[helper] = replace(helped, asked=asked_options())


def help_ends(state: FifthState, helper: str, seq: int) -> None:
    """End the help that a combatant gives."""
    helped = state.helps.pop(helper)
    why = Because(help_is_used_up.rules, (helped.seq, seq))
    kept_from(state, helped.against, "helped", why)


@check("act.help", on=AttackRolled)
def help_has_been_given(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    who, whom = fact.event.combatant, fact.event.target
    if not any(re.search(r"\bhelp(s|ed)?\b", each.name.casefold()) for each in fact.event.modifiers):
        return None
    given = (each.ally for each in state.helps.values() if each.against == whom)
    if any(state.is_new or ally in ("", who) for ally in given):
        return None
    return Breach(f"nobody helps {who} against {whom}", "no help", "help")


@derives("act.hide", on=DiceRolled, phase="effects")
def hiding_is_checked(state: FifthState, fact: Occurrence[DiceRolled]) -> None:
    """Let the Stealth check of a Hide action hide its combatant, in 2024 with a total of 15 or more."""
    event, total = fact.event, roll_total(state, fact.event)
    deed = next((each for each in reversed(state.done.get(event.combatant or "", [])) if each.kind == "hide"), None)
    if "stealth" not in (event.purpose or "").casefold() or deed is None or total is None:
        return
    state.hiding[fact.seq] = state.hiding[deed.seq] = total
    hides = total >= 15 or not state.is_new
    why = Because(hiding_is_checked.rules, (deed.seq, fact.seq))
    if hides:
        gain(state, deed.who, "hidden", fact.seq).of = (why,)
    else:
        kept_from(state, deed.who, "hidden", why)


@derives("act.hide-ends", on=(AttackRolled, ActionTaken), phase="consequences")
def hiding_ends(state: FifthState, fact: Occurrence[AttackRolled | ActionTaken]) -> None:
    """End being hidden after an attack, and in 2024 after a spell with a verbal component."""
    event, who = fact.event, fact.event.combatant
    if isinstance(event, ActionTaken):
        words = "verbal" in figures.components(state, state.combatants[who], event.action)
        if fact.kind != "cast" or not words:
            return
        if not state.is_new:
            depend_on(state.conditions[key] for key in matching(state.conditions, "hidden", (who,), None))
            return
    why = Because(hiding_ends.rules, (fact.seq,))
    lose(state, matching(state.conditions, "hidden", (who,), None), why)


@check("act.hide", on=ConditionGained)
def a_failed_check_hides_nobody(state: FifthState, fact: Occurrence[ConditionGained]) -> Breach | None:
    total, name = state.hiding.get(fact.cause), fact.called
    if not state.is_new or name not in ("hidden", "invisible") or total is None or total >= 15:
        return None
    return Breach(f"{total} does not hide anybody", "15 or more", str(total), (fact.cause,))


@derives("act.ready", "ready.spell", on=ActionHeld)
def an_act_is_readied(state: FifthState, fact: Occurrence[ActionHeld]) -> None:
    """Keep the act that a combatant holds ready; a spell is held by concentration."""
    action, who = fact.event.action, fact.event.combatant
    name = (action.name or action.kind) if action else "an act"
    stop_holding(state, who, fact.seq)
    state.held[who] = Held(fact.seq, name, bool(action and action.plain_kind == "cast"), action)
    state.lapsed.pop(who, None)
    state.lost_spell.pop(who, None)


@derives("ready.spell")
def stop_holding(state: FifthState, who: str, seq: int) -> Held | None:
    """Stop the holding of a readied act, and return it; concentration on a readied spell ends with it."""
    held = state.held.pop(who, None)
    if held and held.spell:
        state.released_by[who] = Because(stop_holding.rules, (held.seq, seq))
    return held


def released(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> str | None:
    """Return the combatant that releases a readied act by an act or move; None if it releases none."""
    event = fact.event
    if isinstance(event, Moved):
        held = state.held.get(event.combatant)
        cost = event.plain_cost
        moves = held and (held.action.plain_kind == "move" if held.action else cost == "held")
        return event.combatant if moves and cost in ("held", "reaction") else None
    return event.combatant if is_released(state, event) else None


@derives("ready.uses-reaction", on=(ActionTaken, Moved), phase="consequences")
def an_act_is_released(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> None:
    """End the holding of an act as it is released."""
    who = fact.event.combatant
    if released(state, fact) and stop_holding(state, who, fact.seq):
        state.lapsed[who] = fact.seq
        if isinstance(fact.event, Moved):
            spend(state.spending, who, "reaction", fact.seq)


@derives("act.ready")
def held(state: FifthState, who: str) -> Derived[str]:
    """Return the act that a combatant holds ready, or none."""
    found = state.held.get(who)
    gone = (Derived(who, Because((), (state.lapsed[who],))),) if who in state.lapsed else ()
    seq = found.seq if found else state.combatants[who].joined
    return Derived(found.name if found else "none", Because(held.rules, (seq,), gone))


@check("ready.spell", on=ActionTaken, group="held", subject=released)
def a_lost_spell_is_not_released(state: FifthState, _fact: Occurrence[ActionTaken], who: str) -> Breach | None:
    why = state.lost_spell.get(who)
    says = f"{who} has lost the spell with its concentration"
    return Breach(says, "nothing held", "released", why.flat().events) if why else None


@check("ready.lapses", on=ActionTaken, group="act", rank=4, subject=released)
def a_lapsed_act_is_not_released(state: FifthState, _fact: Occurrence[ActionTaken], who: str) -> Breach | None:
    if who in state.lost_spell or who not in state.lapsed:
        return None
    return Breach(f"{who} holds nothing any more", "nothing held", "released", (state.lapsed[who],))


@check("ready.uses-reaction", on=ActionTaken, group="act", rank=4, subject=released)
def a_readied_act_takes_the_reaction(state: FifthState, fact: Occurrence[ActionTaken], who: str) -> Breach | None:
    return used_up(state, deed_of(state, fact), "reaction") if who in state.held else None


@check("ready.spell", on=ActionHeld)
def only_spells_of_one_action_are_readied(state: FifthState, fact: Occurrence[ActionHeld]) -> Breach | None:
    action, one = fact.event.action, state.combatants[fact.event.combatant]
    entry = figures.spell_of(state, one, action) if action and action.plain_kind == "cast" else None
    if action is None or entry is None or not entry.cost or entry.cost == "action":
        return None
    found = IN_WORDS.get(entry.cost, entry.cost)
    severity = figures.severity(one, action, "cost")
    return Breach(f"{entry.name} takes {found}", "an action", found, one.records("entries"), severity)
