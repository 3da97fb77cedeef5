"""Readied acts: held, released, lapsed."""

from __future__ import annotations

from eventstore.events import ActionHeld, ActionTaken
from projections.because import Because, Derived
from projections.mechanics.resources import uses
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.state import FifthState, Held
from projections.rulesets.ruleset import Breach, check, derives


@derives("act.ready", "ready.spell", on=ActionHeld)
def an_act_is_readied(state: FifthState, fact: Occurrence[ActionHeld]) -> None:
    """Keep what somebody holds ready; a spell is held by concentration."""
    event = fact.event
    action = event.action
    name = (action.name or action.kind) if action else "an act"
    spell = bool(action and action.kind.casefold() == "cast")
    state.held[event.combatant] = Held(fact.seq, name, spell)
    state.lapsed.pop(event.combatant, None)


@derives("ready.uses-reaction", on=ActionTaken)
def an_act_is_released(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let somebody hold nothing any more, once it is done."""
    who = fact.event.combatant
    held = state.held.get(who)
    if (fact.event.action.cost or "").casefold() == "held" and held:
        del state.held[who]
        state.lapsed[who] = fact.seq
        if held.spell:
            state.let[who] = Because(an_act_is_released.rules, (held.seq, fact.seq))


@derives("act.ready")
def held(state: FifthState, who: str) -> Derived[str]:
    """Return what somebody holds ready."""
    found = state.held.get(who)
    joined = state.combatants[who].joined
    gone = (Derived(who, Because((), (state.lapsed[who],))),) if not found and who in state.lapsed else ()
    return Derived(found.name if found else "none", Because(held.rules, (found.seq if found else joined,), {}, gone))


@check("ready.spell", on=ActionTaken, group="held")
def a_lost_spell_is_not_released(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    why = state.lost_spell.get(who)
    if (fact.event.action.cost or "").casefold() != "held" or who in state.held or why is None:
        return None
    return Breach(f"{who} has lost the spell with its concentration", "nothing held", "released", why.flat().events)


@check("ready.lapses", on=ActionTaken, group="act", rank=4)
def what_has_lapsed_is_not_released(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if (fact.event.action.cost or "").casefold() != "held" or who in state.held or who in state.lost_spell:
        return None
    if who not in state.lapsed:
        return None
    return Breach(f"{who} holds nothing any more", "nothing held", "released", (state.lapsed[who],))


@check("ready.uses-reaction", on=ActionTaken, group="act", rank=4)
def a_readied_act_takes_the_reaction(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if (fact.event.action.cost or "").casefold() != "held" or who not in state.held:
        return None
    used = tuple(use.seq for use in uses(state.spending, who, "reaction") if state.deeds[use.seq].counts)
    return Breach(f"{who} has used its reaction", "none left", "another", used) if used else None


@check("ready.spell", on=ActionHeld)
def only_spells_of_one_action_are_readied(state: FifthState, fact: Occurrence[ActionHeld]) -> Breach | None:
    action, one = fact.event.action, state.combatants[fact.event.combatant]
    entry = figures.spell_of(one, action) if action and action.kind.casefold() == "cast" else None
    if entry is None or entry.cost in (None, "action"):
        return None
    return Breach(f"{entry.name} takes {entry.cost}", "an action", entry.cost or "", one.records("entries"))
