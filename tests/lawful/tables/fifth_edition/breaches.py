"""Rules that are broken on purpose: a breach records facts of which the last is unlawful, and names the rule; or it tells none.

Where another fact than the last one is reported, the breach names its seq as well.
"""

from collections.abc import Callable
from typing import Any

from tests.lawful.breaking import Breach, Broken, entering, one_of, only
from tests.lawful.tables.fifth_edition.people import ENTRIES, GRID, MELEE, WEAPONS, Someone, somebody
from tests.lawful.tables.fifth_edition.play import SHORT, Table, apart

Told = str | Broken
BREACHES: list[Breach[Table]] = []
at = entering(BREACHES)


def in_turn(*moments: str, **options: str) -> Callable[[Callable[[Table, Someone], Told]], object]:
    return lambda tells: at(*(moments or ("turn",)), **options)(lambda table: tells(table, turn(table)))


def turn(table: Table) -> Someone:
    assert table.turn
    return table.turn


def facts(table: Table) -> Callable[..., int]:
    """Note what is known, and return what records facts without noting any more."""
    table.note()
    table.unsure = 10_000
    return table.fight.tell


def act(table: Table, one: Someone, kind: str, cost: str = "", **more: Any) -> int:
    fields = {name: more.pop(name) for name in ("trigger", "cause") if name in more}
    action = {"kind": kind, **({"cost": cost} if cost else {}), **more}
    return table.fight.tell("action_taken", combatant=one.id, action=action, **fields)


def feet(amount: int) -> dict[str, Any]:
    return {"amount": amount, "unit": "ft"}


def foes(table: Table, one: Someone) -> list[Someone]:
    """Return those of another side who are up and can act."""
    return [other for other in table.up() if other.side != one.side and table.able(other)]


def walks(table: Table, one: Someone) -> bool:
    return not one.prone and not table.still(one) and "frightened" not in table.conditions(one)


def melee(table: Table, one: Someone) -> Someone:
    close = [
        other for other in table.up() if other is not one and (not table.ground or apart(one.square, other.square) <= 1)
    ]
    return one_of(table.dice, close)


def mods(table: Table, one: Someone, weapon: str) -> list[dict[str, Any]]:
    ability = WEAPONS[weapon].get("ability", "dexterity" if weapon == "longbow" else "strength")
    proficiency = {"name": "proficiency", "amount": one.proficiency}
    return [{"name": SHORT[ability], "amount": one.mod(ability)}, proficiency, *table.wear(one)]


def bonus(table: Table, one: Someone, weapon: str) -> int:
    return sum(each["amount"] for each in mods(table, one, weapon))


# ------------------------------------------------------------ order and rounds


def newcomer(table: Table) -> Someone:
    tell = facts(table)
    one = somebody(table.dice, "pip", table.fight.seq, table.option("hp-floor"))
    tell("combatant_joined", combatant=one.id, side=one.side, sheet=one.sheet())
    return one


@at("set")
def wrong_total(table: Table) -> Told:
    one = newcomer(table)
    table.fight.tell("initiative_rolled", combatant=one.id, die=7, total=7 + one.bonus + table.dice.choice((-1, 2)))
    return "initiative.dexterity-check"


@at("late")
def turn_without_a_place(table: Table) -> Told:
    one = newcomer(table)
    table.fight.tell("turn_started", combatant=one.id)
    return "initiative.everyone-rolls"


@in_turn()
def delays(table: Table, one: Someone) -> Told:
    facts(table)("turn_delayed", combatant=one.id)
    return "initiative.order-fixed"


@at("late", missing_facts="silent")
def second_turn(table: Table) -> Told:
    again = [one for one in table.had if table.able(one) and one is not table.turn]
    only(table.told and again)
    facts(table)("turn_started", combatant=table.dice.choice(again).id)
    return "round.one-turn-each"


def to_come(table: Table) -> list[Someone]:
    """Return who is due in this round, in order: nobody who came too late for it."""
    return [one for one in table.order() if one not in table.had and not one.waits and not one.dead]


@at("late", missing_facts="silent")
def jumps(table: Table) -> Told:
    due = to_come(table)
    only(table.told and len(due) >= 2 and due[0].rank == due[1].rank and due[0].total != due[1].total)
    tell = facts(table)
    seq = tell("turn_started", combatant=due[1].id)
    tell("turn_started", combatant=due[0].id)
    return "round.turns-in-order", seq


