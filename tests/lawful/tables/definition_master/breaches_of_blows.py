"""Ways to break a rule of attacks, damage, critical hits, maneuvers, and squares."""

from dataclasses import dataclass
from typing import Any

from tests.lawful.breaking import Broken, only
from tests.lawful.tables.definition_master.blows import Part
from tests.lawful.tables.definition_master.breaches import breach, some, wrong_strike
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
def an_attack_die_of_0(table: Table) -> Broken:
    blow = declared(table)
    return ("attack.formula", blow.rolls(0))


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
def an_attack_out_of_reach(table: Table) -> Broken:
    up = table.up
    far = [foe for foe in table.foes(up) if not table.reaches(up, foe.square) and not foe.grappling]
    only(not up.disarmed and up.size not in {"large", "huge"})
    at = some(table, far)
    rules = {"medium": "reach.medium-weapon", "small": "reach.small-weapon"}
    rule = rules[up.size] if up.weapon.reach else "reach.adjacent"
    return rule, table.act(up, "attack", at, name=up.weapon.name)


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
def a_damage_die_beyond_its_faces(table: Table) -> Broken:
    found = landed(table)
    only(found[0].who.weapon.count <= 1)
    blow, roll = found
    return "damage.die-plus-strength", blow.damages(roll, [blow.who.weapon.faces + 1], 1)


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


@breach("turn")
def an_armour_class_without_the_stance(table: Table) -> Broken:
    up, full = table.up, table.up.armour
    who = some(table, [foe for foe in table.foes(up) if table.threatens(foe, up.square) and table.may_strike(foe)])
    rule, kind = table.dice.choice((("reckless.trade", "attack"), ("shatter.ac-penalty", "shatter")))
    only(not up.fooled and not up.disarmed)
    if kind == "attack":
        blow = declared(table, manner=("reckless",))
        if not blow or not (die := blow.die(hits=False)):
            return None
        blow.rolls(die)
    elif not (at := some(table, [foe for foe in table.beside(up) if foe.shield])):
        return None
    else:
        table.act(up, "shatter", at, object=at.shield)
    act = table.act(up, "fetch-item")
    action = {"kind": "attack", "name": who.weapon.name, "targets": [up.name], "cost": "opportunity"}
    strike = table.tell("action_taken", combatant=who.name, action=action, trigger=act)
    modifiers = [{"name": name, "amount": amount} for name, amount in table.parts(who, who.bonuses[0])]
    names = {"combatant": who.name, "target": up.name, "name": who.weapon.name}
    return rule, table.tell("attack_rolled", **names, die=2, modifiers=modifiers, ac=full, cause=strike)


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
def a_confirmation_with_another_bonus(table: Table) -> Broken:
    blow = declared(table)
    die = blow.die(hits=True, threat=True)
    only(die)
    roll = blow.rolls(die)
    confirm = {"combatant": blow.who.name, "target": blow.at.name, "die": 2, "confirms": roll}
    modifiers = [{"name": name, "amount": amount + 5 * (name == "base")} for name, amount in blow.parts]
    return "critical.confirm-same-modifiers", table.tell("attack_rolled", **confirm, modifiers=modifiers)


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


@breach("turn")
def extra_dice_of_a_critical_hit_twice(table: Table) -> Broken:
    found = critical(table)
    only(not found[0].at.reduction)
    blow, roll = found
    times, weapon = blow.who.weapon.multiplier, blow.who.weapon
    faces, extra = blow.faces(times), [1] * times
    flat = [(name, amount * times) for name, amount in table.flat(blow.who, weapon)]
    parts = [
        table.dice_part(weapon.name, "weapon", weapon.faces, faces),
        *({"name": name, "kind": "flat", "amount": amount} for name, amount in flat),
        table.dice_part("opportunist die", "extra", 6, extra),
    ]
    amount = max(0, sum(faces) + sum(amount for _, amount in flat) + times - blow.at.reduction)
    less = {"reductions": [{"name": "reduction", "amount": blow.at.reduction}]} if blow.at.reduction else {}
    parts[-1]["dice"] = {"notation": f"{times}d6", "faces": extra}
    only(amount >= 2)
    told = table.tell("damage_dealt", target=blow.at.name, amount=amount, parts=parts, cause=roll, **less)
    return "critical.extra-dice-once", told


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
def a_hit_told_as_a_miss_against_the_full_armour_class(table: Table) -> Broken:
    up, at = table.up, some(table, [foe for foe in table.beside(table.up) if foe.armour > foe.touch + 1])
    parts = table.parts(up, up.bonuses[0], best=True)
    bonus = sum(amount for _, amount in parts)
    only(not up.disarmed and 1 <= at.touch - bonus <= 18)
    names = {"combatant": up.name, "target": at.name, "against": "touch", "ac": at.armour, "hit": False}
    modifiers = [{"name": name, "amount": amount} for name, amount in parts]
    act = table.act(up, "trip", at)
    told = table.tell("attack_rolled", **names, die=at.touch - bonus, modifiers=modifiers, cause=act)
    return "touch.armor-ignored", told


@breach("turn")
def a_disarm_without_a_free_hand(table: Table) -> Broken:
    only(table.up.shield or table.up.weapon.hands != 1)
    at = some(table, [foe for foe in table.beside(table.up) if not foe.disarmed])
    return ("disarm.free-hand", table.act(table.up, "disarm", at)) if at and not table.up.disarmed else None


@breach("turn")
def a_shove_in_place_of_an_attack(table: Table) -> Broken:
    near = table.beside(table.up)
    only(near and table.attacks(table.up) and table.up.awake and near[0].awake and not near[0].prone)
    return "standard.attacks-exclude-other-standard", table.act(table.up, "shove", near[0])


