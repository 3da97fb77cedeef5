"""Checks of range and reach."""

from __future__ import annotations

from eventstore.events import AttackRolled
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.attacks.circumstances import deed_behind, distance, manner_of, target_of
from projections.rulesets.fifth_edition.attacks.hits import too_far_in_water
from projections.rulesets.fifth_edition.movement.positions import reach, records
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check


@check("attack.range", on=AttackRolled)
def shots_go_no_farther_than_they_can(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event, deed = fact.event, deed_behind(state, fact.cause)
    manner = manner_of(state, event, deed) & {"ranged", "thrown"}
    if not manner:
        return None
    weapon = figures.weapon_of(state.combatants[event.combatant], event.name or (deed.action.name if deed else None))
    feet, reaches = distance(state, deed, event.combatant, target_of(event)), figures.ranges(weapon)
    if feet is None or reaches is None or feet <= reaches[1] or too_far_in_water(state, fact, deed):
        return None
    where = records(state, event.combatant, target_of(event))
    return Breach(f"{event.target} is {feet} feet away", f"{reaches[1]} ft", f"{feet} ft", where)


@check("attack.reach", on=AttackRolled)
def blows_reach_no_farther(state: FifthState, fact: Occurrence[AttackRolled]) -> Breach | None:
    event, deed = fact.event, deed_behind(state, fact.cause)
    if deed is None:
        return None
    manner, one = manner_of(state, event, deed), state.combatants[event.combatant]
    if not manner & {"melee", "unarmed", "offhand"} or manner & {"thrown", "ranged"}:
        return None
    weapon = figures.weapon_of(one, event.name or deed.action.name)
    feet, most = distance(state, deed, one.id, target_of(event)), reach(one, weapon)
    thrown = "offhand" in manner and "melee" not in manner and figures.ranges(weapon)
    if feet is None or feet <= most or thrown:
        return None
    return Breach(
        f"{event.target} is {feet} feet away", f"{most} ft", f"{feet} ft", records(state, one.id, target_of(event))
    )