@at("late", missing_facts="silent")
def breaks_a_decided_tie(table: Table) -> Told:
    due = to_come(table)
    only(table.told and len(due) >= 2 and due[0].rank != due[1].rank and due[0].total == due[1].total)
    tell = facts(table)
    seq = tell("turn_started", combatant=due[1].id)
    tell("turn_started", combatant=due[0].id)
    return "initiative.ties-decided", seq


@at("late", missing_facts="silent")
def wrong_round(table: Table) -> Told:
    only(table.told)
    number = table.dice.choice((table.round, table.round + 2))
    facts(table)("round_started", round=number)
    return "round.ends-after-all"


# ------------------------------------------------------------ surprise, acts, budgets


@at("turn", "late", edition="2014")
def reacts_surprised(table: Table) -> Told:
    caught = [one for one in table.up() if table.conditions(one) == {"surprised"} and one is not table.turn]
    only(caught)
    facts(table)
    act(table, table.dice.choice(caught), "ability", "reaction", name="parry")
    return "surprise.no-reaction"


@at("turn")
def second_action(table: Table) -> Told:
    only(not turn(table).action and not turn(table).unpriced)
    facts(table)
    act(table, turn(table), table.dice.choice(("search", "dodge", "dash", "disengage")), "action")
    return "turn.one-action"


@in_turn()
def second_bonus_action(table: Table, one: Someone) -> Told:
    only(one.bonus_spent and {"second wind", "cunning action"} & set(one.entries))
    facts(table)
    name = "second wind" if "second wind" in one.entries else "cunning action"
    act(table, one, "ability", "bonus", name=name)
    return "bonus-action.one"


@in_turn()
def bonus_action_by_nothing(table: Table, one: Someone) -> Told:
    only(one.entries and not one.bonus_spent and (not any(entry["cost"] == "bonus" for entry in one.entries.values())))
    facts(table)
    act(table, one, "search", "bonus")
    return "bonus-action.needs-grant"


@at("turn")
def second_object(table: Table) -> Told:
    only(not turn(table).object)
    facts(table)
    act(table, turn(table), "handle", "free", name="door")
    return "object.one-free"


@in_turn()
def one_attack_more(table: Table, one: Someone) -> Told:
    target = melee(table, one)
    only(not one.action and one.struck_with and one.striking <= 0)
    facts(table)
    act(table, one, "attack", "attack", name=one.weapons[0], targets=[target.id], manner=["melee"])
    return "act.attack"


@at("turn", "late")
def readies_in_the_turn_of_another(table: Table) -> Told:
    others = [one for one in table.up() if one is not table.turn and table.able(one) and not one.surprised]
    only(table.turn and others)
    one = table.dice.choice(others)
    facts(table)("action_held", combatant=one.id, action={"kind": "attack", "name": "longbow"}, awaiting="the bell")
    return "act.ready"


@at("turn", "late")
def second_reaction(table: Table) -> Told:
    spent = [one for one in table.up() if not one.reaction and table.able(one) and not one.surprised]
    only(spent)
    facts(table)
    act(table, table.dice.choice(spent), "ability", "reaction", name="parry")
    return "reaction.one-until-own-turn"


@in_turn()
def looses_without_a_reaction(table: Table, one: Someone) -> Told:
    armed = [each for each in table.up() if each is not one and table.able(each) and each.held and not each.reaction]
    only(armed and walks(table, one) and table.feet(one) >= 5 and not table.ground)
    tell, other = facts(table), table.dice.choice(armed)
    seq = tell("moved", combatant=one.id, distance=feet(5))
    act(table, other, "attack", "held", name="longbow", targets=[one.id], manner=["ranged"], trigger=seq)
    return "ready.uses-reaction"


# ------------------------------------------------------------ movement


@in_turn()
def goes_too_far(table: Table, one: Someone) -> Told:
    if one.tired or not walks(table, one):  # an exhausted one breaks the clause on exhaustion
        return None
    facts(table)("moved", combatant=one.id, distance=feet(table.feet(one) + 5))
    return "move.up-to-speed"


@in_turn()
def swims_too_far(table: Table, one: Someone) -> Told:
    only(not one.tired and walks(table, one) and table.feet(one) >= 10)
    facts(table)("moved", combatant=one.id, distance=feet(table.feet(one)), mode=table.dice.choice(("swim", "climb")))
    return "move.extra-cost"


@in_turn()
def flies_without_wings(table: Table, one: Someone) -> Told:
    only(walks(table, one) and table.feet(one) >= 5)
    facts(table)("moved", combatant=one.id, distance=feet(5), mode=table.dice.choice(("fly", "burrow")))
    return "move.several-speeds"


@in_turn()
def moves_at_speed_zero(table: Table, one: Someone) -> Told:
    only(table.still(one) and not one.prone)
    facts(table)("moved", combatant=one.id, distance=feet(5))
    return "condition.speed-zero"


