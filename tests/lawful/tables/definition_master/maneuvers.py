"""Maneuvers and opposed rolls: trip, disarm, charge; the others are left to the rulebook."""

from tests.lawful.tables.definition_master.acts import Acts
from tests.lawful.tables.definition_master.people import Body
from tests.lawful.tables.definition_master.sums import SIZES, Square


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
        return self.foes(who)

    def line(self, who: Body, foe: Body) -> list[Square]:
        """Return the straight way over empty squares to the one before a foe; empty if there is none of 10 ft or more."""
        dx, dy = foe.square[0] - who.square[0], foe.square[1] - who.square[1]
        far = max(abs(dx), abs(dy))
        if (dx and dy and abs(dx) != abs(dy)) or far < 3 or 5 * (far - 1) > 2 * who.speed:
            return []
        unit = (dx // far, dy // far)
        way = [(who.square[0] + n * unit[0], who.square[1] + n * unit[1]) for n in range(far)]
        return [] if any(self.occupied(square) for square in way[1:]) else way
