"""Breaches by blows: rolls read wrongly, routines that are none, damage that cannot be."""

from typing import Any

from tests.lawful.tables.vile_darkness.breaches import BETWEEN, BREACHES, Broken, at, begin, duel, throw, two
from tests.lawful.tables.vile_darkness.people import AXE, BOW, CLAW, KEEN, SPEAR, One, Weapon
from tests.lawful.tables.vile_darkness.play import Table

__all__ = ["BREACHES"]

READ_WRONGLY: tuple[tuple[str, int, bool, int, int, Weapon, bool], ...] = (
    ("attack.natural-one", 12, False, 9, 1, KEEN, True),
    ("attack.natural-twenty", 20, False, -6, 20, SPEAR, False),
    ("attack.natural-twenty", 20, True, -10, 20, SPEAR, False),
    ("attack.aac0-starred", 20, True, 1, 19, AXE, True),
    ("attack.six-twenties", 18, False, -5, 18, KEEN, False),
    ("attack.six-twenties", 16, False, -9, 19, KEEN, False),
    ("attack.aac0", 18, False, 4, 13, AXE, True),
    ("attack.aac0", 15, False, 3, 12, AXE, False),
    ("attack.modified-score", 19, False, -1, 18, KEEN, False),
)
"""Rule, attack number, whether it is starred, armour class, die, weapon, and the hit or miss that is stated."""


def begins(t: Table, one: One, foe: One) -> str:
    """Open a round, roll its dice, and return where one strikes."""
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    t.reach(t.own(one, "D3"))
    return t.slot


def hit(t: Table, one: One, foe: One, weapon: Weapon, seq: int, **more: Any) -> int:
    """Record a roll of 20."""
    return t.of(seq, "attack_rolled", **t.roll_of(one, foe, weapon, 20), **more)


@at(*BETWEEN)
def a_roll_read_wrongly(t: Table) -> Broken:
    rule, aac0, starred, ac, die, weapon, stated = t.d.choice(READ_WRONGLY)
    one, foe = duel(t, aac0=aac0, starred=starred, arms=(weapon,))
    foe = t.muster(foe.side, "archer", ac=ac, innate="")
    t.engage(one, foe)
    begins(t, one, foe)
    seq = t.attack(one, foe)
    return rule, t.of(seq, "attack_rolled", **t.roll_of(one, foe, weapon, die), hit=stated)


@at(*BETWEEN)
def no_such_face(t: Table) -> Broken:
    one, foe = duel(t, arms=(AXE,))
    begins(t, one, foe)
    seq = t.attack(one, foe)
    die = t.d.choice((0, 21, 23))
    return "attack.target-and-roll", t.of(seq, "attack_rolled", **t.roll_of(one, foe, AXE, die))


@at(*BETWEEN)
def two_targets(t: Table) -> Broken:
    one, foe = duel(t, "beast")
    other = t.muster(foe.side, "fighter")
    t.engage(one, other)
    begins(t, one, foe)
    seq = t.attack(one, foe)
    hit(t, one, foe, CLAW, seq)
    return "routine.single-target", hit(t, one, other, CLAW, seq)


@at(*BETWEEN)
def a_routine_torn_apart(t: Table) -> Broken:
    one, foe = duel(t, "beast")
    begins(t, one, foe)
    t.timed, t.segment = True, t.d.randint(2, 5)
    seq = t.attack(one, foe)
    hit(t, one, foe, CLAW, seq)
    return "routine.simultaneous", hit(t, one, foe, CLAW, seq, segment=t.segment + 2)


@at(*BETWEEN)
def one_claw_too_many(t: Table) -> Broken:
    one, foe = duel(t, "beast")
    begins(t, one, foe)
    seq = t.attack(one, foe)
    for _ in range(2):
        hit(t, one, foe, CLAW, seq)
    return "attack.stat-block", hit(t, one, foe, CLAW, seq)


@at(*BETWEEN)
def more_damage_than_there_is(t: Table) -> Broken:
    one, foe = duel(t, arms=(AXE,))
    begins(t, one, foe)
    seq = hit(t, one, foe, AXE, t.attack(one, foe))
    return "attack.stat-block", t.of(seq, "damage_dealt", target=foe.id, amount=t.d.randint(9, 12))


@at(*BETWEEN)
def damage_through_a_ward(t: Table) -> Broken:
    one, foe = duel(t, arms=(AXE,))
    begins(t, one, foe)
    seq = hit(t, one, foe, AXE, t.attack(one, foe), foiled=True)
    return "foiled.attempted-and-wasted", t.of(seq, "damage_dealt", target=foe.id, amount=5)


@at(*BETWEEN)
def damage_by_a_wasted_shot(t: Table) -> Broken:
    one, foe = two(t, "archer", shot=BOW)
    begin(t)
    throw(t, high=t.d.choice((one, foe)))
    t.reach(t.own(one, "D2"))
    seq = t.act(one, "attack", name=BOW.name, manner=["called", "missile"], targets=[foe.id])
    seq = t.of(seq, "attack_rolled", **t.roll_of(one, foe, BOW, t.d.randint(2, 19)))
    return "called-shot.else-wasted", t.of(seq, "damage_dealt", target=foe.id, amount=3)


@at(*BETWEEN)
def damage_multiplied_wrongly(t: Table) -> Broken:
    one, foe = duel(t, arms=(AXE,))
    begins(t, one, foe)
    seq = hit(t, one, foe, AXE, t.attack(one, foe))
    parts = [
        {"name": "axe", "dice": {"notation": "1d8", "faces": [3]}},
        {"name": "strength", "amount": 3},
    ]
    rule, factors, amount = t.d.choice(
        (
            ("damage.multiplier-after-modifiers", (2,), 9),
            ("damage.multipliers-do-not-stack", (2, 3), 36),
            ("damage.multipliers-do-not-stack", (2, 3), 30),
        )
    )
    more = {"parts": parts, "multipliers": [{"name": f"times {each}", "amount": each} for each in factors]}
    return rule, t.of(seq, "damage_dealt", target=foe.id, amount=amount, **more)


@at(*BETWEEN)
def a_fight_in_one_square(t: Table) -> Broken:
    one, foe = duel(t)
    ally = t.muster(one.side, "archer", innate="")
    ally.square = one.square
    t.place(ally)
    begins(t, one, foe)
    return "grid.no-combat-in-one-square", t.attack(one, foe)