@in_turn()
def walks_prone(table: Table, one: Someone) -> Told:
    only(one.prone and not table.still(one) and table.feet(one) >= 10 and "frightened" not in table.conditions(one))
    facts(table)("moved", combatant=one.id, distance=feet(5), mode="walk")
    return "move.prone-crawls"


@in_turn()
def stands_up_with_no_feet_left(table: Table, one: Someone) -> Told:
    only(one.prone and (table.still(one) or table.feet(one) < table.pace(one) // 2))
    facts(table)
    act(table, one, "stand-up", "movement")
    return "move.stand-up"


@in_turn(edition="2024")
def drops_at_speed_zero(table: Table, one: Someone) -> Told:
    only(not one.prone and table.still(one))
    facts(table)
    act(table, one, "drop-prone", "none")
    return "move.drop-prone"


@in_turn()
def jumps_too_far(table: Table, one: Someone) -> Told:
    far = 5 * (one.scores["strength"] // 5 + 1)
    only(walks(table, one) and table.feet(one) >= far)
    facts(table)("moved", combatant=one.id, distance=feet(far), mode="long-jump")
    return "move.jump"


def blow(table: Table, **options: Any) -> tuple[Someone, Someone, str, int]:
    """Record an attack that is in order; return who strikes whom with what, and its seq."""
    one = turn(table)
    weapon = table.dice.choice([name for name in one.weapons if name in MELEE])
    target = options.get("target") or melee(table, one)
    only(one.action and target)
    facts(table)
    seq = act(table, one, "attack", "action", name=weapon, targets=[target.id], manner=["melee"])
    return one, target, weapon, seq


def plain(table: Table, target: Someone) -> bool:
    return not table.conditions(target) & {"paralyzed", "unconscious"}


def roll(table: Table, told: tuple[Someone, Someone, str, int], die: Any, **said: Any) -> int:
    one, target, weapon, seq = told
    modifiers = said.pop("modifiers", None) or mods(table, one, weapon)
    return table.fight.tell(
        "attack_rolled", combatant=one.id, target=target.id, die=die, modifiers=modifiers, cause=seq, **said
    )


# ------------------------------------------------------------ opportunity attacks


def strikers(table: Table, one: Someone) -> list[Someone]:
    return [other for other in foes(table, one) if other.reaction and not table.idle(other, reacting=True)]


def opportunity(table: Table, one: Someone, target: Someone, seq: int, weapon: str = "", manner: str = "melee") -> None:
    name = weapon or next(name for name in one.weapons if name in MELEE)
    act(table, one, "attack", "opportunity", name=name, targets=[target.id], manner=[manner], trigger=seq)


def leaving(table: Table, one: Someone, other: Someone) -> list[list[int]] | None:
    """Return a path of one square out of a combatant's reach."""
    away = [square for square in GRID if apart(square, other.square) == 2 and apart(square, one.square) == 1]
    away = [square for square in away if square not in table.taken(one)]
    if apart(one.square, other.square) == 1 and away:
        return [list(one.square), list(away[0])]
    return None


@in_turn()
def strikes_the_pushed(table: Table, one: Someone) -> Told:
    for other in strikers(table, one) if table.ground else ():
        if path := leaving(table, one, other):
            opportunity(table, other, one, facts(table)("moved", combatant=one.id, path=path, forced=True))
            return "opportunity.not-provoked"
    return None


def hit(table: Table, target: Someone | None = None, die: int = 19) -> tuple[Someone, Someone, str, int]:
    """Record an attack that hits, and its roll; return who hits whom with what, and the seq of the roll."""
    one = turn(table)
    target = target or melee(table, one)
    only(target and plain(table, target) and one.critical >= 20)
    told = blow(table, target=target)
    only(die + bonus(table, one, told[2]) >= told[1].ac)
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


# ------------------------------------------------------------ spells


def spells(one: Someone, *costs: str) -> list[str]:
    """Return the spells of one of these costs on a combatant's sheet."""
    return [name for name, entry in one.entries.items() if name in ENTRIES and entry["cost"] in costs]


@in_turn(edition="2014")
def second_spell_beside_a_bonus_spell(table: Table, one: Someone) -> Told:
    names = [name for name in spells(one, "action") if ENTRIES[name]["level"] and name != "cure wounds"]
    only(names and one.action and any(cost == "bonus" for cost, _ in one.spells))
    facts(table)
    act(table, one, "cast", "action", name=names[0], targets=[one.id])
    return "spell.bonus-action-bar"


def casting(table: Table, level: int | None = None) -> tuple[Someone, str, int]:
    """Record a cast with an action that is in order; return who casts what, and its seq."""
    one = turn(table)
    names = [name for name in spells(one, "action") if name != "cure wounds" and table.may_cast(one, name)]
    names = [
        name for name in names if (ENTRIES[name]["level"] == level if level is not None else ENTRIES[name]["level"])
    ]
    only(names and one.action)
    facts(table)
    return one, names[0], act(table, one, "cast", "action", name=names[0], targets=[one.id])


@in_turn()
def two_slots_for_one_spell(table: Table, one: Someone) -> Told:
    only(min(one.slots.values(), default=0) >= 2)
    told = casting(table)
    slot = f"level {ENTRIES[told[1]]['level']} spell slot"
    table.fight.tell("resource_changed", combatant=told[0].id, resource=slot, amount=-2, cause=told[2])
    return "slot.spent"


@in_turn()
def slot_for_a_cantrip(table: Table, one: Someone) -> Told:
    only(one.slots.get(1) and not one.slots_spent and not one.spells)
    told = casting(table, 0)
    table.fight.tell("resource_changed", combatant=told[0].id, resource="level 1 spell slot", amount=-1, cause=told[2])
    return "slot.not-needed"


@in_turn()
def speaks_though_silenced(table: Table, one: Someone) -> Told:
    names = [name for name in spells(one, "bonus") if table.may_cast(one, name)]
    only(names and not one.bonus_spent)
    tell = facts(table)
    tell("condition_gained", condition="silenced", targets=[one.id], cause=table.fate())
    act(table, one, "cast", "bonus", name=names[0], targets=[one.id])
    return "component.verbal"


@in_turn()
def touches_from_afar(table: Table, one: Someone) -> Told:
    far = [other for other in table.up() if table.ground and apart(one.square, other.square) > 1]
    only(far and one.action and "cure wounds" in one.entries and table.may_cast(one, "cure wounds"))
    facts(table)
    act(table, one, "cast", "action", name="cure wounds", targets=[far[0].id])
    return "spell.range"


@in_turn()
def wrong_spell_dc(table: Table, one: Someone) -> Told:
    others = table.others(one)
    only("sacred flame" in one.entries and one.action and table.may_cast(one, "sacred flame") and others)
    tell, target = facts(table), others[0]
    seq = act(table, one, "cast", "action", name="sacred flame", targets=[target.id])
    tell("save_rolled", combatant=target.id, save="dexterity", die=2, dc=one.dc + 1, cause=seq)
    return "spell.save-dc"


# ------------------------------------------------------------ concentration, durations, conditions


@at("turn", "late", "helpless")
def over_before_its_time(table: Table) -> Told:
    timed = [each for each in table.lasting if each.owner and each.turns > 1 and not each.condition and not each.parent]
    only(timed)
    each = timed[0]
    facts(table)("effect_ended", effect=each.name, targets=each.bearers, source=each.source, reason="expired")
    return "duration.runs-out"


@in_turn()
def blessed_twice(table: Table, one: Someone) -> Told:
    only(one.action and melee(table, one))
    facts(table)("effect_started", effect="bless", targets=[one.id], cause=table.fate())
    told = blow(table)
    bless = [{"name": "bless", "amount": 2}, {"name": "bless", "amount": 3}]
    roll(table, told, 3, modifiers=[*mods(table, told[0], told[2]), *bless])
    return "effect.same-spell"


@in_turn()
def attacks_who_has_charmed_it(table: Table, one: Someone) -> Told:
    target = melee(table, one)
    only(one.action)
    tell = facts(table)
    tell("condition_gained", condition="charmed", targets=[one.id], source=target.id, cause=table.fate())
    told = blow(table, target=target)
    return "charmed.no-harm", told[3]


# ------------------------------------------------------------ grapples


@in_turn()
def rides_something_too_small(table: Table, one: Someone) -> Told:
    target = melee(table, one)
    only(not table.still(one) and table.feet(one) >= 20 and not one.prone)
    facts(table)
    act(table, one, "mount", "movement", targets=[target.id])
    return "mount.size"


@at("turn")
def latecomer_has_a_turn_after_its_place(table: Table) -> Told:
    only(table.told and table.option("missing-facts") != "notice" and table.option("initiative-tie") != "roll-off")
    only(table.option("newcomer") != "open")
    tell, one = facts(table), newcomer(table)
    tell("initiative_rolled", combatant=one.id, total=40)
    seq = tell("turn_started", combatant=one.id)
    return "initiative.latecomer", seq
