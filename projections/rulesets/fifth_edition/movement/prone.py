"""Lying prone: standing up, dropping."""

from __future__ import annotations

from eventstore.events import ActionTaken
from projections.because import Because
from projections.mechanics.conditions import matching
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.conditions import events_of, fall_prone, lose, speed, stops
from projections.rulesets.fifth_edition.movement.feet_left import half_speed, overdrawn
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives


@derives("move.stand-up", "move.drop-prone", on=ActionTaken)
def prone_begins_or_ends(state: FifthState, fact: Occurrence[ActionTaken]) -> None:
    """Let whoever stands up lie prone no longer, and whoever drops lie."""
    who, kind = fact.event.combatant, fact.event.action.kind.casefold()
    if kind == "stand-up":
        lose(state, matching(state.conditions, "prone", (who,), None), Because(("move.stand-up",), (fact.seq,)))
    elif kind == "drop-prone":
        fall_prone(state, who, fact.seq)


@check("move.stand-up", on=ActionTaken)
def standing_up_takes_half_the_speed(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    if fact.event.action.kind.casefold() != "stand-up" or one.status == "dead":
        return None
    stopped, left, own = stops(state, one.id), overdrawn(state, one), speed(state, one)
    if stopped.value:
        return Breach(f"the speed of {one.id} is 0", "not standing up", "standing up", events_of(stopped))
    base = half_speed(state, one)
    if left is None or base is None or left >= base or not state.has_turn(one.id):
        return None
    events = (*events_of(own), *(each.seq for each in state.strides.get(one.id, ())))
    return Breach(f"{one.id} has {max(0, left)} feet left", f"{base} ft", f"{max(0, left)} ft", events)


@check("move.drop-prone", on=ActionTaken)
def one_drops_in_the_own_turn(state: FifthState, fact: Occurrence[ActionTaken]) -> Breach | None:
    who = fact.event.combatant
    if not state.is_new or fact.event.action.kind.casefold() != "drop-prone":
        return None
    stopped = stops(state, who)
    if stopped.value:
        return Breach(f"the speed of {who} is 0", "not dropping", "dropping prone", events_of(stopped))
    if state.clock.turn and not state.has_turn(who):
        return Breach(
            f"{who} drops in the turn of {state.clock.turn}", "its own turn", state.clock.turn, state.clock.events
        )
    return None
