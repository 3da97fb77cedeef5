"""Lying prone: standing up, dropping."""

from __future__ import annotations

from typing import Any

from eventstore.events import ActionTaken
from projections.because import Because, Derived
from projections.mechanics.conditions import matching
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.conditions import carries, events_of, fall_prone, lose, speed, stops
from projections.rulesets.fifth_edition.movement.feet_left import too_few_feet
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant


@derives("move.stand-up", "move.drop-prone", on=ActionTaken)
def prone_begins_or_ends(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let a combatant stand up, or drop prone."""
    who, kind = fact.event.combatant, fact.event.action.kind.casefold()
    if kind == "stand-up":
        lose(state, matching(state.conditions, "prone", (who,), None), Because(("move.stand-up",), (fact.seq,)))
    elif kind == "drop-prone":
        fall_prone(state, who, fact.seq)


def standstill(state: FifthState, one: Combatant) -> Derived[Any] | None:
    """Return why the speed of a combatant is 0; None if it is not, or nobody knows."""
    stopped, feet = stops(state, one.id), speed(state, one)
    return stopped if stopped.value else feet if feet.value == 0 else None


@check("move.stand-up", on=ActionTaken)
def standing_up_takes_half_the_speed(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    stands = fact.event.action.kind.casefold() == "stand-up" and one.status != "dead"
    return stays_down(state, one) if stands else None


def stays_down(state: FifthState, one: Combatant) -> Breach | None:
    """Return the breach of standing up without the speed for it; None if a combatant can."""
    if stopped := standstill(state, one):
        return Breach(f"the speed of {one.id} is 0", "not standing up", "standing up", events_of(stopped))
    return too_few_feet(state, one) if state.has_turn(one.id) else None


def bars(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return why a prone combatant cannot stand up now; None if it can, or does not lie."""
    found = stays_down(state, one) if what == "stand-up" and carries(state, one.id, "prone") else None
    return Because(("move.stand-up",), found.because) if found else None


@check("move.drop-prone", on=ActionTaken)
def a_combatant_drops_in_its_own_turn(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who, turn = fact.event.combatant, state.clock.turn
    if not state.is_new or fact.event.action.kind.casefold() != "drop-prone":
        return None
    if stopped := standstill(state, state.combatants[who]):
        return Breach(f"the speed of {who} is 0", "not dropping", "dropping prone", events_of(stopped))
    if not turn or state.has_turn(who):
        return None
    return Breach(f"{who} drops in the turn of {turn}", "its own turn", turn, state.clock.events)
