"""The Ready action: readied acts, their release, and how they are lost."""

from __future__ import annotations

from eventstore.events import ActionHeld, ActionTaken, Moved
from projections.because import Because, Derived
from projections.mechanics.resources import spend
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.act_checks import used_up
from projections.rulesets.fifth_edition.acts.deeds import IN_WORDS, is_released
from projections.rulesets.fifth_edition.shapes import Held
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives


@derives("act.ready", "ready.spell", on=ActionHeld)
def an_act_is_readied(state: FifthState, fact: Occurrence[ActionHeld]) -> None:
    """Keep the act that a combatant holds ready; a spell is held by concentration."""
    action, who = fact.event.action, fact.event.combatant
    name = (action.name or action.kind) if action else "an act"
    stop_holding(state, who, fact.seq)
    state.held[who] = Held(fact.seq, name, bool(action and action.kind.casefold() == "cast"), action)
    state.lapsed.pop(who, None)
    state.lost_spell.pop(who, None)


@derives("ready.spell")
def stop_holding(state: FifthState, who: str, seq: int) -> Held | None:
    """Return the act that a combatant held ready, and holds no longer; concentration on a spell ends with it."""
    held = state.held.pop(who, None)
    if held and held.spell:
        state.released_by[who] = Because(stop_holding.rules, (held.seq, seq))
    return held


def released(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[Moved]) -> str | None:
    """Return the combatant that releases a readied act; None if the act is not one."""
    event = fact.event
    if isinstance(event, Moved):
        held = state.held.get(event.combatant)
        cost = (event.cost or "").casefold()
        moves = held and (held.action.kind.casefold() == "move" if held.action else cost == "held")
        return event.combatant if moves and cost in ("held", "reaction") else None
    return event.combatant if is_released(state, event) else None


@derives("ready.uses-reaction", on=(ActionTaken, Moved))
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
    return Derived(found.name if found else "none", Because(held.rules, (seq,), {}, gone))


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
def a_readied_act_takes_the_reaction(state: FifthState, _fact: Occurrence[ActionTaken], who: str) -> Breach | None:
    return used_up(state, who, "reaction") if who in state.held else None


@check("ready.spell", on=ActionHeld)
def only_spells_of_one_action_are_readied(state: FifthState, fact: Occurrence[ActionHeld]) -> Breach | None:
    action, one = fact.event.action, state.combatants[fact.event.combatant]
    entry = figures.spell_of(state, one, action) if action and action.kind.casefold() == "cast" else None
    if action is None or entry is None or not entry.cost or entry.cost == "action":
        return None
    found = IN_WORDS.get(entry.cost, entry.cost)
    severity = figures.severity(one, action, "cost")
    return Breach(f"{entry.name} takes {found}", "an action", found, one.records("entries"), severity)
