"""Checks of when and where a combatant moves."""

from __future__ import annotations

from eventstore.events import Moved
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.conditions import events_of, has, stops
from projections.rulesets.fifth_edition.movement.cost import FREE_MODES, is_own, mode_of
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check


@check("turn.own-turn-only", on=Moved)
def a_combatant_moves_in_its_own_turn(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    turn = state.clock.turn
    if not is_own(event) or fact.cause or event.cost in ("reaction", "none", "held") or not turn or state.has_turn(who):
        return None
    if state.combatants[who].status == "dead" or stops(state, who).value:
        return None
    return Breach(f"{who} moves in the turn of {turn}", "its own turn", turn, state.clock.events)


@check("move.forced", on=Moved)
def being_moved_costs_nothing(_state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event = fact.event
    if not (event.forced or mode_of(event) in FREE_MODES) or event.cost != "movement":
        return None
    return Breach(f"{event.combatant} is moved, and pays for it", "no cost", "movement")


@check("move.prone-crawls", on=Moved)
def the_prone_crawl(state: FifthState, fact: Occurrence[Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    found = has(state, who, "prone")
    if not found.value or not is_own(event) or fact.cause or event.mode not in (None, "walk"):
        return None
    if stops(state, who).value or state.combatants[who].status == "dead":
        return None
    severity = "breach" if event.mode else "notice"
    return Breach(f"{who} lies prone, and walks", "a crawl", "a walk", events_of(found), severity)
