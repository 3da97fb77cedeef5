"""Ways to break a rule of swallowing, and of held moves."""

from tests.lawful.breaking import Broken, only
from tests.lawful.tables.definition_master.breaches import breach, some
from tests.lawful.tables.definition_master.play import Table
from tests.lawful.tables.definition_master.sums import SIZES


@breach("turn")
def one_too_big_is_swallowed(table: Table) -> Broken:
    up = table.up
    near = [foe for foe in table.near(up) if 0 < SIZES[up.size] - SIZES[foe.size] < 12]
    at = some(table, near) if up.size == "huge" and not up.prone else None
    return ("swallow.size", table.act(up, "swallow", at)) if at else None


@breach("swallowed")
def a_way_out_by_too_small_a_cut(table: Table) -> Broken:
    up = table.up
    only(up.inside)
    out = {"condition": "swallowed", "targets": [up.name], "reason": "cuts a way out"}
    return "swallow.cut-out", table.tell("condition_lost", **out)


@breach("down")
def one_who_fainted_inside_acts(table: Table) -> Broken:
    return ("swallow.unconscious", table.act(table.up, "speak")) if table.up.fainted else None


@breach("turn")
def a_held_move_carried_out_as_an_attack(table: Table) -> Broken:
    up = table.up
    foes = [foe for foe in table.foes(up) if foe.holds == up.name and foe.goes_when and table.may_react(foe)]
    near = [foe for foe in foes if table.reaches(foe, up.square, surely=True) and not (foe.grappling or foe.disarmed)]
    who = some(table, near)
    only(not up.fooled and not up.grappling)
    trigger = table.act(up, "belt-item")
    action = {"kind": "attack", "name": who.weapon.name, "targets": [up.name], "cost": "held"}
    told = table.tell("action_taken", combatant=who.name, action=action, trigger=trigger)
    return "held.names-action-and-trigger", told
