"""Checks of range and reach."""

from __future__ import annotations

from eventstore.events import AttackRolled
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.attacks.circumstances import (
    deed_behind,
    distance,
    manner_of,
    target_of,
    too_far_away,
    weapon_used,
)
from projections.rulesets.fifth_edition.attacks.hits import too_far_in_water
from projections.rulesets.fifth_edition.movement.positions import reach, records
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check


@check("attack.range", on=AttackRolled)
def shots_go_no_farther_than_they_can(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event, deed = fact.event, deed_behind(state, fact.cause)
    if not manner_of(state, event, deed) & {"ranged", "thrown"}:
        return None
    weapon = weapon_used(state, event, deed)
    feet, reaches = distance(state, deed, event.combatant, target_of(event)), figures.ranges(weapon)
    if feet is None or reaches is None or feet <= reaches[1] or too_far_in_water(state, fact, deed):
        return None
    whom = target_of(event)
    return too_far_away(whom, feet, reaches[1], records(state, event.combatant, whom))


@check("attack.reach", on=AttackRolled)
def blows_reach_no_farther(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event, deed = fact.event, deed_behind(state, fact.cause)
    manner, one = manner_of(state, event, deed), state.combatants[event.combatant]
    if not manner & {"melee", "unarmed", "offhand"} or manner & {"thrown", "ranged"}:
        return None
    weapon = weapon_used(state, event, deed)
    feet, most = distance(state, deed, one.id, target_of(event)), reach(one, weapon)
    thrown = "offhand" in manner and "melee" not in manner and figures.ranges(weapon)
    if feet is None or feet <= most or thrown:
        return None
    whom = target_of(event)
    return too_far_away(whom, feet, most, records(state, one.id, whom))
