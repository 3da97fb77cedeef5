"""Ways to break a rule of health: damage, falls, massive damage, death rolls, recovery."""

from typing import Any

from tests.lawful.breaking import Broken, only
from tests.lawful.tables.definition_master.breaches import breach, some, stone
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.play import Table
from tests.lawful.tables.definition_master.sums import is_massive


def claims(table: Table, who: Body, **values: Any) -> int:
    """Record that a combatant states these values; return the seq."""
    return table.tell("checked", values={f"{who.name}.{name}": value for name, value in values.items()})


def scorched(table: Table, at: Body, amount: int, **more: Any) -> int:
    """Record the damage of a bolt of the one whose turn it is; return its seq."""
    act = table.act(table.up, "cast", at, name="bolt")
    return table.tell("damage_dealt", target=at.name, amount=amount, source=table.up.name, cause=act, **more)


def hale(table: Table) -> Body:
    """Return a combatant whom a caster can hurt a little without a fall."""
    found = [foe for foe in table.foes(table.up) if foe.hp - foe.nld > 6 and not foe.grappling]
    only(table.up.casts)
    return some(table, found)


# ---------------------------------------------------------------- hit points


@breach("turn")
def hit_points_that_are_subtracted_wrongly(table: Table) -> Broken:
    at = hale(table)
    scorched(table, at, 5)
    return "hp.damage-subtracts", claims(table, at, hp=at.hp - 4)


@breach("turn")
def non_lethal_damage_taken_off_the_hit_points(table: Table) -> Broken:
    at = hale(table)
    scorched(table, at, 5, nonlethal=True)
    return "nld.accumulates-from-zero", claims(table, at, nld=at.nld)


@breach("turn")
def an_immediate_action_of_one_who_has_fallen(table: Table) -> Broken:
    foes = [foe for foe in table.foes(table.up) if foe.entries and foe.entries[-1]["name"] == "warding stone"]
    at = some(table, [foe for foe in foes if not is_massive(foe.hp, foe.hp_max) and table.may_react(foe)])
    only(table.up.casts)
    damage = scorched(table, at, at.hp)
    table.wound(at)
    return "incapacitation.unconscious-in-square", stone(table, at, damage - 1)


# ---------------------------------------------------------------- massive damage


def massive(table: Table) -> tuple[Body, int]:
    """Record massive damage that fells no combatant; return the hurt combatant, and the seq."""
    found = [foe for foe in table.foes(table.up) if foe.hp - foe.nld > (foe.hp_max + 1) // 2 and not foe.grappling]
    only(table.up.casts)
    at = some(table, found)
    amount = (at.hp_max + 1) // 2
    told = scorched(table, at, amount)
    at.hp -= amount
    return at, told


def resists(table: Table, who: Body, cause: int, die: int, **more: Any) -> int:
    """Record a save against massive damage; return its seq."""
    names = {"combatant": who.name, "save": "fortitude", "purpose": "massive-damage"}
    return table.tell("save_rolled", **names, die=die, cause=cause, **more)


@breach("turn")
def massive_damage_without_a_save(table: Table) -> Broken:
    found = massive(table)
    table.act(table.up, "speak")
    return "massive.half-maximum", found[1]


@breach("turn")
def a_save_by_the_hit_dice_of_the_victim(table: Table) -> Broken:
    found = massive(table)
    only(found[0].hit_dice != table.up.hit_dice)
    return "massive.dc-attacker-hit-dice", resists(table, *found, 20, dc=10 + found[0].hit_dice)


@breach("turn")
def hit_points_kept_after_a_failed_save(table: Table) -> Broken:
    found = massive(table)
    only(found[0].fortitude <= 5)
    resists(table, *found, 1)
    return "massive.failure-drops-to-zero", claims(table, found[0], hp=found[0].hp)


@breach("turn")
def a_failed_save_that_counts_for_nothing(table: Table) -> Broken:
    found = massive(table)
    only(found[0].fortitude <= 5)
    resists(table, *found, 1)
    return "massive.failure-counts-first-save", claims(table, found[0], failures=0)


# ---------------------------------------------------------------- death rolls


def death(table: Table, die: int, save: str = "", **more: Any) -> int:
    """Record a death roll of the one whose turn it is; return its seq."""
    save = save or ("percentile" if table.death_roll == "all-equal" else "fortitude")
    return table.tell("save_rolled", combatant=table.up.name, save=save, purpose="death", die=die, **more)


@breach("dying", death_roll="all-equal")
def a_failed_percent_roll_told_as_made(table: Table) -> Broken:
    dc = table.death_dc(table.up)
    assert dc
    rule = "death.equal-failure-raises-ten" if table.up.failures else "death.equal-threshold"
    return rule, death(table, dc - 1, succeeded=True)


@breach("dying", death_roll="stats-matter")
def a_wrong_dc_of_a_death_roll(table: Table) -> Broken:
    return "death.stats-dc", death(table, 10, dc=11 + table.up.hit_dice - table.up.constitution)


@breach("dying", death_roll="brutality")
def a_wrong_dc_of_a_brutal_death_roll(table: Table) -> Broken:
    return "death.brutality-dc", death(table, 10, dc=9 + table.up.felled_by)


@breach("dying", death_roll="stats-matter")
def a_made_death_roll_told_as_failed(table: Table) -> Broken:
    die = (table.death_dc(table.up) or 0) - table.up.fortitude
    return ("death.fortitude-outcome", death(table, die, succeeded=False)) if 1 <= die <= 20 else None


@breach("dying", death_roll="not-chosen")
def a_death_roll_before_the_table_chose(table: Table) -> Broken:
    return "death.table-chooses-one-type", death(table, 15)


@breach("dying", death_roll="stats-matter")
def a_turn_that_ends_without_its_death_roll(table: Table) -> Broken:
    return _unrolled(table, "death.fortitude-every-round")


@breach("dying", death_roll="all-equal")
def a_turn_that_ends_without_its_percent_roll(table: Table) -> Broken:
    return _unrolled(table, "death.equal-one-attempt-a-round")


def _unrolled(table: Table, rule: str) -> Broken:
    return rule, table.tell("turn_ended", combatant=table.up.name)


@breach("dying", death_roll="stats-matter")
def dead_after_too_few_failures(table: Table) -> Broken:
    die = (table.death_dc(table.up) or 0) - table.up.fortitude - 1
    only(table.up.failures <= 1 and 1 <= die <= 20)
    death(table, die)
    return "death.three-in-a-row", claims(table, table.up, status="dead")


@breach("down", death_roll="stats-matter")
def a_death_roll_of_one_who_is_stable(table: Table) -> Broken:
    return ("stabilized.no-more-saves", death(table, 15)) if table.up.status == "stabilized" else None
