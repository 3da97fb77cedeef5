"""Rules that are broken on purpose: a breach records facts of which the last is unlawful, and names the rule; or it tells none.

Where another fact than the last one is reported, the breach names its seq as well.
"""

from collections.abc import Callable
from typing import Any

from tests.lawful.tables.fifth_edition.people import ENTRIES, GRID, MELEE, WEAPONS, Someone, somebody
from tests.lawful.tables.fifth_edition.play import SHORT, Table, apart

Told = str | tuple[str, int] | None
Breach = Callable[[Table], Told]
BREACHES: list[tuple[Breach, set[str], dict[str, str]]] = []
"""Each breach with the moments at which it can be told, and with the options that it needs."""


def at(*moments: str, **options: str) -> Callable[[Breach], Breach]:
    """Enter a breach in the list."""

    def enter(breach: Breach) -> Breach:
        BREACHES.append((breach, set(moments), {name.replace("_", "-"): value for name, value in options.items()}))
        return breach

    return enter


def turn(table: Table) -> Someone:
    """Return whose turn it is."""
    assert table.turn
    return table.turn


def facts(table: Table) -> Callable[..., int]:
    """Note what is known, and return what records facts without noting any more."""
    table.note()
    table.unsure = 10_000
    return table.fight.tell


def act(table: Table, one: Someone, kind: str, cost: str = "", **more: Any) -> int:
    """Record an act that is not paid."""
    fields = {name: more.pop(name) for name in ("trigger", "cause") if name in more}
    action = {"kind": kind, **({"cost": cost} if cost else {}), **more}
    return table.fight.tell("action_taken", combatant=one.id, action=action, **fields)


def feet(amount: int) -> dict[str, Any]:
    """Return a distance."""
    return {"amount": amount, "unit": "ft"}


def foes(table: Table, one: Someone) -> list[Someone]:
    """Return those of another side who are up and can act."""
    return [other for other in table.up() if other.side != one.side and table.able(other)]


def walks(table: Table, one: Someone) -> bool:
    """Say whether a combatant can walk."""
    return not one.prone and not table.still(one) and "frightened" not in table.conditions(one)


def melee(table: Table, one: Someone) -> Someone | None:
    """Return a combatant who is up and can be struck."""
    close = [
        other for other in table.up() if other is not one and (not table.ground or apart(one.square, other.square) <= 1)
    ]
    return table.dice.choice(close) if close else None


def mods(table: Table, one: Someone, weapon: str) -> list[dict[str, Any]]:
    """Return the modifiers of an attack with a weapon."""
    ability = WEAPONS[weapon].get("ability", "dexterity" if weapon == "longbow" else "strength")
    proficiency = {"name": "proficiency", "amount": one.proficiency}
    return [{"name": SHORT[ability], "amount": one.mod(ability)}, proficiency, *table.wear(one)]


# ------------------------------------------------------------ order and rounds


def newcomer(table: Table) -> Someone:
    """Let a combatant join, and return it."""
    tell = facts(table)
    one = somebody(table.dice, "pip", table.fight.seq, table.option("hp-floor"))
    tell("combatant_joined", combatant=one.id, side=one.side, sheet=one.sheet())
    return one


@at("set")
def wrong_total(table: Table) -> Told:
    one = newcomer(table)
    table.fight.tell("initiative_rolled", combatant=one.id, die=7, total=7 + one.bonus + table.dice.choice((-1, 2)))
    return "initiative.dexterity-check"


@at("set")
def wrong_bonus(table: Table) -> Told:
    one = newcomer(table)
    table.fight.tell("initiative_rolled", combatant=one.id, die=7, bonus=one.bonus + 1)
    return "initiative.dexterity-check"


@at("set")
def wrong_die_of_order(table: Table) -> Told:
    one = newcomer(table)
    table.fight.tell("initiative_rolled", combatant=one.id, die=table.dice.choice((0, 21)))
    return "initiative.dexterity-check"


@at("set", edition="2024")
def surprised_keeps_the_higher(table: Table) -> Told:
    one = newcomer(table)
    table.fight.tell(
        "surprise_settled", surprised=[*(each.id for each in table.people.values() if each.surprised), one.id]
    )
    die = {"notation": "2d20kl1", "faces": [15, 6], "dropped": [1]}
    table.fight.tell("initiative_rolled", combatant=one.id, die=die)
    return "surprise.disadvantage"


@at("late")
def turn_without_a_place(table: Table) -> Told:
    one = newcomer(table)
    table.fight.tell("turn_started", combatant=one.id)
    return "initiative.everyone-rolls"


@at("turn")
def delays(table: Table) -> Told:
    facts(table)("turn_delayed", combatant=turn(table).id)
    return "initiative.order-fixed"


@at("late", missing_facts="silent")
def second_turn(table: Table) -> Told:
    again = [one for one in table.had if table.able(one) and one is not table.turn]
    if not table.told or not again:
        return None
    facts(table)("turn_started", combatant=table.dice.choice(again).id)
    return "round.one-turn-each"


def to_come(table: Table) -> list[Someone]:
    """Return who is due in this round, in order: nobody who came too late for it."""
    return [one for one in table.order() if one not in table.had and not one.waits and not one.dead]


@at("late", missing_facts="silent")
def jumps(table: Table) -> Told:
    due = to_come(table)
    if not table.told or len(due) < 2 or due[0].rank != due[1].rank or due[0].total == due[1].total:
        return None
    tell = facts(table)
    seq = tell("turn_started", combatant=due[1].id)
    tell("turn_started", combatant=due[0].id)
    return "round.turns-in-order", seq


@at("late", missing_facts="silent")
def breaks_a_decided_tie(table: Table) -> Told:
    due = to_come(table)
    if not table.told or len(due) < 2 or due[0].rank == due[1].rank or due[0].total != due[1].total:
        return None
    tell = facts(table)
    seq = tell("turn_started", combatant=due[1].id)
    tell("turn_started", combatant=due[0].id)
    return "initiative.ties-decided", seq


@at("late", missing_facts="silent")
def wrong_round(table: Table) -> Told:
    if not table.told:
        return None
    number = table.dice.choice((table.round, table.round + 2))
    facts(table)("round_started", round=number)
    return "round.ends-after-all"


@at("late", missing_facts="silent")
def ends_another_round(table: Table) -> Told:
    if not table.told:
        return None
    facts(table)("round_ended", round=table.round + 1)
    return "round.ends-after-all"


