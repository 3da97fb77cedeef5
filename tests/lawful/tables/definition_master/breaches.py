"""Ways to break a rule of order, of the budget of a turn, or of what is done out of turn."""

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
    return some(
        table, [foe for foe in foes if not up.fooled and (not other or any(e["name"] == other for e in foe.entries))]
    )


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


@breach("joined", initiative_decimal="on")
def hundredths_of_a_negative_bonus_added_the_wrong_way(table: Table) -> Broken:
    who = some(table, [each for each in table.people.values() if each.initiative < 0])
    die = 12
    total = f"{die + who.initiative}.{-who.initiative:02}"
    return "initiative.decimal-suggestion", table.tell("initiative_rolled", combatant=who.name, die=die, total=total)


@breach("joined")
def a_turn_before_all_have_rolled(table: Table) -> Broken:
    first, *rest = table.people.values()
    table.tell("initiative_rolled", combatant=first.name, die=20)
    for each in rest[1:]:
        table.tell("initiative_rolled", combatant=each.name, die=1)
    table.tell("round_started", round=1)
    return "initiative.starts-combat", table.tell("turn_started", combatant=first.name)


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
def a_third_move(table: Table) -> Broken:
    table.act(table.up, "fetch-item")
    table.act(table.up, "fetch-item", cost="standard")
    return "turn.action-kinds", table.act(table.up, "fetch-item")


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
def two_free_actions_alike(table: Table) -> Broken:
    kind = table.dice.choice(("knowledge", "command-item", "belt-item"))
    table.act(table.up, kind)
    return "free.distinct-without-limit", table.act(table.up, kind)


@breach("turn")
def two_swift_actions(table: Table) -> Broken:
    only(table.up.casts and table.hurries(table.up))
    return "swift.one-per-round", table.act(table.up, "cast", name="ward", cost="swift", granted_by="ward")


@breach("turn")
def a_swift_action_without_an_entry(table: Table) -> Broken:
    if not table.up.prone:
        table.act(table.up, "drop-prone")
    return "swift.only-from-entries", table.act(table.up, "stand-up", cost="swift")


@breach("turn")
def a_swift_potion_without_a_belt(table: Table) -> Broken:
    only(not any(entry["name"] == "potion belt" for entry in table.up.entries))
    return "move-action.potion", table.act(table.up, "drink", cost="swift")


@breach("turn")
def full_defense_after_a_move(table: Table) -> Broken:
    only(table.steps(table.up))
    return "full-defense.full-round", table.act(table.up, "full-defense")


@breach("turn")
def a_swift_spell_in_full_defense(table: Table) -> Broken:
    only(table.up.casts and table.defends(table.up))
    return "full-round.no-swift", table.act(table.up, "cast", name="ward", cost="swift", granted_by="ward")


def charge(table: Table, feet: int) -> int:
    """Record a charge along a line, with so many feet (0: as many as it has); return the seq of its move, 0 if there is none."""
    up = table.up
    lines = [(foe, way) for foe in table.near_lines(up) if (way := table.line(up, foe))]
    if not lines or up.prone or up.disarmed:
        return 0
    at, way = table.dice.choice(lines)
    act = table.act(up, "charge", at)
    distance = {"amount": feet or 5 * (len(way) - 1), "unit": "ft"}
    return table.tell("moved", combatant=up.name, path=[list(each) for each in way], distance=distance, cause=act)


@breach("turn")
def a_charge_of_a_length_that_is_not_allowed(table: Table) -> Broken:
    move = charge(table, table.dice.choice((5, 2 * table.up.speed + 5)))
    return ("charge.distance", move) if move else None


@breach("turn")
def a_charge_after_a_step(table: Table) -> Broken:
    only(table.steps(table.up))
    move = charge(table, 0)
    return ("charge.full-round", move - 1) if move else None


@breach("turn")
def a_swift_spell_in_a_charge(table: Table) -> Broken:
    only(table.up.casts and charge(table, 0))
    return "charge.swift-exception", table.act(table.up, "cast", name="ward", cost="swift", granted_by="ward")


@breach("turn")
def a_charge_held(table: Table) -> Broken:
    held = table.tell("action_held", combatant=table.up.name, action={"kind": "charge"}, awaiting="the door opens")
    return "held.move-or-standard", held


@breach("turn")
def a_hold_without_a_trigger(table: Table) -> Broken:
    held = table.tell("action_held", combatant=table.up.name, action={"kind": "attack", "name": table.up.weapon.name})
    return "held.names-action-and-trigger", held


# ---------------------------------------------------------------- out of turn


