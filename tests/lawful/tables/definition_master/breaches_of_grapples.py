"""Ways to break a rule of grapples and of held actions."""

from typing import Any

from tests.lawful.tables.definition_master.breaches import BREACHES, Broken, breach, some, walk, wrong_strike
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.play import Table

__all__ = ["BREACHES"]


def opposed(
    table: Table, about: str, at: Body, act: int, dice: tuple[int, int], answer: str = "grapple", **more: Any
) -> int:
    """Record an opposed grapple roll of the one whose turn it is; return its seq."""
    mine = {"combatant": table.up.name, "using": "grapple", "die": dice[0]}
    theirs = {"combatant": at.name, "using": answer, "die": dice[1]}
    return table.tell("contest_rolled", about=about, contenders=[mine, theirs], cause=act, **more)


# ---------------------------------------------------------------- by who is held


@breach("grappling")
def one_who_is_held_walks_away(table: Table) -> Broken | None:
    move = table.up.hold == "held" and walk(table, table.up, 5)
    return ("grapple.no-moving", move) if move else None


@breach("grappling")
def a_weapon_that_does_not_fit_in_a_grapple(table: Table) -> Broken | None:
    up = table.up
    at = up.held_by or up.holding
    if not at or up.hold not in {"", "held"} or up.disarmed or up.weapon.name == "dagger":
        return None
    return "grapple.weapons", table.act(up, "attack", at, name=up.weapon.name)


@breach("grappling")
def an_attack_by_one_who_is_pinned(table: Table) -> Broken | None:
    up = table.up
    if not up.held_by or up.hold not in {"pinned", "exposed"}:
        return None
    return "grapple.pin", table.act(up, "attack", up.held_by, name="unarmed", manner=["unarmed"])


@breach("grappling")
def two_tries_to_get_away(table: Table) -> Broken | None:
    up, other = table.up, table.up.held_by
    if not other or table.answer(up, "escape")[1] > table.grip(other)[1] + 17:
        return None
    for _ in range(2):
        act = table.act(up, "escape")
        told = opposed(table, "escape", other, act, (1, 20))
    return "grapple.escape-each-turn", told


@breach("grappling")
def a_spell_with_gestures_by_one_who_is_held(table: Table) -> Broken | None:
    up = table.up
    if not up.held_by:
        return None
    return "grapple.no-somatic", table.act(up, "cast", name="glow", components=["somatic"])


# ---------------------------------------------------------------- by who holds


@breach("grappling")
def one_who_is_not_pinned_exposed(table: Table) -> Broken | None:
    at = table.up.holding
    if not at or at.hold != "held" or not at.awake:
        return None
    act = table.act(table.up, "expose", at)
    return "grapple.expose-pinned-only", opposed(table, "expose", at, act, (20, 1))


@breach("grappling")
def damage_of_a_broken_bone(table: Table) -> Broken | None:
    at = table.up.holding
    if (
        not at
        or not at.awake
        or at.hp - at.nld < 6
        or table.grip(at)[1] > table.grip(table.up)[1] + 10
        or at.hold not in {"held", "pinned"}
    ):
        return None
    contest = opposed(table, "break", at, table.act(table.up, "break", at), (20, 1))
    return "grapple.break", table.tell("damage_dealt", target=at.name, amount=2, source=table.up.name, cause=contest)


@breach("grappling")
def escape_artist_against_a_break(table: Table) -> Broken | None:
    at = table.up.holding
    if not at or not at.awake or at.hold not in {"held", "pinned"}:
        return None
    return "grapple.option-escape-artist", opposed(
        table, "break", at, table.act(table.up, "break", at), (10, 2), "escape-artist"
    )


@breach("turn")
def a_strike_by_one_who_grapples(table: Table) -> Broken | None:
    up = table.up
    pair = [
        foe
        for foe in table.foes(up)
        if (foe.holding or foe.held_by) and table.may_strike(foe) and table.reaches(foe, up.square, surely=True)
    ]
    if up.fooled or not (who := some(table, [foe for foe in pair if not foe.disarmed])):
        return None
    return "grapple.no-threat", wrong_strike(table, who, table.act(up, "fetch-item"))


@breach("turn")
def a_grapple_in_place_of_an_attack(table: Table) -> Broken | None:
    near = table.beside(table.up)
    if not near or not table.attacks(table.up) or not table.up.awake or not near[0].awake or near[0].prone:
        return None
    return "standard.attacks-exclude-other-standard", table.act(table.up, "grapple", near[0])


# ---------------------------------------------------------------- held actions


def armed(table: Table) -> Body | None:
    """Return a foe that waits for what the one whose turn it is will do, and reaches it."""
    up = table.up
    foes = [
        foe
        for foe in table.foes(up)
        if foe.holds == up.name and table.may_react(foe) and not (foe.grappling or foe.goes_when)
    ]
    return some(table, [foe for foe in foes if table.reaches(foe, up.square, surely=True) and not up.fooled])


def released(table: Table, who: Body, **more: Any) -> int:
    """Record that a combatant carries out its held attack; return the seq."""
    action = {"kind": "attack", "name": who.weapon.name, "targets": [table.up.name], "cost": "held"}
    return table.tell("action_taken", combatant=who.name, action=action, **more)


@breach("turn")
def a_held_attack_without_its_trigger(table: Table) -> Broken | None:
    who = armed(table)
    return ("held.resolves-when-triggered", released(table, who)) if who else None


@breach("turn")
def a_held_attack_carried_out_as_a_trip(table: Table) -> Broken | None:
    if not (who := armed(table)) or table.up.prone:
        return None
    act = table.act(table.up, "belt-item")
    action = {"kind": "trip", "targets": [table.up.name], "cost": "held"}
    return "held.names-action-and-trigger", table.tell("action_taken", combatant=who.name, action=action, trigger=act)


@breach("turn")
def a_held_attack_after_a_strike(table: Table) -> Broken | None:
    who = armed(table)
    if not who or not table.threatens(who, table.up.square):
        return None
    act = table.act(table.up, "fetch-item")
    wrong_strike(table, who, act)
    return "immediate.aoo-excludes-others", released(table, who, trigger=act)


@breach("turn")
def a_strike_after_a_held_attack(table: Table) -> Broken | None:
    who = armed(table)
    if not who or not table.threatens(who, table.up.square):
        return None
    act = table.act(table.up, "fetch-item")
    released(table, who, trigger=act)
    return "immediate.other-excludes-aoo-and-counterspell", wrong_strike(table, who, act)


@breach("turn")
def a_held_attack_of_the_round_before(table: Table) -> Broken | None:
    foes = [foe for foe in table.foes(table.up) if foe.lapsed and not foe.holds and table.may_react(foe) and foe.taken]
    near = [foe for foe in foes if table.reaches(foe, table.up.square, surely=True) and not foe.grappling]
    if not (who := some(table, near)) or table.up.fooled:
        return None
    return "held.lost-at-next-turn", released(table, who, trigger=table.act(table.up, "belt-item"))


@breach("turn")
def a_standard_action_held_after_an_attack(table: Table) -> Broken | None:
    if not table.attacks(table.up) or not table.up.awake:
        return None
    action = {"kind": "attack", "name": table.up.weapon.name}
    return "held.move-or-standard", table.tell("action_held", combatant=table.up.name, action=action, awaiting="a cry")