# ------------------------------------------------------------ surprise, acts, budgets


@at("helpless", edition="2014")
def acts_surprised(table: Table) -> Told:
    one = turn(table)
    if not one.surprised or one.zero or one.dead or table.conditions(one) != {"surprised"}:
        return None
    tell = facts(table)
    if table.chance(0.5):
        act(table, one, "search", table.dice.choice(("action", "action")))
    else:
        tell("moved", combatant=one.id, distance=feet(5))
    return "surprise.first-turn-lost"


@at("turn", "late", edition="2014")
def reacts_surprised(table: Table) -> Told:
    caught = [one for one in table.up() if table.conditions(one) == {"surprised"} and one is not table.turn]
    if not caught:
        return None
    facts(table)
    act(table, table.dice.choice(caught), "ability", "reaction", name="parry")
    return "surprise.no-reaction"


@at("turn")
def second_action(table: Table) -> Told:
    if turn(table).action or turn(table).unpriced:
        return None
    facts(table)
    act(table, turn(table), table.dice.choice(("search", "dodge", "dash", "disengage")), "action")
    return "turn.one-action"


@at("turn", unstated_cost="own-price")
def second_action_at_its_own_price(table: Table) -> Told:
    if turn(table).action:
        return None
    facts(table)
    act(table, turn(table), "search")
    return "turn.one-action"


@at("turn")
def readies_as_a_second_action(table: Table) -> Told:
    if turn(table).action or turn(table).unpriced:
        return None
    facts(table)("action_held", combatant=turn(table).id, action={"kind": "dash"}, awaiting="the bell")
    return "turn.one-action"


@at("turn")
def second_bonus_action(table: Table) -> Told:
    one = turn(table)
    if not one.bonus_spent or not {"second wind", "cunning action"} & set(one.entries):
        return None
    facts(table)
    name = "second wind" if "second wind" in one.entries else "cunning action"
    act(table, one, "ability", "bonus", name=name)
    return "bonus-action.one"


@at("turn")
def bonus_action_by_nothing(table: Table) -> Told:
    one = turn(table)
    if not one.entries or one.bonus_spent or any(entry["cost"] == "bonus" for entry in one.entries.values()):
        return None
    facts(table)
    act(table, one, "search", "bonus")
    return "bonus-action.needs-grant"


@at("turn")
def second_object(table: Table) -> Told:
    if turn(table).object:
        return None
    facts(table)
    act(table, turn(table), "handle", "free", name="door")
    return "object.one-free"


@at("turn")
def one_attack_more(table: Table) -> Told:
    one = turn(table)
    target = melee(table, one)
    if one.action or not one.struck_with or one.striking > 0 or not target:
        return None
    facts(table)
    act(table, one, "attack", "attack", name=one.weapons[0], targets=[target.id], manner=["melee"])
    return "act.attack"


@at("turn", "late")
def acts_in_the_turn_of_another(table: Table) -> Told:
    others = [one for one in table.up() if one is not table.turn and table.able(one) and not one.surprised]
    if not table.turn or not others:
        return None
    one, tell = table.dice.choice(others), facts(table)
    if walks(table, one) and table.chance(0.4):
        tell("moved", combatant=one.id, distance=feet(5))
    else:
        act(table, one, "search", "action")
    return "turn.own-turn-only"


@at("turn", "late")
def readies_in_the_turn_of_another(table: Table) -> Told:
    others = [one for one in table.up() if one is not table.turn and table.able(one) and not one.surprised]
    if not table.turn or not others:
        return None
    one = table.dice.choice(others)
    facts(table)("action_held", combatant=one.id, action={"kind": "attack", "name": "longbow"}, awaiting="the bell")
    return "act.ready"


@at("turn", "late")
def second_reaction(table: Table) -> Told:
    spent = [one for one in table.up() if not one.reaction and table.able(one) and not one.surprised]
    if not spent:
        return None
    facts(table)
    act(table, table.dice.choice(spent), "ability", "reaction", name="parry")
    return "reaction.one-until-own-turn"


@at("turn", "late", "helpless")
def acts_incapacitated(table: Table) -> Told:
    out = [one for one in table.up() if "incapacitated" in table.conditions(one) and not one.surprised]
    if not out:
        return None
    one = table.dice.choice(out)
    facts(table)
    cost = "reaction" if one is not table.turn else table.dice.choice(("action", "reaction"))
    act(table, one, "ability", cost, name="parry")
    return "incapacitated.no-acts"


@at("turn", "late", "helpless")
def acts_dead(table: Table) -> Told:
    dead = [one for one in table.people.values() if one.dead]
    if not dead:
        return None
    one, tell = table.dice.choice(dead), facts(table)
    match table.dice.randint(0, 2):
        case 0:
            act(table, one, "attack", "action", name="longsword")
        case 1:
            tell("moved", combatant=one.id, distance=feet(5))
        case 2:
            tell("save_rolled", combatant=one.id, purpose="death", die=12)
    return "dead.out"


@at("turn")
def looses_what_lapsed(table: Table) -> Told:
    one = turn(table)
    others = [each for each in table.up() if each is not one and table.able(each) and not each.held and each.reaction]
    others = [each for each in others if not each.surprised]
    armed = [
        each
        for each in others
        if any(fact["type"] == "action_held" and fact["combatant"] == each.id for fact in table.fight.facts)
    ]
    armed = [each for each in armed if each in table.had]
    if not armed or not walks(table, one) or table.feet(one) < 5 or table.ground:
        return None
    tell, other = facts(table), table.dice.choice(armed)
    seq = tell("moved", combatant=one.id, distance=feet(5))
    act(table, other, "attack", "held", name="longbow", targets=[one.id], manner=["ranged"], trigger=seq)
    return "ready.lapses"


@at("turn")
def looses_without_a_reaction(table: Table) -> Told:
    one = turn(table)
    armed = [each for each in table.up() if each is not one and table.able(each) and each.held and not each.reaction]
    if not armed or not walks(table, one) or table.feet(one) < 5 or table.ground:
        return None
    tell, other = facts(table), table.dice.choice(armed)
    seq = tell("moved", combatant=one.id, distance=feet(5))
    act(table, other, "attack", "held", name="longbow", targets=[one.id], manner=["ranged"], trigger=seq)
    return "ready.uses-reaction"


