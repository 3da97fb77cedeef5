"""Ways to break a rule of attacks, damage, critical hits, maneuvers, and squares."""

from dataclasses import dataclass
from typing import Any

from tests.lawful.breaking import Broken, only
from tests.lawful.tables.definition_master.blows import Part
from tests.lawful.tables.definition_master.breaches import breach, some
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.play import Table


@dataclass
class Blow:
    """The first attack of a turn, declared but not yet rolled."""

    table: Table
    who: Body
    at: Body
    act: int

    @property
    def parts(self) -> list[Part]:
        return self.table.parts(self.who, self.who.bonuses[0])

    @property
    def bonus(self) -> int:
        return sum(amount for _, amount in self.parts)

    def die(self, *, hits: bool, threat: bool = False) -> int:
        """Return a die that hits or misses, in the threat range or not; 0 if no die does."""
        faces = [die for die in range(1, 21) if (die + self.bonus >= self.at.armour) == hits]
        return next(
            (die for die in self.table.dice.sample(faces, len(faces)) if (die >= self.who.weapon.threat) == threat), 0
        )

    def rolls(self, die: int, parts: list[Part] | None = None, **more: Any) -> int:
        """Record its roll; return the seq."""
        modifiers = [{"name": name, "amount": amount} for name, amount in parts or self.parts]
        names = {"combatant": self.who.name, "target": self.at.name, "name": self.who.weapon.name}
        return self.table.tell("attack_rolled", **names, die=die, modifiers=modifiers, cause=self.act, **more)

    def confirms(self, roll: int, die: int, **more: Any) -> int:
        """Record a confirmation; return its seq."""
        modifiers = [{"name": name, "amount": amount} for name, amount in self.parts]
        names = {"combatant": self.who.name, "target": self.at.name}
        return self.table.tell("attack_rolled", **names, die=die, modifiers=modifiers, confirms=roll, **more)

    def damages(self, roll: int, faces: list[int], times: int, *, off: int = 0, flat: list[Part] | None = None) -> int:
        """Record damage of these faces and the flat parts so many times, `off` by so much; return its seq."""
        weapon = self.who.weapon
        flat = self.table.flat(self.who, weapon) if flat is None else flat
        parts = [self.table.dice_part(weapon.name, "weapon", weapon.faces, faces)]
        parts += [{"name": name, "kind": "flat", "amount": amount * times} for name, amount in flat]
        total = max(0, sum(faces) + times * sum(amount for _, amount in flat))
        amount = max(0, total - self.at.reduction) + off
        less = {"reductions": [{"name": "reduction", "amount": self.at.reduction}]} if self.at.reduction else {}
        return self.table.tell("damage_dealt", target=self.at.name, amount=amount, parts=parts, cause=roll, **less)

    def faces(self, times: int = 1) -> list[int]:
        """Return low faces of so many rolls of the weapon, so that the damage is not massive."""
        return [self.table.d(2) for _ in range(self.who.weapon.count * times)]


def declared(table: Table, *, manner: tuple[str, ...] = ()) -> Blow:
    up, near = table.up, table.near(table.up)
    sturdy = [foe for foe in near if foe.hp_max >= 40]
    at = some(table, sturdy)
    only(not up.disarmed)
    more: dict[str, Any] = {"manner": list(manner)} if manner else {}
    return Blow(table, up, at, table.act(up, "attack", at, name=up.weapon.name, **more))


def landed(table: Table) -> tuple[Blow, int]:
    """Record an attack that hits without a threat; return it and its roll."""
    blow = declared(table)
    die = blow.die(hits=True)
    only(die)
    return blow, blow.rolls(die)


def critical(table: Table) -> tuple[Blow, int]:
    """Record an attack that threatens, and a confirmation that makes it a critical hit; return it and its roll."""
    blow = declared(table)
    die = blow.die(hits=True, threat=True)
    only(die and 20 + blow.bonus >= blow.at.armour)
    roll = blow.rolls(die)
    blow.confirms(roll, 20)
    return blow, roll


# ---------------------------------------------------------------- attack rolls


@breach("turn")
def a_total_that_is_added_up_wrongly(table: Table) -> Broken:
    blow = declared(table)
    die = blow.die(hits=False)
    only(die)
    return "attack.formula", blow.rolls(die, total=die + blow.bonus - 1)


@breach("turn")
def a_miss_told_as_a_hit_or_the_reverse(table: Table) -> Broken:
    hits = table.chance(0.5)
    blow = declared(table)
    die = blow.die(hits=hits)
    only(die)
    return "attack.meets-ac-hits", blow.rolls(die, hit=not hits)


@breach("turn")
def the_second_bonus_first(table: Table) -> Broken:
    blow = declared(table)
    only(len(blow.who.bonuses) >= 2)
    blow.rolls(2, table.parts(blow.who, blow.who.bonuses[1]))
    blow.act = table.act(blow.who, "attack", blow.at, name=blow.who.weapon.name)
    return "attacks.descending-order", blow.rolls(2)


@breach("turn")
def defense_claimed_with_attacks_at_full_bonus(table: Table) -> Broken:
    blow = declared(table, manner=("defensive",))
    return ("defensive.trade", blow.rolls(2))


# ---------------------------------------------------------------- damage


@breach("turn")
def damage_of_a_miss(table: Table) -> Broken:
    blow = declared(table)
    die = blow.die(hits=False)
    only(die)
    return "damage.after-hit", blow.damages(blow.rolls(die), blow.faces(), 1)


