"""Ways to break a rule of grapples and of held actions."""

from typing import Any

from tests.lawful.breaking import Broken, given, only
from tests.lawful.tables.definition_master.breaches import breach, some, walk
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.play import Table

# ---------------------------------------------------------------- by who is held


@breach("grappling")
def one_who_is_held_walks_away(table: Table) -> Broken:
    move = table.up.hold == "held" and walk(table, table.up, 5)
    return ("grapple.no-moving", move) if move else None


@breach("grappling")
def a_weapon_that_does_not_fit_in_a_grapple(table: Table) -> Broken:
    up = table.up
    at = given(up.held_by or up.holding)
    only(up.hold in {"", "held"} and not up.disarmed and up.weapon.name != "dagger")
    return "grapple.weapons", table.act(up, "attack", at, name=up.weapon.name)


@breach("grappling")
def an_attack_by_one_who_is_pinned(table: Table) -> Broken:
    up = table.up
    only(up.hold in {"pinned", "exposed"})
    return "grapple.pin", table.act(up, "attack", given(up.held_by), name="unarmed", manner=["unarmed"])


# ---------------------------------------------------------------- held actions


def armed(table: Table) -> Body:
    """Return a foe that waits for what the one whose turn it is will do, and reaches it."""
    up = table.up
    foes = [
        foe
        for foe in table.foes(up)
        if foe.holds == up.name and table.may_react(foe) and not (foe.grappling or foe.goes_when)
    ]
    return some(table, [foe for foe in foes if table.reaches(foe, up.square, surely=True)])


def released(table: Table, who: Body, **more: Any) -> int:
    """Record that a combatant carries out its held attack; return the seq."""
    action = {"kind": "attack", "name": who.weapon.name, "targets": [table.up.name], "cost": "held"}
    return table.tell("action_taken", combatant=who.name, action=action, **more)


@breach("turn")
def a_held_attack_without_its_trigger(table: Table) -> Broken:
    return "held.resolves-when-triggered", released(table, armed(table))


@breach("turn")
def a_held_attack_of_the_round_before(table: Table) -> Broken:
    foes = [foe for foe in table.foes(table.up) if foe.lapsed and not foe.holds and table.may_react(foe) and foe.taken]
    near = [foe for foe in foes if table.reaches(foe, table.up.square, surely=True) and not foe.grappling]
    who = some(table, near)
    return "held.lost-at-next-turn", released(table, who, trigger=table.act(table.up, "belt-item"))