@at("turn")
def reacts_a_turn_late(table: Table) -> Told:
    began = table.begun(turn(table))
    old = [
        (seq, fact["combatant"])
        for seq, fact in enumerate(table.fight.facts, 2)
        if fact["type"] == "moved" and seq < began and "mode" not in fact and fact["combatant"] != turn(table).id
    ]
    others = [
        (one, seq) for one in table.up() for seq, who in old
        if one.reaction and table.able(one) and not one.surprised and who != one.id and one is not table.turn
    ]  # fmt: skip
    if not others or table.ground:
        return None
    (one, seq), _ = table.dice.choice(others), facts(table)
    act(table, one, "ability", "reaction", name="parry", trigger=seq)
    return "reaction.after-trigger"


@at("turn")
def shields_from_a_move(table: Table) -> Told:
    one = turn(table)
    able = [
        each
        for each in table.up()
        if "shield" in each.entries and each.reaction and table.able(each) and not each.surprised
    ]
    able = [each for each in able if each is not one and table.may_cast(each, "shield")]
    if not able or not walks(table, one) or table.feet(one) < 5 or table.ground:
        return None
    other, tell = table.dice.choice(able), facts(table)
    seq = tell("moved", combatant=one.id, distance=feet(5))
    act(table, other, "cast", "reaction", name="shield", targets=[other.id], trigger=seq)
    return "reaction.needs-trigger"


# ------------------------------------------------------------ movement


@at("turn")
def goes_too_far(table: Table) -> Told:
    one = turn(table)
    if one.tired or not walks(table, one):  # an exhausted one breaks the clause on exhaustion
        return None
    facts(table)("moved", combatant=one.id, distance=feet(table.feet(one) + 5))
    return "move.up-to-speed"


@at("turn")
def goes_backwards(table: Table) -> Told:
    one = turn(table)
    if not walks(table, one):
        return None
    facts(table)("moved", combatant=one.id, distance=feet(-5))
    return "move.up-to-speed"


@at("turn")
def swims_too_far(table: Table) -> Told:
    one = turn(table)
    if one.tired or not walks(table, one) or table.feet(one) < 10:
        return None
    facts(table)("moved", combatant=one.id, distance=feet(table.feet(one)), mode=table.dice.choice(("swim", "climb")))
    return "move.extra-cost"


@at("turn")
def flies_without_wings(table: Table) -> Told:
    one = turn(table)
    if not walks(table, one) or table.feet(one) < 5:
        return None
    facts(table)("moved", combatant=one.id, distance=feet(5), mode=table.dice.choice(("fly", "burrow")))
    return "move.several-speeds"


@at("turn")
def moves_at_speed_zero(table: Table) -> Told:
    one = turn(table)
    if not table.still(one) or one.prone:
        return None
    facts(table)("moved", combatant=one.id, distance=feet(5))
    return "condition.speed-zero"


@at("turn")
def walks_prone(table: Table) -> Told:
    one = turn(table)
    if not one.prone or table.still(one) or table.feet(one) < 10 or "frightened" in table.conditions(one):
        return None
    facts(table)("moved", combatant=one.id, distance=feet(5), mode="walk")
    return "move.prone-crawls"