@breach("turn")
def a_shove_that_goes_too_far(table: Table) -> Broken:
    found = touched(table, "shove")
    at, act = found
    (x, y), (dx, dy) = at.square, (at.square[0] - table.up.square[0], at.square[1] - table.up.square[1])
    lead = table.strong(table.up) - table.strong(at)
    only(0 < 10 - lead < 20 and (not any(table.occupied((x + n * dx, y + n * dy)) for n in (1, 2))))
    contest = opposed(table, "shove", at, act, (14, 10 + lead))
    path, distance = [[x, y], [x + dx, y + dy], [x + 2 * dx, y + 2 * dy]], {"amount": 10, "unit": "ft"}
    more: dict[str, Any] = {"forced": True, "source": table.up.name, "cause": contest}
    return "shove.distance", table.tell("moved", combatant=at.name, path=path, distance=distance, **more)


@breach("turn")
def a_trip_answered_with_a_total_that_is_wrong(table: Table) -> Broken:
    found = touched(table, "trip")
    only(table.up.size != "medium")
    contenders: list[dict[str, Any]] = [
        {"combatant": table.up.name, "using": "strength", "die": 10, "total": 10 + table.up.strength},
        {"combatant": found[0].name, "using": "strength", "die": 1},
    ]
    return "maneuver.size-modifiers", table.tell("contest_rolled", about="trip", contenders=contenders, cause=found[1])


@breach("turn")
def a_strike_that_did_damage_left_out_of_the_opposed_roll(table: Table) -> Broken:
    at = some(
        table,
        [foe for foe in table.beside(table.up) if table.threatens(foe, table.up.square) and table.may_strike(foe)],
    )
    only(not table.up.disarmed and not table.up.fooled and table.up.size == "medium")
    act = table.act(table.up, "trip", at)
    hit, _ = table.rolls(table.up, at, table.parts(table.up, table.up.bonuses[0], best=True), act, touch=True, die=18)
    only(hit and table.strike(at, table.up, act) > 0 and table.up.awake)
    mine: dict[str, Any] = {
        "combatant": table.up.name,
        "using": "strength",
        "die": 10,
        "total": 10 + table.strong(table.up),
    }
    other = {"combatant": at.name, "using": "strength", "die": 1}
    return "maneuver.damage-penalty", table.tell("contest_rolled", about="trip", contenders=[mine, other], cause=act)


@breach("turn")
def a_shatter_as_the_second_attack_with_the_first_bonus(table: Table) -> Broken:
    up = table.up
    at = some(table, [foe for foe in table.beside(up) if foe.shield])
    only(not up.disarmed and len(up.bonuses) >= 2 and up.size not in {"large", "huge"})
    table.rolls(
        up,
        at,
        table.parts(up, up.bonuses[0]),
        table.act(up, "attack", at, name=up.weapon.name),
        die=2,
        name=up.weapon.name,
    )
    act, contenders = table.act(up, "shatter", at, object=at.shield), []
    for who, die in ((up, 19), (at, 1)):
        modifiers = [{"name": name, "amount": amount} for name, amount in table.parts(who, who.bonuses[0])]
        contenders.append({"combatant": who.name, "using": "attack", "die": die, "modifiers": modifiers})
    rolled = table.tell("contest_rolled", about="shatter", contenders=contenders, cause=act)
    return "attacks.maneuver-uses-slot-bonus", rolled


@breach("turn")
def a_strike_at_one_who_shatters(table: Table) -> Broken:
    up = table.up
    at = some(
        table,
        [foe for foe in table.beside(up) if foe.shield and table.threatens(foe, up.square) and table.may_strike(foe)],
    )
    only(not up.disarmed and not up.fooled and not at.holds)
    act = table.act(up, "shatter", at, object=at.shield)
    up.stances["shatter"] = -4
    return "aoo.other-provocations", wrong_strike(table, at, act)


# ---------------------------------------------------------------- squares


@breach("turn")
def a_way_through_the_square_of_a_foe(table: Table) -> Broken:
    up = table.up
    for foe in table.foes(up):
        dx, dy = foe.square[0] - up.square[0], foe.square[1] - up.square[1]
        beyond = (foe.square[0] + dx, foe.square[1] + dy)
        if max(abs(dx), abs(dy)) == 1 and not table.occupied(beyond) and not up.prone:
            path = [list(up.square), list(foe.square), list(beyond)]
            distance = {"amount": 10, "unit": "ft"}
            return "space.hostile-needs-acrobatics", table.tell(
                "moved", combatant=up.name, path=path, distance=distance
            )
    return None


@breach("turn")
def a_charge_around_a_corner(table: Table) -> Broken:
    up, foes = table.up, [foe for foe in table.near_lines(table.up) if table.line(table.up, foe)]
    at = some(table, foes)
    only(not up.prone and not up.disarmed)
    way = table.line(up, at)
    dx, dy = way[1][0] - way[0][0], way[1][1] - way[0][1]
    side = (way[1][0] + dy, way[1][1] + dx) if dx == 0 or dy == 0 else (way[1][0], way[1][1] - dy)
    only(len(way) >= 3 and not table.occupied(side))
    path = [list(each) for each in (way[0], side, *way[2:])]
    act = table.act(up, "charge", at)
    distance = {"amount": 5 * (len(path) - 1), "unit": "ft"}
    return "charge.straight-line", table.tell("moved", combatant=up.name, path=path, distance=distance, cause=act)
