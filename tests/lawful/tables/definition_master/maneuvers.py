"""Maneuvers and opposed rolls: trip, disarm, shatter, shove, feint, charge, trample."""

from tests.lawful.tables.definition_master.acts import Acts
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.sums import SIZES, Square, pushed


class Maneuvers(Acts):
    """The maneuvers, each told with its touch attack, the strike that it provokes, and the opposed roll."""

    def contest(self, about: str, who: Body, at: Body, act: int, mine: tuple[str, int], theirs: tuple[str, int]) -> int:
        """Record an opposed roll, again while it is level; return by how much the first one wins."""
        while True:
            one, two = self.d(20), self.d(20)
            first = {"combatant": who.name, "using": mine[0], "die": one, "total": one + mine[1]}
            second = {"combatant": at.name, "using": theirs[0], "die": two, "total": two + theirs[1]}
            self.tell("contest_rolled", about=about, contenders=[first, second], cause=act)
            if lead := one + mine[1] - two - theirs[1]:
                return lead

    def touches(self, who: Body, at: Body, bonus: int, act: int) -> tuple[bool, int]:
        """Record the touch attack that opens a maneuver and the strike that it provokes; return whether it goes on, and the penalty."""
        hit, _ = self.rolls(who, at, self.parts(who, bonus, best=True), act, touch=True, die=self.d(18))
        did = self.provokes(who, act, [at]) if self.threatens(at, who.square) else 0
        return hit and who.awake and at.awake, -4 if did > 0 else 0

    def beside(self, who: Body) -> list[Body]:
        return [
            foe
            for foe in self.near(who)
            if max(abs(foe.square[i] - who.square[i]) for i in (0, 1)) == 1 and not foe.prone
        ]

    def trips(self, who: Body) -> bool:
        if (
            not (near := self.beside(who))
            or who.disarmed
            or who.reckless
            or who.defensive
            or (bonus := self.slot(who)) is None
        ):
            return False
        self.manner_is_plain(who)
        at = self.dice.choice(near)
        act = self.act(who, "trip", at)
        on, penalty = self.touches(who, at, bonus, act)
        if (
            on
            and self.contest(
                "trip", who, at, act, ("strength", self.strong(who) + penalty), ("strength", self.strong(at))
            )
            > 0
        ):
            at.prone = True
        return True

    def strong(self, who: Body) -> int:
        return who.strength + SIZES[who.size]

    def disarms(self, who: Body) -> bool:
        """Disarm a foe as an attack action, with the hand that is free."""
        near = [foe for foe in self.beside(who) if not foe.disarmed]
        hand = not who.shield and who.weapon.hands == 1
        if not near or not hand or who.disarmed or who.reckless or who.defensive or (bonus := self.slot(who)) is None:
            return False
        self.manner_is_plain(who)
        at = self.dice.choice(near)
        act = self.act(who, "disarm", at)
        on, penalty = self.touches(who, at, bonus, act)
        mine, theirs = self.nimble(who) + penalty, self.nimble(at)
        if on and self.contest("disarm", who, at, act, ("dexterity", mine), ("dexterity", theirs)) > 0:
            at.disarmed, at.holds = True, None
            self.note(at, wields=[at.shield] if at.shield else "none")
        return True

    def nimble(self, who: Body) -> int:
        return who.dexterity + SIZES[who.size]

    def picks_up(self, who: Body) -> bool:
        """Pick up the weapon that a combatant has lost; it provokes."""
        if not who.disarmed or (cost := self.pays_move(who)) is None:
            return False
        act = self.act(who, "pick-up", name=who.weapon.name, **cost)
        self.provokes(who, act)
        who.disarmed = False
        self.note(who, wields=[each for each in (who.weapon.name, who.shield) if each])
        return True

    def shatters(self, who: Body) -> bool:
        near = [foe for foe in self.beside(who) if foe.shield and foe.size not in {"large", "huge"}]
        if (
            not near
            or who.disarmed
            or who.size in {"large", "huge"}
            or who.reckless
            or who.defensive
            or (bonus := self.slot(who)) is None
        ):
            return False
        self.manner_is_plain(who)
        at = self.dice.choice(near)
        act = self.act(who, "shatter", at, object=at.shield)
        who.stances["shatter"] = -4
        self.note(who, ac=who.armour)
        mine, theirs = self.parts(who, bonus), self.parts(at, at.bonuses[0])
        if self._compares(who, at, act, mine, theirs) > 0:
            faces = [self.d(who.weapon.faces) for _ in range(who.weapon.count)]
            flat = [{"name": name, "kind": "flat", "amount": amount} for name, amount in self.flat(who, who.weapon)]
            parts = [self.dice_part(who.weapon.name, "weapon", who.weapon.faces, faces), *flat]
            amount = max(0, sum(faces) + sum(amount for _, amount in self.flat(who, who.weapon)))
            self.tell("damage_dealt", target=at.name, amount=amount, object=at.shield, parts=parts, cause=act)
            self.note(at, hp=at.hp)
        return True

    def _compares(
        self, who: Body, at: Body, act: int, mine: list[tuple[str, int]], theirs: list[tuple[str, int]]
    ) -> int:
        while True:
            lead, contenders = 0, []
            for body, parts, sign in ((who, mine, 1), (at, theirs, -1)):
                die = self.d(20)
                total = die + sum(amount for _, amount in parts)
                modifiers = [{"name": name, "amount": amount} for name, amount in parts]
                contenders.append(
                    {"combatant": body.name, "using": "attack", "die": die, "modifiers": modifiers, "total": total}
                )
                lead += sign * total
            self.tell("contest_rolled", about="shatter", contenders=contenders, cause=act)
            if lead:
                return lead

    def shoves(self, who: Body) -> bool:
        near = self.beside(who)
        if not near or who.disarmed or not who.standard or who.slots is not None:
            return False
        who.standard = 0
        at = self.dice.choice(near)
        act = self.act(who, "shove", at)
        on, _ = self.touches(who, at, who.bonuses[0], act)
        if not on:
            return True
        lead = self.contest("shove", who, at, act, ("strength", self.strong(who)), ("strength", self.strong(at)))
        if lead > 0:
            self.pushes(who, at, lead)
        return True

    def pushes(self, who: Body, at: Body, lead: int) -> None:
        """Record how far a shove that was won by so much pushes, over empty squares straight away from the aggressor."""
        (x, y), (dx, dy) = at.square, (at.square[0] - who.square[0], at.square[1] - who.square[1])
        way = [at.square]
        for far in range(1, pushed(lead) // 5 + 1):
            if self.occupied((x + far * dx, y + far * dy)):
                break
            way.append((x + far * dx, y + far * dy))
        if len(way) > 1:
            at.square = way[-1]
            distance = {"amount": 5 * (len(way) - 1), "unit": "ft"}
            self.tell(
                "moved",
                combatant=at.name,
                path=[list(each) for each in way],
                forced=True,
                source=who.name,
                cause=-1,
                distance=distance,
            )
            self.note(at, square=f"{at.square[0]},{at.square[1]}")

    def feints(self, who: Body) -> bool:
        """Feign a strike; a combatant who falls for it is flat-footed for the rest of the round."""
        near = self.beside(who)
        if not near or not who.standard or who.slots is not None or who.disarmed:
            return False
        who.standard = 0
        at = self.dice.choice(near)
        act = self.act(who, "feint", at)
        lead = self.contest(
            "feint", who, at, act, ("beguile", who.hit_dice + 2), ("level-check", at.hit_dice + at.wisdom)
        )
        at.fooled = lead > 0
        self.note(at, flat_footed=at.fooled)
        return True

    def charges(self, who: Body) -> bool:
        lines = [(foe, way) for foe in self.near_lines(who) if (way := self.line(who, foe))]
        if (
            not lines
            or who.prone
            or who.disarmed
            or not (who.move and who.standard and who.swift)
            or who.slots is not None
        ):
            return False
        who.move = who.standard = 0
        at, way = self.dice.choice(lines)
        act = self.act(who, "charge", at)
        who.stances["charge"], who.charging = -2, True
        self.note(who, ac=who.armour, touch=who.touch)
        who.square = way[-1]
        distance = {"amount": 5 * (len(way) - 1), "unit": "ft"}
        move = self.tell("moved", combatant=who.name, path=[list(each) for each in way], distance=distance, cause=act)
        self.leaves(who, way, move)
        self.manner_is_plain(who)
        for bonus in who.bonuses:
            if who.awake and at.awake and self.reaches(who, at.square) and self.chance(0.8):
                self.blow(who, at, bonus, self.act(who, "attack", at, name=who.weapon.name))
            else:
                break
        return True

    def near_lines(self, who: Body) -> list[Body]:
        return [foe for foe in self.foes(who) if not foe.grappling and not foe.fooled]

    def line(self, who: Body, foe: Body) -> list[Square]:
        """Return the straight way over empty squares to the one before a foe; empty if there is none of 10 ft or more."""
        dx, dy = foe.square[0] - who.square[0], foe.square[1] - who.square[1]
        far = max(abs(dx), abs(dy))
        if (dx and dy and abs(dx) != abs(dy)) or far < 3 or 5 * (far - 1) > 2 * who.speed:
            return []
        unit = (dx // far, dy // far)
        way = [(who.square[0] + n * unit[0], who.square[1] + n * unit[1]) for n in range(far)]
        return [] if any(self.occupied(square) for square in way[1:]) else way

    def tramples(self, who: Body) -> bool:
        """Run through the square of a foe, if it does not hold its ground."""
        ways = [(foe, way) for foe in self.near_lines(who) if not foe.prone and (way := self.course(who, foe))]
        if not ways or who.size != "large" or who.prone or not (who.move and who.standard and who.swift):
            return False
        who.move = who.standard = who.swift = 0
        at, way = self.dice.choice(ways)
        act = self.act(who, "trample", at)
        if len(way) > 2:
            self.runs(who, way[:-1], act)
        on, _ = self.touches(who, at, who.bonuses[0], act) if who.awake else (False, 0)
        won = (
            on
            and self.contest("trample", who, at, act, ("strength", self.strong(who)), ("strength", self.strong(at))) > 0
        )
        if won:
            at.prone = True
            self.treads(who, at, act)
        if won and who.awake:
            self.runs(who, [way[-2], at.square, way[-1]], act)
        return True

    def course(self, who: Body, foe: Body) -> list[Square]:
        """Return the straight way to the square before a foe, and the empty one behind it; empty if there is none."""
        dx, dy = foe.square[0] - who.square[0], foe.square[1] - who.square[1]
        far = max(abs(dx), abs(dy))
        if (dx and dy and abs(dx) != abs(dy)) or not far or 5 * (far + 1) > 2 * who.speed:
            return []
        unit = (dx // far, dy // far)
        way = [(who.square[0] + n * unit[0], who.square[1] + n * unit[1]) for n in range(far + 2) if n != far]
        return [] if any(self.occupied(square) for square in way[1:]) else way

    def runs(self, who: Body, way: list[Square], act: int) -> None:
        """Record a stretch of a trample, and the strikes of those whose threatened squares it leaves."""
        who.square = way[-1]
        move = self.tell("moved", combatant=who.name, path=[list(each) for each in way], cause=act)
        self.note(who, square=f"{who.square[0]},{who.square[1]}")
        self.leaves(who, way, move)

    def treads(self, who: Body, at: Body, act: int) -> None:
        """Record the damage of a trample: the unarmed die, and Strength twice."""
        shown = self.d(6)
        parts = [self.dice_part("unarmed", "weapon", 6, [shown])]
        parts.append({"name": "str", "kind": "flat", "amount": 2 * who.strength})
        amount = max(0, shown + 2 * who.strength - at.reduction)
        more = {"reductions": [{"name": "reduction", "amount": at.reduction}]} if at.reduction else {}
        self.tell("damage_dealt", target=at.name, amount=amount, parts=parts, source=who.name, cause=act, **more)
        self.suffer(at, amount, who)
