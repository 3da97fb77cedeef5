"""Ways to break a rule of order, of the budget of a turn, or of what is done out of turn, that rest on what the fight has come to.

What breaks a rule in every fight alike is a breach of the rulebook.
"""

from typing import Any

from tests.lawful.breaking import Breach, Broken, entering, one_of, only
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.play import Table

BREACHES: list[Breach[Table]] = []
breach = entering(BREACHES)


def some(table: Table, found: list[Body]) -> Body:
    return one_of(table.dice, found)


def watcher(table: Table, *, other: str = "") -> Body:
    """Return a foe who could strike at the one whose turn it is, by any rule."""
    up = table.up
    foes = [foe for foe in table.foes(up) if table.threatens(foe, up.square) and table.may_react(foe) and not foe.holds]
    return some(table, [foe for foe in foes if not other or any(e["name"] == other for e in foe.entries)])


def wrong_strike(table: Table, who: Body, trigger: int, at: Body | None = None) -> int:
    """Record an attack of opportunity that misses; return its seq."""
    at = at or table.up
    action = {"kind": "attack", "name": who.weapon.name, "targets": [at.name], "cost": "opportunity"}
    act = table.tell("action_taken", combatant=who.name, action=action, trigger=trigger)
    table.rolls(who, at, table.parts(who, who.bonuses[0]), act, die=1, name=who.weapon.name)
    return act


# ---------------------------------------------------------------- the order


@breach("gap")
def a_round_begins_while_a_turn_is_open(table: Table) -> Broken:
    only(table.waiting())
    return "round.ends-at-top", table.tell("round_started", round=table.round + 1)


@breach("gap")
def a_turn_before_its_place(table: Table) -> Broken:
    waiting = table.waiting()
    tied = any("tie_with" in fact for fact in table.fight.facts)
    only(len(waiting) >= 2 and not table.moved and not tied)
    early = table.dice.choice(waiting[1:])
    return "initiative.d20-plus-bonus", table.tell("turn_started", combatant=early.name)


@breach("turn")
def a_delay_in_the_turn_of_another(table: Table) -> Broken:
    other = some(table, [each for each in table.people.values() if each is not table.up and each.taken and each.awake])
    return ("delay.own-turn-undeclared", table.tell("turn_delayed", combatant=other.name))


@breach("turn")
def a_delay_after_an_act(table: Table) -> Broken:
    only(table.steps(table.up))
    return "delay.no-actions-now", table.tell("turn_delayed", combatant=table.up.name)


@breach("gap")
def a_delayed_turn_taken_in_the_next_round(table: Table) -> Broken:
    late = [each for each in table.waiting()[1:] if each.name in table.forfeited and each.awake]
    only(table.passed and late)
    return "delay.later-in-round", table.tell("turn_resumed", combatant=late[0].name)


@breach("round")
def the_former_first_opens_a_round_after_its_delay(table: Table) -> Broken:
    who = table.people[table.first]
    only(table.moved and who not in table.waiting()[:1] and who.awake and table.moves == [who.name] and not table.held)
    return "delay.position-moves", table.tell("turn_started", combatant=who.name)


# ---------------------------------------------------------------- the budget


def walk(table: Table, who: Body, feet: int, **more: Any) -> int:
    """Record a move to an adjacent square and its length; return its seq, 0 if there is no way."""
    way = table.way(who, 1)
    if len(way) < 2:
        return 0
    who.square = way[-1]
    distance = {"amount": feet, "unit": "ft"}
    return table.tell("moved", combatant=who.name, path=[list(each) for each in way], distance=distance, **more)


@breach("turn")
def a_move_beyond_the_speed(table: Table) -> Broken:
    move = not table.up.prone and walk(table, table.up, table.up.speed + 5)
    return ("move.up-to-speed", move) if move else None


@breach("turn")
def a_step_and_a_move_for_one_move_action(table: Table) -> Broken:
    only(table.steps(table.up))
    near = table.near(table.up)
    only(not table.up.disarmed and near and walk(table, table.up, 5) and near[0] in table.near(table.up))
    return "step.in-place-of-move", table.act(table.up, "attack", near[0], name=table.up.weapon.name)


