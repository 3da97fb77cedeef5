"""Casting times, and castings of a minute or more."""

from __future__ import annotations

from typing import Any

from eventstore.events import ActionHeld, ActionTaken, EffectStarted
from projections.because import Because
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.acts.deeds import IN_WORDS, cost_said, deed_of
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.spells.concentration import spell_name, stop
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant, TimelineRow


@check("spell.casting-time", on=ActionTaken, subject=deed_of)
def a_spell_takes_its_time(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[deed.who]
    entry = figures.spell_of(state, one, deed.action)
    said = cost_said(deed.action)
    if deed.kind != "cast" or deed.granted or "ritual" in deed.manner or entry is None or not entry.cost:
        return None
    if deed.cost == "held" or said in ("", "none", "opportunity", entry.cost.casefold()):
        return None
    wanted, found = (IN_WORDS.get(cost, cost) for cost in (entry.cost.casefold(), said))
    severity = figures.severity(one, deed.action, "cost")
    return Breach(f"{entry.name} takes {wanted}", wanted, found, one.records("entries"), severity)


@derives("spell.long-casting")
def casting(state: FifthState, one: Combatant) -> TimelineRow | None:
    """Return the row of the long casting of a combatant."""
    found = state.castings.get(one.id)
    if found is None or found.broken:
        return None
    because = Because(casting.rules, (found.seq,))
    return TimelineRow(state.clock.point, one.id, "begun", because, "cast", found.name, "action", events=(found.seq,))


@derives("spell.long-casting", on=(ActionTaken, ActionHeld))
def another_action_breaks_it(state: FifthState, fact: Occurrence[Any]) -> None:
    """Break a long casting by another action of the own turn."""
    found = state.castings.get(fact.event.combatant)
    if not found or found.broken:
        return
    deed = state.deeds[fact.seq]
    same = deed.kind == "cast" and spell_name(deed.action).casefold() == found.name.casefold()
    if deed.own and deed.counts and deed.cost == "action" and not same:
        stop(state, deed.who, Because(another_action_breaks_it.rules, (fact.seq,)))


@check("spell.long-casting", on=EffectStarted)
def a_broken_casting_has_no_effect(state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    deed = state.deeds.get(fact.cause)
    found = state.castings.get(deed.who if deed else fact.event.source)
    if found is None or found.broken is None:
        return None
    if deed.seq != found.seq if deed else fact.event.effect.casefold() != found.name.casefold():
        return None
    return Breach(f"the casting of {found.name} was broken", "no effect", fact.event.effect, found.broken.own().events)