@breach("turn")
def damage_that_is_added_up_wrongly(table: Table) -> Broken:
    found = landed(table)
    only(found[0].who.strength >= 0 and found[0].who.weapon.hands <= 1)
    return "damage.die-plus-strength", found[0].damages(found[1], found[0].faces(), 1, off=5)


@breach("turn")
def half_a_point_of_strength_rounded_up(table: Table) -> Broken:
    found = landed(table)
    only(found[0].who.weapon.hands >= 2 and found[0].who.strength in {1, 3, 5})
    blow, roll = found
    return "damage.two-handed", blow.damages(roll, blow.faces(), 1, flat=[("str", (3 * blow.who.strength + 1) // 2)])


@breach("turn")
def a_negative_strength_rounded_toward_zero(table: Table) -> Broken:
    found = landed(table)
    only(found[0].who.weapon.hands >= 2 and found[0].who.strength == -1)
    return "damage.negative-strength", found[0].damages(found[1], [3], 1, flat=[("str", -1)])


# ---------------------------------------------------------------- critical hits


@breach("turn")
def a_confirmation_of_a_die_outside_the_range(table: Table) -> Broken:
    found = landed(table)
    return "critical.threat-range", found[0].confirms(found[1], 20)


@breach("turn")
def a_confirmation_of_a_miss(table: Table) -> Broken:
    blow = declared(table)
    die = blow.die(hits=False, threat=True)
    only(die)
    return "critical.threat-must-hit", blow.confirms(blow.rolls(die), 20)


@breach("turn")
def a_threat_that_nobody_confirms(table: Table) -> Broken:
    blow = declared(table)
    die = blow.die(hits=True, threat=True)
    only(die)
    roll = blow.rolls(die)
    blow.damages(roll, blow.faces(), 1)
    return "critical.confirm-required", roll


@breach("turn")
def a_failed_confirmation_told_as_a_critical_hit(table: Table) -> Broken:
    blow = declared(table)
    die = blow.die(hits=True, threat=True)
    only(die)
    low = blow.die(hits=False)
    only(low)
    return "critical.confirm-against-ac", blow.confirms(blow.rolls(die), low, critical=True)


@breach("turn")
def too_many_or_too_few_dice_of_a_critical_hit(table: Table) -> Broken:
    found = critical(table)
    blow, roll = found
    times = blow.who.weapon.multiplier
    return "critical.weapon-dice", blow.damages(roll, blow.faces(times + table.dice.choice((-1, 1))), times)


@breach("turn")
def flat_parts_of_a_critical_hit_only_once(table: Table) -> Broken:
    found = critical(table)
    only(found[0].who.strength > 0 and not found[0].at.reduction)
    blow, roll = found
    return "critical.flat-multiplied", blow.damages(roll, blow.faces(blow.who.weapon.multiplier), 1)


# ---------------------------------------------------------------- maneuvers


def touched(table: Table, kind: str, die: int = 18, **more: Any) -> tuple[Body, int]:
    """Record a maneuver and its touch attack; return the defender and the seq of the act."""
    up, near = table.up, table.beside(table.up)
    at = some(table, near)
    only(not up.disarmed and 18 + up.bonuses[0] >= at.touch + 5)
    act = table.act(up, kind, at)
    table.rolls(up, at, table.parts(up, up.bonuses[0], best=True), act, touch=True, die=die, **more)
    return at, act


def opposed(table: Table, about: str, at: Body, act: int, dice: tuple[int, int], **more: Any) -> int:
    """Record an opposed Strength roll of the one whose turn it is; return its seq."""
    pairs = zip((table.up, at), dice, strict=True)
    contenders = [{"combatant": who.name, "using": "strength", "die": die} for who, die in pairs]
    return table.tell("contest_rolled", about=about, contenders=contenders, cause=act, **more)


@breach("turn")
def a_lost_opposed_roll_told_as_won(table: Table) -> Broken:
    found = touched(table, "trip")
    lost = opposed(table, "trip", *found, (1, 20), winner=table.up.name)
    return ("opposed.higher-wins", lost) if table.strong(table.up) < table.strong(found[0]) + 19 else None


@breach("turn")
def a_tie_told_as_won(table: Table) -> Broken:
    found = touched(table, "trip")
    lead = table.strong(table.up) - table.strong(found[0])
    dice = (10, 10 + lead)
    only(1 <= dice[1] <= 20)
    return "opposed.tie-rerolls", opposed(table, "trip", *found, dice, winner=table.up.name)


@breach("turn")
def an_opposed_roll_after_a_touch_that_missed(table: Table) -> Broken:
    up = table.up
    missable = [foe for foe in table.beside(up) if foe.touch > 2 + up.base + max(up.strength, up.dexterity)]
    only(missable)
    found = touched(table, "trip", die=1)
    only(found[0] in missable)
    return "maneuver.touch-roll", opposed(table, "trip", *found, (10, 2))


@breach("turn")
def a_disarm_without_a_free_hand(table: Table) -> Broken:
    only(table.up.shield or table.up.weapon.hands != 1)
    at = some(table, [foe for foe in table.beside(table.up) if not foe.disarmed])
    return ("disarm.free-hand", table.act(table.up, "disarm", at)) if at and not table.up.disarmed else None