@breach("turn")
def a_wand_after_an_attack(table: Table) -> Broken:
    only(table.attacks(table.up) and table.up.awake)
    return "standard.attacks-exclude-other-standard", table.act(table.up, "use-item", name="wand of mending")


@breach("turn")
def two_swift_actions(table: Table) -> Broken:
    only(table.up.casts and table.hurries(table.up))
    return "swift.one-per-round", table.act(table.up, "cast", name="ward", cost="swift", granted_by="ward")


@breach("turn")
def full_defense_after_a_move(table: Table) -> Broken:
    only(table.steps(table.up))
    return "full-defense.full-round", table.act(table.up, "full-defense")


@breach("turn")
def a_charge_after_a_step(table: Table) -> Broken:
    up = table.up
    only(table.steps(up))
    lines = [(foe, way) for foe in table.near_lines(up) if (way := table.line(up, foe))]
    only(lines and not (up.prone or up.disarmed))
    at, way = table.dice.choice(lines)
    act = table.act(up, "charge", at)
    distance = {"amount": 5 * (len(way) - 1), "unit": "ft"}
    table.tell("moved", combatant=up.name, path=[list(each) for each in way], distance=distance, cause=act)
    return "charge.full-round", act


# ---------------------------------------------------------------- out of turn


@breach("turn")
def a_second_strike_without_a_feat(table: Table) -> Broken:
    who = watcher(table)
    only(not who.feats)
    table.strike(who, table.up, table.act(table.up, "fetch-item"))
    only(table.up.awake)
    return "aoo.one-without-feats", wrong_strike(table, who, table.act(table.up, "drink", cost="standard"))


@breach("turn")
def a_strike_after_a_stone(table: Table) -> Broken:
    who = watcher(table, other="warding stone")
    act = table.act(table.up, "fetch-item")
    action = {"kind": "ability", "name": "warding stone", "cost": "immediate", "granted_by": "warding stone"}
    table.tell("action_taken", combatant=who.name, action=action, trigger=act)
    return "immediate.other-excludes-aoo-and-counterspell", wrong_strike(table, who, act)


@breach("turn")
def a_strike_after_a_counterspell(table: Table) -> Broken:
    up = table.up
    who = some(table, [foe for foe in table.foes(up) if "counterspell" in foe.feats and table.may_react(foe)])
    only(up.casts and table.threatens(who, up.square))
    act, action = table.act(up, "cast", who, name="bolt"), {"kind": "counterspell", "granted_by": "counterspell"}
    table.tell("action_taken", combatant=who.name, action=action, trigger=act, succeeded=False)
    return "immediate.counterspell-excludes-others", wrong_strike(table, who, act)


@breach("turn")
def a_strike_that_nothing_provoked(table: Table) -> Broken:
    who = watcher(table)
    return ("aoo.on-leaving-threat", wrong_strike(table, who, table.fight.seq))


@breach("turn")
def a_strike_at_a_step(table: Table) -> Broken:
    who = watcher(table)
    only(table.steps(table.up))
    return "step.never-provokes", wrong_strike(table, who, table.fight.seq)


@breach("turn")
def a_strike_at_a_swift_action(table: Table) -> Broken:
    who = watcher(table)
    only(table.hurries(table.up))
    rules = "swift.never-provokes" if table.up.casts else "swift.potion-belt"
    return rules, wrong_strike(table, who, table.fight.seq)


# ---------------------------------------------------------------- held actions


def armed(table: Table) -> Body:
    """Return a foe that waits for what the one whose turn it is will do, and reaches it."""
    up = table.up
    foes = [foe for foe in table.foes(up) if foe.holds == up.name and table.may_react(foe) and not foe.goes_when]
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
    near = [foe for foe in foes if table.reaches(foe, table.up.square, surely=True)]
    who = some(table, near)
    return "held.lost-at-next-turn", released(table, who, trigger=table.act(table.up, "belt-item"))