@at("turn")
def stands_up_with_no_feet_left(table: Table) -> Told:
    one = turn(table)
    if not one.prone or (not table.still(one) and table.feet(one) >= table.pace(one) // 2):
        return None
    facts(table)
    act(table, one, "stand-up", "movement")
    return "move.stand-up"


@at("turn", edition="2024")
def drops_at_speed_zero(table: Table) -> Told:
    one = turn(table)
    if one.prone or not table.still(one):
        return None
    facts(table)
    act(table, one, "drop-prone", "none")
    return "move.drop-prone"


@at("turn")
def jumps_too_far(table: Table) -> Told:
    one = turn(table)
    far = 5 * (one.scores["strength"] // 5 + 1)
    if not walks(table, one) or table.feet(one) < far:
        return None
    facts(table)("moved", combatant=one.id, distance=feet(far), mode="long-jump")
    return "move.jump"


@at("turn")
def goes_through_a_foe(table: Table) -> Told:
    one = turn(table)
    x, y = one.square
    for other in foes(table, one) if table.ground and walks(table, one) and table.feet(one) >= 30 else ():
        beyond = (2 * other.square[0] - x, 2 * other.square[1] - y)
        if apart(one.square, other.square) == 1 and beyond in GRID and beyond not in table.taken(one):
            facts(table)("moved", combatant=one.id, path=[[x, y], list(other.square), list(beyond)])
            return "move.through-others"
    return None


@at("turn", edition="2024")
def ends_on_an_ally(table: Table) -> Told:
    one = turn(table)
    for other in table.up() if table.ground and walks(table, one) and table.feet(one) >= 15 else ():
        if apart(one.square, other.square) == 1 and other.side == one.side:
            tell = facts(table)
            tell("moved", combatant=one.id, path=[list(one.square), list(other.square)])
            tell("turn_ended", combatant=one.id)
            return "move.no-ending-in-others"
    return None


@at("turn")
def comes_nearer_to_what_it_fears(table: Table) -> Told:
    one = turn(table)
    fears = [
        each.source for each in table.lasting if each.name == "frightened" and one.id in each.bearers and each.source
    ]
    if not fears or not table.ground or one.prone or table.still(one) or table.feet(one) < 10:
        return None
    feared = table.people[fears[0]].square
    near = [
        square for square in GRID
        if apart(square, one.square) == 1 and apart(square, feared) < apart(one.square, feared)
        and square not in table.taken(one)
    ]  # fmt: skip
    if not near or table.people[fears[0]].dead:
        return None
    facts(table)("moved", combatant=one.id, path=[list(one.square), list(near[0])])
    return "frightened.no-approach"


# ------------------------------------------------------------ attack rolls


def blow(table: Table, **options: Any) -> tuple[Someone, Someone, str, int] | None:
    """Record an attack that is in order; return who strikes whom with what, and its seq."""
    one = turn(table)
    weapon = table.dice.choice([name for name in one.weapons if name in MELEE])
    target = options.get("target") or melee(table, one)
    if not one.action or not target:
        return None
    facts(table)
    seq = act(table, one, "attack", "action", name=weapon, targets=[target.id], manner=["melee"])
    return one, target, weapon, seq


def plain(table: Table, target: Someone) -> bool:
    """Say whether nothing is special about hitting a target."""
    return not table.conditions(target) & {"paralyzed", "unconscious"}


def roll(table: Table, told: tuple[Someone, Someone, str, int], die: Any, **said: Any) -> int:
    """Record the roll of such an attack."""
    one, target, weapon, seq = told
    modifiers = said.pop("modifiers", None) or mods(table, one, weapon)
    return table.fight.tell(
        "attack_rolled", combatant=one.id, target=target.id, die=die, modifiers=modifiers, cause=seq, **said
    )


@at("turn")
def wrong_attack_total(table: Table) -> Told:
    if not (told := blow(table)):
        return None
    roll(
        table,
        told,
        10,
        total=10 + sum(each["amount"] for each in mods(table, told[0], told[2])) + table.dice.choice((-1, 3)),
    )
    return "attack.total"


@at("turn")
def wrong_attack_die(table: Table) -> Told:
    if not (told := blow(table)):
        return None
    roll(table, told, table.dice.choice((0, 21)))
    return "attack.total"


@at("turn")
def wrong_hit(table: Table) -> Told:
    if not (told := blow(table)):
        return None
    die = table.dice.randint(2, 18)
    hit = die + sum(each["amount"] for each in mods(table, told[0], told[2])) >= told[1].ac
    roll(table, told, die, hit=not hit)
    return "attack.meets-ac"


@at("turn")
def twenty_that_misses(table: Table) -> Told:
    if not (told := blow(table)):
        return None
    roll(table, told, 20, hit=False)
    return "attack.natural-twenty"


@at("turn")
def twenty_that_is_not_critical(table: Table) -> Told:
    target = melee(table, turn(table))
    if not target or not plain(table, target) or not (told := blow(table, target=target)):
        return None
    roll(table, told, 20, critical=False)
    return "attack.natural-twenty"


@at("turn")
def one_that_hits(table: Table) -> Told:
    if not (told := blow(table)):
        return None
    roll(table, told, 1, hit=True)
    return "attack.natural-one"


@at("turn")
def wrong_die_kept(table: Table) -> Told:
    if not (told := blow(table)):
        return None
    high = table.chance(0.5)
    roll(table, told, {"notation": f"2d20k{'h' if high else 'l'}1", "faces": [9, 12], "dropped": [1 if high else 0]})
    return "advantage.two-dice"


@at("turn")
def too_much_cover(table: Table) -> Told:
    if not (told := blow(table)):
        return None
    cover = table.dice.choice(
        (
            [{"name": "half cover", "amount": 4, "to": "ac"}],
            [
                {"name": "half cover", "amount": 2, "to": "ac"},
                {"name": "three-quarters cover", "amount": 5, "to": "ac"},
            ],
        )
    )
    roll(table, told, 2, modifiers=[*mods(table, told[0], told[2]), *cover])
    return "cover.bonus"


@at("turn")
def strikes_the_covered(table: Table) -> Told:
    if not (told := blow(table)):
        return None
    roll(table, told, 2, modifiers=[*mods(table, told[0], told[2]), {"name": "total cover", "amount": 0, "to": "ac"}])
    return "cover.total"


@at("turn")
def strikes_out_of_reach(table: Table) -> Told:
    one = turn(table)
    far = [other for other in table.up() if table.ground and apart(one.square, other.square) > 1]
    if not far or not (told := blow(table, target=table.dice.choice(far))):
        return None
    roll(table, told, 5)
    return "attack.reach"


@at("turn", conditions_as_effects="named-alike")
def helpless_is_hit_plainly(table: Table) -> Told:
    one = turn(table)
    helpless = [
        other for other in table.up()
        if table.ground and other is not one and apart(one.square, other.square) <= 1 and not plain(table, other)
    ]  # fmt: skip
    if not helpless or not (told := blow(table, target=helpless[0])):
        return None
    if 18 + sum(each["amount"] for each in mods(table, one, told[2])) < told[1].ac:
        return None
    roll(table, told, 18, critical=False)
    return "condition.automatic-critical"


@at("turn")
def other_hand_before_the_attack(table: Table) -> Told:
    one = turn(table)
    target = melee(table, one)
    light = [name for name in one.weapons if "light" in WEAPONS[name]["properties"]]
    if not target or not light or one.struck_with or one.bonus_spent:
        return None
    facts(table)
    act(table, one, "attack", "bonus", name=light[0], targets=[target.id], manner=["offhand"])
    return "two-weapon.bonus-attack"


@at("turn")
def other_hand_with_a_heavy_weapon(table: Table) -> Told:
    one = turn(table)
    target = melee(table, one)
    heavy = [name for name in one.weapons if "light" not in WEAPONS[name]["properties"] and name in MELEE]
    light = one.struck_with and "light" in WEAPONS[one.struck_with]["properties"]
    if not target or not heavy or not light or one.bonus_spent or one.action:
        return None
    facts(table)
    name = table.dice.choice((one.struck_with, heavy[0]))
    act(table, one, "attack", "bonus", name=name, targets=[target.id], manner=["offhand"])
    return "two-weapon.bonus-attack"


# ------------------------------------------------------------ opportunity attacks


def strikers(table: Table, one: Someone) -> list[Someone]:
    """Return foes who can strike now."""
    return [other for other in foes(table, one) if other.reaction and not table.idle(other, reacting=True)]


def opportunity(table: Table, one: Someone, target: Someone, seq: int, weapon: str = "", manner: str = "melee") -> None:
    """Record a strike at a combatant who leaves."""
    name = weapon or next(name for name in one.weapons if name in MELEE)
    act(table, one, "attack", "opportunity", name=name, targets=[target.id], manner=[manner], trigger=seq)


@at("turn")
def strikes_within_reach(table: Table) -> Told:
    one = turn(table)
    for other in strikers(table, one) if table.ground and walks(table, one) and table.feet(one) >= 15 else ():
        ring = [square for square in GRID if apart(square, other.square) == 1 and apart(square, one.square) == 1]
        ring = [square for square in ring if square not in table.taken(one)]
        if apart(one.square, other.square) == 1 and ring and not one.disengaged:
            seq = facts(table)("moved", combatant=one.id, path=[list(one.square), list(ring[0])])
            opportunity(table, other, one, seq)
            return "opportunity.leaving-reach"
    return None


def leaving(table: Table, one: Someone, other: Someone) -> list[list[int]] | None:
    """Return a path of one square out of a combatant's reach."""
    away = [square for square in GRID if apart(square, other.square) == 2 and apart(square, one.square) == 1]
    away = [square for square in away if square not in table.taken(one)]
    if apart(one.square, other.square) == 1 and away:
        return [list(one.square), list(away[0])]
    return None


@at("turn")
def strikes_the_disengaged(table: Table) -> Told:
    one = turn(table)
    for other in strikers(table, one) if table.ground and walks(table, one) and table.feet(one) >= 15 else ():
        path = leaving(table, one, other)
        if path and (one.disengaged or one.action):
            tell = facts(table)
            if not one.disengaged:
                act(table, one, "disengage", "action")
            opportunity(table, other, one, tell("moved", combatant=one.id, path=path))
            return "opportunity.not-provoked"
    return None


@at("turn")
def strikes_the_pushed(table: Table) -> Told:
    one = turn(table)
    for other in strikers(table, one) if table.ground else ():
        if path := leaving(table, one, other):
            opportunity(table, other, one, facts(table)("moved", combatant=one.id, path=path, forced=True))
            return "opportunity.not-provoked"
    return None


@at("turn")
def shoots_at_the_leaving(table: Table) -> Told:
    one = turn(table)
    for other in strikers(table, one) if table.ground and walks(table, one) and table.feet(one) >= 15 else ():
        path = leaving(table, one, other)
        if path and not one.disengaged:
            seq = facts(table)("moved", combatant=one.id, path=path)
            opportunity(table, other, one, seq, "longbow", "ranged")
            return "opportunity.one-melee-attack"
    return None


# ------------------------------------------------------------ damage and healing


def hit(table: Table, target: Someone | None = None, die: int = 19) -> tuple[Someone, Someone, str, int] | None:
    """Record an attack that hits, and its roll; return who hits whom with what, and the seq of the roll."""
    one = turn(table)
    target = target or melee(table, one)
    if not target or not plain(table, target) or one.critical < 20 or not (told := blow(table, target=target)):
        return None
    if die + sum(each["amount"] for each in mods(table, one, told[2])) < told[1].ac:
        return None
    return (*told[:3], roll(table, told, die))


def harm(
    table: Table, told: tuple[Someone, Someone, str, int], count: int, wrong: int, flat: int | None = None
) -> None:
    """Record the damage of such a hit: with so many dice more than it has, so far from right, with another flat part."""
    one, target, weapon, seq = told
    dice, faces = map(int, WEAPONS[weapon]["dice"].split("d"))
    ability = WEAPONS[weapon].get("ability", "strength")
    part = table.part(weapon, "weapon", dice + count, faces, WEAPONS[weapon]["damage_type"])
    plus = one.mod(ability) if flat is None else flat
    raw = max(0, sum(part["dice"]["faces"]) + plus)
    amount = table.share(target, WEAPONS[weapon]["damage_type"], raw) + wrong
    parts = [part, {"name": SHORT[ability], "kind": "modifier", "amount": plus}]
    table.fight.tell("damage_dealt", target=target.id, amount=amount, source=one.id, parts=parts, cause=seq)


def sensitive(table: Table, target: Someone, weapon: str) -> bool:
    """Say whether a target takes damage of a weapon otherwise than others."""
    kind = WEAPONS[weapon]["damage_type"]
    return any(kind in kinds for kinds in target.defences.values()) or "petrified" in table.conditions(target)


@at("turn")
def wrong_sum_of_damage(table: Table) -> Told:
    target = melee(table, turn(table))
    if not target or not target.defences or any(target.defences.values()) or "petrified" in table.conditions(target):
        return None
    if not (told := hit(table, target)):
        return None
    harm(table, told, 0, 7)
    return "damage.amount"


@at("turn")
def dice_too_many(table: Table) -> Told:
    if not (told := hit(table)):
        return None
    harm(table, told, 1, 0)
    return "critical.dice-twice"


@at("turn")
def strength_too_great(table: Table) -> Told:
    if not (told := hit(table)):
        return None
    ability = WEAPONS[told[2]].get("ability", "strength")
    harm(table, told, 0, 0, told[0].mod(ability) + 2)
    return "damage.weapon-modifier"


@at("turn")
def damage_below_nothing(table: Table) -> Told:
    one, tell = table.dice.choice(list(table.people.values())), facts(table)
    tell("damage_dealt", target=one.id, amount=-3, cause=table.fate())
    return "damage.amount"


def bolted(table: Table, field: str, factor: float) -> bool:
    """Record fire on a combatant whose sheet names it, taken as if it did not; say whether there is such a combatant."""
    one = turn(table)
    for other in table.up():
        named = [name for name, kinds in other.defences.items() if "fire" in kinds]
        if named == [field] and other is not one and "petrified" not in table.conditions(other):
            parts = [
                {"name": "oil", "kind": "base", "dice": {"notation": "2d6", "faces": [6, 6]}, "damage_type": "fire"}
            ]
            facts(table)("damage_dealt", target=other.id, amount=int(12 * factor), parts=parts, cause=table.fate())
            return True
    return False


@at("turn")
def resists_for_nothing(table: Table) -> Told:
    return "resistance.halves" if bolted(table, "resistances", 1) else None


@at("turn")
def resists_twice(table: Table) -> Told:
    return "resistance.no-stacking" if bolted(table, "resistances", 0.25) else None


@at("turn")
def is_not_vulnerable(table: Table) -> Told:
    return "vulnerability.doubles" if bolted(table, "vulnerabilities", 1) else None


@at("turn")
def is_not_immune(table: Table) -> Told:
    return "immunity.nothing" if bolted(table, "immunities", 1) else None


@at("turn")
def healed_below_nothing(table: Table) -> Told:
    facts(table)("healed", target=turn(table).id, amount=-3, cause=table.fate())
    return "healing.to-maximum"


@at("turn", "late", "helpless")
def heals_the_dead(table: Table) -> Told:
    dead = [one for one in table.people.values() if one.dead]
    if not dead:
        return None
    tell = facts(table)
    tell("healed", target=table.dice.choice(dead).id, amount=4, cause=table.fate())
    return "healing.not-the-dead"


@at("turn")
def knocks_out_with_a_bow(table: Table) -> Told:
    one = turn(table)
    weak = [other for other in table.up() if other is not one and other.hp + other.temp <= 12 and not other.defences]
    if (
        not weak
        or not one.action
        or not plain(table, weak[0])
        or 19 + one.mod("dexterity") + one.proficiency < weak[0].ac
    ):
        return None
    tell, target = facts(table), weak[0]
    seq = act(table, one, "attack", "action", name="longbow", targets=[target.id], manner=["ranged"])
    seq = tell(
        "attack_rolled", combatant=one.id, target=target.id, die=19, modifiers=mods(table, one, "longbow"), cause=seq
    )
    tell("damage_dealt", target=target.id, amount=12, cause=seq, nonlethal=True)
    return "zero.knock-out"


# ------------------------------------------------------------ death saves


@at("turn", "late")
def death_save_of_the_living(table: Table) -> Told:
    well = [one for one in table.up() if one.character]
    if not well:
        return None
    facts(table)("save_rolled", combatant=table.dice.choice(well).id, purpose="death", die=12)
    return "death-save.due"


@at("late")
def second_death_save(table: Table) -> Told:
    one = table.turn
    if not one or one.dead or one.stable or not one.zero or not one.rolled or not table.mortal(one):
        return None
    if table.fight.facts[-1].get("purpose") != "death" or table.fight.facts[-1]["combatant"] != one.id:
        return None
    facts(table)("save_rolled", combatant=one.id, purpose="death", die=12)
    return "death-save.due"


@at("dying")
def wrong_outcome_of_a_death_save(table: Table) -> Told:
    die = table.dice.randint(2, 19)
    facts(table)("save_rolled", combatant=turn(table).id, purpose="death", die=die, succeeded=die < 10)
    return "death-save.outcome"


@at("turn")
def first_aid_that_failed(table: Table) -> Told:
    one = turn(table)
    dying = [
        other for other in table.others(one) if other.zero and not other.stable and table.mortal(other) == "character"
    ]
    dying = [other for other in dying if not table.ground or apart(one.square, other.square) <= 1]
    if not dying or not one.action:
        return None
    tell, other, mod = facts(table), dying[0], one.mod("wisdom")
    seq = act(table, one, "stabilize", "action", targets=[other.id])
    wis = [{"name": "wis", "amount": mod}]
    seq = tell("dice_rolled", combatant=one.id, purpose="medicine", die=9 - mod, modifiers=wis, dc=10, cause=seq)
    tell("condition_gained", condition="stable", targets=[other.id], cause=seq)
    return "stable.first-aid"


@at("dying")
def stable_by_too_few_successes(table: Table) -> Told:
    one = turn(table)
    if one.made > 1:
        return None
    tell = facts(table)
    seq = tell("save_rolled", combatant=one.id, purpose="death", die=12)
    tell("condition_gained", condition="stable", targets=[one.id], cause=seq)
    return "death-save.three"


# ------------------------------------------------------------ saves and checks


@at("turn", "late")
def save_wrongly_told(table: Table) -> Told:
    one = table.dice.choice(table.up())
    die, mod, dc = table.dice.randint(1, 20), one.mod("wisdom"), 12
    told: dict[str, Any] = {"total": die + mod + 1}
    if table.chance(0.5):
        told = {"dc": dc, "succeeded": die + mod < dc}
    wis = [{"name": "wis", "amount": mod}]
    facts(table)("save_rolled", combatant=one.id, save="wisdom", die=die, modifiers=wis, **told)
    return "save.total"


@at("turn", "late", "helpless")
def helpless_makes_a_save(table: Table) -> Told:
    kinds = {"paralyzed", "petrified", "stunned", "unconscious"}
    helpless = [one for one in table.up() if table.conditions(one) & kinds]
    if not helpless:
        return None
    one = table.dice.choice(helpless)
    dex = [{"name": "dex", "amount": one.mod("dexterity")}]
    facts(table)("save_rolled", combatant=one.id, save="dexterity", die=20, modifiers=dex, dc=5, succeeded=True)
    return "condition.fails-saves"


@at("turn", "late", "helpless")
def sees_or_hears_all_the_same(table: Table) -> Told:
    for one in table.up():
        for name, sense, rule in (("blinded", "sight", "blinded.sight"), ("deafened", "hearing", "deafened.hearing")):
            if name in table.conditions(one):
                purpose = f"perception ({sense})"
                facts(table)("dice_rolled", combatant=one.id, purpose=purpose, die=19, dc=5, succeeded=True)
                return rule
    return None


@at("turn", edition="2014")
def lower_one_wins(table: Table) -> Told:
    pair = [one.id for one in table.up()][:2]
    if len(pair) < 2:
        return None
    contenders = [{"combatant": who, "using": "insight", "die": die} for who, die in zip(pair, (9, 14), strict=True)]
    facts(table)("contest_rolled", about="staring", contenders=contenders, winner=pair[0])
    return "contest.higher-wins"


# ------------------------------------------------------------ spells


def spells(one: Someone, *costs: str) -> list[str]:
    """Return the spells of one of these costs on a combatant's sheet."""
    return [name for name, entry in one.entries.items() if name in ENTRIES and entry["cost"] in costs]


@at("turn")
def casts_too_fast(table: Table) -> Told:
    one = turn(table)
    names = [name for name in spells(one, "action") if name != "cure wounds"]
    if not names or one.bonus_spent or one.spells or not any(each["cost"] == "bonus" for each in one.entries.values()):
        return None
    facts(table)
    act(table, one, "cast", "bonus", name=table.dice.choice(names), targets=[one.id])
    return "spell.casting-time"


@at("turn", edition="2014")
def second_spell_beside_a_bonus_spell(table: Table) -> Told:
    one = turn(table)
    names = [name for name in spells(one, "action") if ENTRIES[name]["level"] and name != "cure wounds"]
    if not names or not one.action or not any(cost == "bonus" for cost, _ in one.spells):
        return None
    facts(table)
    act(table, one, "cast", "action", name=names[0], targets=[one.id])
    return "spell.bonus-action-bar"


@at("turn", edition="2024")
def second_slot_in_a_turn(table: Table) -> Told:
    one = turn(table)
    names = [name for name in spells(one, "action") if ENTRIES[name]["level"] and name != "cure wounds"]
    names = [name for name in names if one.slots.get(ENTRIES[name]["level"])]
    if not names or not one.action or not one.slots_spent:
        return None
    tell = facts(table)
    seq = act(table, one, "cast", "action", name=names[0], targets=[one.id])
    slot = f"level {ENTRIES[names[0]]['level']} spell slot"
    tell("resource_changed", combatant=one.id, resource=slot, amount=-1, cause=seq)
    return "spell.one-slot-a-turn"


def casting(table: Table, level: int | None = None) -> tuple[Someone, str, int] | None:
    """Record a cast with an action that is in order; return who casts what, and its seq."""
    one = turn(table)
    names = [name for name in spells(one, "action") if name != "cure wounds" and table.may_cast(one, name)]
    names = [
        name for name in names if (ENTRIES[name]["level"] == level if level is not None else ENTRIES[name]["level"])
    ]
    if not names or not one.action:
        return None
    facts(table)
    return one, names[0], act(table, one, "cast", "action", name=names[0], targets=[one.id])


@at("turn")
def two_slots_for_one_spell(table: Table) -> Told:
    one = turn(table)
    if min(one.slots.values(), default=0) < 2 or not (told := casting(table)):
        return None
    slot = f"level {ENTRIES[told[1]]['level']} spell slot"
    table.fight.tell("resource_changed", combatant=told[0].id, resource=slot, amount=-2, cause=told[2])
    return "slot.spent"


@at("turn")
def slot_too_low(table: Table) -> Told:
    if not turn(table).slots.get(1) or not turn(table).slots.get(2) or not (told := casting(table, 2)):
        return None
    table.fight.tell("resource_changed", combatant=told[0].id, resource="level 1 spell slot", amount=-1, cause=told[2])
    return "slot.spent"


@at("turn")
def slot_that_is_not_left(table: Table) -> Told:
    one = turn(table)
    names = [name for name in spells(one, "action") if one.slots.get(ENTRIES[name]["level"]) == 0]
    names = [name for name in names if name != "cure wounds"]
    if not names or not one.action or one.spells or one.slots_spent:
        return None
    tell = facts(table)
    seq = act(table, one, "cast", "action", name=names[0], targets=[one.id])
    slot = f"level {ENTRIES[names[0]]['level']} spell slot"
    tell("resource_changed", combatant=one.id, resource=slot, amount=-1, cause=seq)
    return "slot.none-left"


@at("turn")
def slot_for_a_cantrip(table: Table) -> Told:
    if not turn(table).slots.get(1) or turn(table).slots_spent or turn(table).spells or not (told := casting(table, 0)):
        return None
    table.fight.tell("resource_changed", combatant=told[0].id, resource="level 1 spell slot", amount=-1, cause=told[2])
    return "slot.not-needed"


@at("turn")
def speaks_though_silenced(table: Table) -> Told:
    one = turn(table)
    names = [name for name in spells(one, "bonus") if table.may_cast(one, name)]
    if not names or one.bonus_spent:
        return None
    tell = facts(table)
    tell("condition_gained", condition="silenced", targets=[one.id], cause=table.fate())
    act(table, one, "cast", "bonus", name=names[0], targets=[one.id])
    return "component.verbal"


@at("turn")
def touches_from_afar(table: Table) -> Told:
    one = turn(table)
    far = [other for other in table.up() if table.ground and apart(one.square, other.square) > 1]
    if not far or not one.action or "cure wounds" not in one.entries or not table.may_cast(one, "cure wounds"):
        return None
    facts(table)
    act(table, one, "cast", "action", name="cure wounds", targets=[far[0].id])
    return "spell.range"


@at("turn")
def wrong_spell_dc(table: Table) -> Told:
    one = turn(table)
    others = table.others(one)
    if "sacred flame" not in one.entries or not one.action or not table.may_cast(one, "sacred flame") or not others:
        return None
    tell, target = facts(table), others[0]
    seq = act(table, one, "cast", "action", name="sacred flame", targets=[target.id])
    tell("save_rolled", combatant=target.id, save="dexterity", die=2, dc=one.dc + 1, cause=seq)
    return "spell.save-dc"


@at("turn")
def wrong_spell_attack(table: Table) -> Told:
    one = turn(table)
    others = table.others(one)
    if "fire bolt" not in one.entries or not one.action or not table.may_cast(one, "fire bolt") or not others:
        return None
    tell, target = facts(table), others[0]
    seq = act(table, one, "cast", "action", name="fire bolt", targets=[target.id])
    bonus = [{"name": "spell attack", "amount": one.spell_attack + 2}]
    tell("attack_rolled", combatant=one.id, target=target.id, die=2, modifiers=bonus, cause=seq)
    return "spell.attack-bonus"


@at("turn")
def half_for_a_save_not_taken(table: Table) -> Told:
    one = turn(table)
    others = [
        other for other in table.others(one) if not other.zero and other.defences and not any(other.defences.values())
    ]
    others = [other for other in others if not table.conditions(other)]
    if not others or "burning hands" not in one.entries or not one.action or not table.may_cast(one, "burning hands"):
        return None
    tell, target = facts(table), others[0]
    allows = {"save": "dexterity", "dc": one.dc, "half": True}
    seq = act(table, one, "cast", "action", name="burning hands", targets=[target.id], allows_save=allows)
    mod = target.mod("dexterity")
    dex = [{"name": "dex", "amount": mod}]
    tell("save_rolled", combatant=target.id, save="dexterity", die=20, modifiers=dex, dc=one.dc, cause=seq)
    if 20 + mod < one.dc:
        return None
    part = table.part("burning hands", "spell", 3, 6, "fire")
    tell("damage_dealt", target=target.id, amount=sum(part["dice"]["faces"]), source=one.id, parts=[part], cause=seq)
    return "save.half"


# ------------------------------------------------------------ concentration, durations, conditions


@at("turn", "late", "helpless", one_source="same-cause")
def wrong_dc_of_concentration(table: Table) -> Told:
    focused = [one for one in table.up() if table.focus(one) and one.hp > 25]
    if not focused:
        return None
    one, tell = table.dice.choice(focused), facts(table)
    amount = table.dice.choice((8, 24))
    seq = tell("damage_dealt", target=one.id, amount=amount, cause=table.fate())
    dc = 11 if amount == 8 else 10
    tell("save_rolled", combatant=one.id, save="constitution", die=20, purpose="concentration", dc=dc, cause=seq)
    return "concentration.dc"


@at("turn", "late", "helpless")
def over_before_its_time(table: Table) -> Told:
    timed = [each for each in table.lasting if each.owner and each.turns > 1 and not each.condition and not each.parent]
    if not timed:
        return None
    each = timed[0]
    facts(table)("effect_ended", effect=each.name, targets=each.bearers, source=each.source, reason="expired")
    return "duration.runs-out"


@at("turn", "late", "helpless", edition="2024")
def dismissed_while_incapacitated(table: Table) -> Told:
    out = [one for one in table.up() if "incapacitated" in table.conditions(one)]
    if not out:
        return None
    tell = facts(table)
    fate = table.fate()
    long = {"amount": 8, "unit": "hour"}
    tell("effect_started", effect="mage armor", targets=[out[0].id], source=out[0].id, duration=long, cause=fate)
    tell("effect_ended", effect="mage armor", targets=[out[0].id], source=out[0].id, reason="dismissed")
    return "duration.dismiss"


@at("turn")
def blessed_twice(table: Table) -> Told:
    tell = facts(table) if turn(table).action and melee(table, turn(table)) else None
    if not tell:
        return None
    tell("effect_started", effect="bless", targets=[turn(table).id], cause=table.fate())
    told = blow(table)
    assert told
    bless = [{"name": "bless", "amount": 2}, {"name": "bless", "amount": 3}]
    roll(table, told, 3, modifiers=[*mods(table, told[0], told[2]), *bless])
    return "effect.same-spell"


@at("turn")
def attacks_who_has_charmed_it(table: Table) -> Told:
    one = turn(table)
    target = melee(table, one)
    if not target or not one.action:
        return None
    tell = facts(table)
    tell("condition_gained", condition="charmed", targets=[one.id], source=target.id, cause=table.fate())
    told = blow(table, target=target)
    assert told
    return "charmed.no-harm", told[3]


@at("turn", advantage="compared")
def rolls_as_if_nothing_were(table: Table) -> Told:
    """Throw one die, or the wrong two, where only one clause gives or takes advantage."""
    one = turn(table)
    target = melee(table, one)
    causes = table.causes(one, target, "melee") if target else None
    if not target or not causes or table.state(*causes) not in ("advantage", "disadvantage"):
        return None
    rules = {*causes[0].values(), *causes[1].values()}
    if len(rules) != 1 or not (told := blow(table, target=target)):
        return None
    roll(table, told, 2)
    return rules.pop()


# ------------------------------------------------------------ grapples


@at("turn", edition="2014")
def grapples_though_the_contest_is_lost(table: Table) -> Told:
    one = turn(table)
    target = melee(table, one)
    if not target or not one.action or "incapacitated" in table.conditions(target):
        return None
    tell = facts(table)
    seq = act(table, one, "grapple", "action", targets=[target.id])
    contenders = [
        {"combatant": who.id, "using": "athletics", "die": die, "modifiers": [{"name": "athletics", "amount": 2}]}
        for who, die in ((one, table.dice.choice((8, 12))), (target, 12))
    ]
    seq = tell("contest_rolled", about="grapple", contenders=contenders, cause=seq)
    tell("condition_gained", condition="grappled", targets=[target.id], source=one.id, cause=seq)
    return "grapple.contest"


@at("turn", edition="2024")
def grapples_though_the_save_is_made(table: Table) -> Told:
    one = turn(table)
    target = melee(table, one)
    if (
        not target
        or not one.action
        or "incapacitated" in table.conditions(target)
        or "grappled" in table.conditions(target)
    ):
        return None
    tell = facts(table)
    seq = act(table, one, "grapple", "action", targets=[target.id], manner=["unarmed"])
    dc = 8 + one.mod("strength") + one.proficiency
    mod = target.mod("strength")
    strength = [{"name": "str", "amount": mod}]
    if 20 + mod < dc:
        return None
    seq = tell(
        "save_rolled",
        combatant=target.id,
        save="strength",
        die=20,
        modifiers=strength,
        purpose="grapple",
        dc=dc,
        cause=seq,
    )
    tell("condition_gained", condition="grappled", targets=[target.id], source=one.id, cause=seq)
    return "grapple.save"


@at("turn", edition="2024")
def hides_in_plain_sight(table: Table) -> Told:
    one = turn(table)
    if not one.action or "poisoned" in table.conditions(one):
        return None
    tell = facts(table)
    seq = act(table, one, "hide", "action")
    seq = tell(
        "dice_rolled", combatant=one.id, purpose="stealth", die=7, modifiers=[{"name": "dex", "amount": 3}], cause=seq
    )
    tell("condition_gained", condition="hidden", targets=[one.id], cause=seq)
    return "act.hide"


@at("turn")
def rides_something_too_small(table: Table) -> Told:
    one = turn(table)
    target = melee(table, one)
    if not target or table.still(one) or table.feet(one) < 20 or one.prone:
        return None
    facts(table)
    act(table, one, "mount", "movement", targets=[target.id])
    return "mount.size"


@at("turn")
def falls_softly(table: Table) -> Told:
    one = table.dice.choice(table.up())
    tell = facts(table)
    seq = tell("moved", combatant=one.id, distance=feet(30), mode="fall", forced=True, cause=table.fate())
    part = {"name": "fall", "kind": "base", "dice": {"notation": "2d6", "faces": [3, 4]}, "damage_type": "bludgeoning"}
    amount = table.share(one, "bludgeoning", 7)
    if not amount:
        return None
    tell("damage_dealt", target=one.id, amount=amount, parts=[part], cause=seq)
    return "hazard.falling"


@at("turn", edition="2024")
def forgets_exhaustion(table: Table) -> Told:
    one = turn(table)
    target = melee(table, one)
    if not target or not one.action or one.tired:
        return None
    tell = facts(table)
    tell("condition_gained", condition="exhaustion", targets=[one.id], detail="2", cause=table.fate())
    told = blow(table, target=target)
    assert told
    roll(table, told, 3, total=3 + sum(each["amount"] for each in mods(table, one, told[2])))
    return "exhaustion.penalty"


@at("turn")
def latecomer_has_a_turn_after_its_place(table: Table) -> Told:
    if not table.told or table.option("missing-facts") == "notice" or table.option("initiative-tie") == "roll-off":
        return None
    if table.option("newcomer") == "open":
        return None
    tell, one = facts(table), newcomer(table)
    tell("initiative_rolled", combatant=one.id, total=40)
    seq = tell("turn_started", combatant=one.id)
    return "initiative.latecomer", seq
