"""Rules that are broken on purpose: a breach records facts of which the last is unlawful, and names the rule; or it tells none.

Where another fact than the last one is reported, the breach names its seq as well. What breaks a rule in every fight alike is a
breach of the rulebook; here are those that rest on what the fight has come to.
"""

from collections.abc import Callable
from typing import Any

from tests.lawful.breaking import Breach, Broken, entering, one_of, only
from tests.lawful.tables.fifth_edition.people import ENTRIES, Someone
from tests.lawful.tables.fifth_edition.play import Table, apart

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


def walks(table: Table, one: Someone) -> bool:
    return not one.prone and not table.still(one) and "frightened" not in table.conditions(one)


def melee(table: Table, one: Someone) -> Someone:
    close = [
        other for other in table.up() if other is not one and (not table.ground or apart(one.square, other.square) <= 1)
    ]
    return one_of(table.dice, close)


# ------------------------------------------------------------ order and rounds


@at("late", missing_facts="silent")
def second_turn(table: Table) -> Told:
    again = [one for one in table.had if table.able(one) and one is not table.turn]
    only(table.told and again)
    facts(table)("turn_started", combatant=table.dice.choice(again).id)
    return "round.one-turn-each"


def to_come(table: Table) -> list[Someone]:
    """Return who is due in this round, in order."""
    return [one for one in table.order() if one not in table.had and not one.dead]


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
    only(not turn(table).action)
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
def one_attack_more(table: Table, one: Someone) -> Told:
    target = melee(table, one)
    only(not one.action and one.struck_with and one.striking <= 0)
    facts(table)
    act(table, one, "attack", "attack", name=one.weapons[0], targets=[target.id], manner=["melee"])
    return "act.attack"


@at("turn", "late")
def second_reaction(table: Table) -> Told:
    spent = [one for one in table.up() if not one.reaction and table.able(one) and not one.surprised]
    only(spent)
    facts(table)
    act(table, table.dice.choice(spent), "ability", "reaction", name="parry")
    return "reaction.one-until-own-turn"


# ------------------------------------------------------------ movement


@in_turn()
def goes_too_far(table: Table, one: Someone) -> Told:
    only(walks(table, one))
    facts(table)("moved", combatant=one.id, distance=feet(table.feet(one) + 5))
    return "move.up-to-speed"


@in_turn()
def moves_at_speed_zero(table: Table, one: Someone) -> Told:
    only(table.still(one) and not one.prone)
    facts(table)("moved", combatant=one.id, distance=feet(5))
    return "condition.speed-zero"


@in_turn()
def stands_up_with_no_feet_left(table: Table, one: Someone) -> Told:
    only(one.prone and (table.still(one) or table.feet(one) < one.speed // 2))
    facts(table)
    act(table, one, "stand-up", "movement")
    return "move.stand-up"


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


# ------------------------------------------------------------ durations


@at("turn", "late", "helpless")
def over_before_its_time(table: Table) -> Told:
    timed = [each for each in table.lasting if each.owner and each.turns > 1 and not each.condition and not each.parent]
    only(timed)
    each = timed[0]
    facts(table)("effect_ended", effect=each.name, targets=each.bearers, source=each.source, reason="expired")
    return "duration.runs-out"