@breach("turn")
def a_second_strike_without_a_feat(table: Table) -> Broken:
    who = watcher(table)
    only(not who.feats)
    table.strike(who, table.up, table.act(table.up, "fetch-item"))
    only(table.up.awake)
    return "aoo.one-without-feats", wrong_strike(table, who, table.act(table.up, "drink", cost="standard"))


def stone(table: Table, who: Body, trigger: int) -> int:
    action = {"kind": "ability", "name": "warding stone", "cost": "immediate", "granted_by": "warding stone"}
    return table.tell("action_taken", combatant=who.name, action=action, trigger=trigger)


@breach("turn")
def a_stone_after_a_strike(table: Table) -> Broken:
    who = watcher(table, other="warding stone")
    act = table.act(table.up, "fetch-item")
    table.strike(who, table.up, act)
    return "immediate.aoo-excludes-others", stone(table, who, act)


@breach("turn")
def a_strike_after_a_stone(table: Table) -> Broken:
    who = watcher(table, other="warding stone")
    act = table.act(table.up, "fetch-item")
    stone(table, who, act)
    return "immediate.other-excludes-aoo-and-counterspell", wrong_strike(table, who, act)


@breach("turn")
def the_stone_twice(table: Table) -> Broken:
    who = some(table, [foe for foe in table.foes(table.up) if foe.entries and table.may_react(foe)])
    only(who.entries[-1]["name"] == "warding stone")
    act = table.act(table.up, "fetch-item")
    stone(table, who, act)
    return "immediate.one-per-round", stone(table, who, act)


def counter(table: Table, who: Body, trigger: int) -> int:
    action = {"kind": "counterspell", "granted_by": "counterspell"}
    return table.tell("action_taken", combatant=who.name, action=action, trigger=trigger, succeeded=False)


def counterer(table: Table) -> Body:
    """Return a foe of a caster who has its counterspell left."""
    foes = [foe for foe in table.foes(table.up) if "counterspell" in foe.feats and table.may_react(foe)]
    only(foes and table.up.casts)
    return foes[0]


@breach("turn")
def a_second_counterspell_without_a_grant(table: Table) -> Broken:
    who = counterer(table)
    counter(table, who, table.act(table.up, "cast", who, name="bolt"))
    swift = table.act(table.up, "cast", name="ward", cost="swift", granted_by="ward")
    return "immediate.more-of-kind-by-grant", counter(table, who, swift)


@breach("turn")
def a_strike_after_a_counterspell(table: Table) -> Broken:
    who = counterer(table)
    only(table.threatens(who, table.up.square) and not table.up.fooled)
    act = table.act(table.up, "cast", who, name="bolt")
    counter(table, who, act)
    return "immediate.counterspell-excludes-others", wrong_strike(table, who, act)


@breach("turn")
def a_counterspell_without_the_feat(table: Table) -> Broken:
    who = some(table, [foe for foe in table.foes(table.up) if "counterspell" not in foe.feats and table.may_react(foe)])
    only(table.up.casts)
    action = {"kind": "counterspell"}
    act = table.act(table.up, "cast", who, name="bolt")
    return "counterspell.granted-while-cast", table.tell("action_taken", combatant=who.name, action=action, trigger=act)


@breach("turn")
def a_strike_that_nothing_provoked(table: Table) -> Broken:
    who = watcher(table)
    return ("aoo.on-leaving-threat", wrong_strike(table, who, table.fight.seq))


@breach("turn")
def a_strike_at_what_does_not_provoke(table: Table) -> Broken:
    who = watcher(table)
    kind, rule = table.dice.choice((("use-item", "aoo.other-provocations"), ("belt-item", "free.simple-retrieval")))
    return rule, wrong_strike(table, who, table.act(table.up, kind, name="wand of mending"))


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


@breach("turn")
def a_strike_at_a_melee_touch_spell(table: Table) -> Broken:
    who = watcher(table)
    only(table.up.casts)
    act = table.act(table.up, "cast", who, name="chill", manner=["melee-touch"])
    return "touch.melee-spell-quiet", wrong_strike(table, who, act)


@breach("turn")
def a_strike_at_a_tripper_by_another_than_the_defender(table: Table) -> Broken:
    who, near = watcher(table), table.beside(table.up)
    at = some(table, [foe for foe in near if foe is not who])
    only(not table.up.disarmed)
    act = table.act(table.up, "trip", at)
    table.rolls(table.up, at, table.parts(table.up, table.up.bonuses[0], best=True), act, touch=True, die=2)
    return "maneuver.provokes-from-defender", wrong_strike(table, who, act)
