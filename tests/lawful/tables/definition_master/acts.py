"""The acts of a turn, by the rules: each act records its facts, keeps the budget, and returns whether it was possible."""

from tests.lawful.tables.definition_master.blows import Blows
from tests.lawful.tables.definition_master.people import SHIELDS, SPELLS, Body, Weapon
from tests.lawful.tables.definition_master.sums import Square, reaches

STILL = ("fetch-item", "motion-item", "drink", "draw")
"""Move actions of one who stands still; they provoke."""
FREE = ("speak", "knowledge", "command-item", "belt-item")


class Acts(Blows):
    """The acts of a turn; `facts_of_turn` is the seq at which it began, `acted` that of the last act."""

    facts_of_turn = acted = 0

    def budget(self, who: Body) -> None:
        self.note(
            who, left__move=who.move, left__standard=who.standard, left__swift=who.swift, free=list(who.free) or "none"
        )
        if who.slots is not None:
            self.note(who, left__attacks=len(who.slots))

    def act(self, who: Body, kind: str, at: Body | None = None, /, **more: object) -> int:
        """Record an act; return its seq."""
        action = {"kind": kind, **({"targets": [at.name]} if at else {}), **more}
        self.acted = self.tell("action_taken", combatant=who.name, action=action)
        return self.acted

    def quiet(self, who: Body) -> None:
        """Note that a combatant may not be struck at, if it has done nothing else in this turn."""
        if self.facts_of_turn == self.fight.seq - 1:
            self.note(who, provokes="none")

    # ---------------------------------------------------------------- move actions

    def pays_move(self, who: Body) -> dict[str, str] | None:
        """Pay for a move action, with the standard action if need be; return the cost to be recorded, None if nothing is left."""
        if who.move:
            who.move = 0
            return {}
        if who.standard and who.slots is None:
            who.standard = 0
            return {"cost": "standard"}
        return None

    def occupied(self, square: Square) -> bool:
        return any(each.square == square for each in self.people.values())

    def way(self, who: Body, squares: int) -> list[Square]:
        """Return a way over so many empty squares, or fewer; the first is the one being left."""
        found = [who.square]
        for _ in range(squares):
            x, y = found[-1]
            near = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            free = [
                each
                for each in near
                if each not in found and not self.occupied(each) and 0 <= each[0] < 7 and 0 <= each[1] < 7
            ]
            if not free:
                break
            found.append(self.dice.choice(free))
        return found

    def goes(self, who: Body) -> bool:
        """Move over some squares; those whose threatened squares are left may strike."""
        way = self.way(who, self.dice.randint(1, who.speed // 5))
        if who.prone or len(way) < 2 or (cost := self.pays_move(who)) is None:
            return False
        who.square = way[-1]
        distance = {"amount": 5 * (len(way) - 1), "unit": "ft"}
        move = self.tell("moved", combatant=who.name, path=[list(each) for each in way], distance=distance, **cost)
        self.note(who, square=f"{who.square[0]},{who.square[1]}")
        if self.chance(0.2) and who.awake and "draw" not in who.free:
            who.free.append("draw")
            move = self.act(who, "draw", cost="free", name=who.weapon.name) - 1
        self.leaves(who, way, move)
        return True

    def leaves(self, who: Body, way: list[Square], move: int) -> None:
        """Let those who threaten a square that was left strike, once each; a felled combatant lies on that square."""
        for foe in self.foes(who):
            left = [square for square in way[:-1] if self.threatens(foe, square)]
            if left and who.awake and self.may_strike(foe) and self.chance(0.4):
                self.strike(foe, who, move, left[0])
                if not who.awake:
                    who.square = left[0]
                    self.note(who, square=f"{who.square[0]},{who.square[1]}")

    def steps(self, who: Body) -> bool:
        way = self.way(who, 1)
        if who.prone or len(way) < 2 or (cost := self.pays_move(who)) is None:
            return False
        who.square = way[-1]
        self.tell("moved", combatant=who.name, path=[list(each) for each in way], mode="step", **cost)
        self.quiet(who)
        return True

    def fumbles(self, who: Body) -> bool:
        if (cost := self.pays_move(who)) is None:
            return False
        kind = self.dice.choice(STILL)
        more: dict[str, str] = {"name": who.weapon.name} if kind == "draw" else {}
        self.provokes(who, self.act(who, kind, **more, **cost))
        return True

    def gets_up(self, who: Body) -> bool:
        if (not who.prone and self.chance(0.7)) or (cost := self.pays_move(who)) is None:
            return False
        act = self.act(who, "stand-up" if who.prone else "drop-prone", **cost)
        who.prone = not who.prone
        self.provokes(who, act)
        return True

    # ---------------------------------------------------------------- free and swift

    def chats(self, who: Body) -> bool:
        """Take a free action of a kind that this turn has not had."""
        kind = self.dice.choice(FREE)
        if kind in who.free:
            return False
        who.free.append(kind)
        self.act(who, kind)
        return True

    def hurries(self, who: Body) -> bool:
        names = [each["name"] for each in who.entries]
        if not who.swift or who.charging or not ({"ward", "potion belt"} & {*names}):
            return False
        who.swift = 0
        if "ward" in names:
            self.act(who, "cast", name="ward", cost="swift", granted_by="ward")
        else:
            self.act(who, "drink", cost="swift", granted_by="potion belt")
        self.quiet(who)
        return True

    # ---------------------------------------------------------------- standard actions

    def casts(self, who: Body) -> bool:
        """Cast a spell at a foe; combatants who threaten the caster may strike first, and those that can counter it may try."""
        foes = self.foes(who)
        if not who.casts or not who.standard or who.slots is not None or not foes:
            return False
        who.standard = 0
        at, name = self.dice.choice(foes), self.dice.choice(list(SPELLS))
        saves = {"allows_save": {"save": "reflex", "dc": 14, "half": True}} if SPELLS[name] else {}
        act = self.act(who, "cast", at, name=name, **saves)
        countered = self.counters(at, act)
        if not countered:
            self.provokes(who, act)
        if who.awake and at.awake and not countered:
            amount = self.d(12)
            if saves:
                die = self.d(20)
                made = die + at.fortitude >= 14
                amount = amount // 2 if made else amount
                self.tell("save_rolled", combatant=at.name, save="reflex", die=die, dc=14, succeeded=made, cause=act)
            self.tell("damage_dealt", target=at.name, amount=amount, source=who.name, cause=act)
            self.suffer(at, amount, who, attack=False)
        return True

    def counters(self, who: Body, act: int) -> bool:
        """Let a combatant counter a spell by its feat; return whether it does."""
        may = who.lock in {"none", "counterspell"} and not who.used
        if "counterspell" not in who.feats or not may or self.chance(0.6):
            return False
        action = {"kind": "counterspell", "granted_by": "counterspell"}
        self.tell("action_taken", combatant=who.name, action=action, trigger=act, succeeded=True)
        self.spends(who, "counterspell")
        return True

    def mends(self, who: Body) -> bool:
        hurt = [
            each
            for each in self.people.values()
            if each.side == who.side and each.state != "dead" and (each.hp < each.hp_max or each.nld)
        ]
        if not who.standard or who.slots is not None or not hurt:
            return False
        who.standard = 0
        at, amount = self.dice.choice(hurt), self.dice.randint(1, 9)
        act = self.act(who, "use-item", at, name="wand of mending")
        if at.hp < at.hp_max:
            self.heals(at, min(amount, at.hp_max - at.hp), who, act)
        if at.nld:
            self.heals(at, min(amount, at.nld), who, act, nonlethal=True)
        return True

    def tinkers(self, who: Body) -> bool:
        if not who.standard or who.slots is not None:
            return False
        who.standard = 0
        self.act(who, self.dice.choice(("use-item", "ability", "other")), name="lantern")
        return True

    def defends(self, who: Body) -> bool:
        if not who.standard or not who.move or not who.swift or who.slots is not None or who.prone:
            return False
        who.move = who.standard = who.swift = 0
        who.stances["full-defense"] = 4
        self.act(who, "full-defense")
        self.note(who, ac=who.armour, touch=who.touch)
        return True

    def holds_back(self, who: Body) -> bool:
        """Hold the standard action, or the move action, for what a foe will do."""
        foes = [foe for foe in self.near(who) if foe.awake]
        if foes and who.move and not who.prone and who.holds is None and self.chance(0.4):
            who.move, who.holds, who.goes_when = 0, self.dice.choice(foes).name, True
            self.tell("action_held", combatant=who.name, action={"kind": "move"}, awaiting=f"{who.holds} does anything")
            self.note(who, holding="move")
            return True
        if not foes or not who.standard or who.slots is not None or who.disarmed or who.holds:
            return False
        who.standard = 0
        at = self.dice.choice(foes)
        who.holds, who.goes_when = at.name, False
        action = {"kind": "attack", "name": who.weapon.name}
        self.tell("action_held", combatant=who.name, action=action, awaiting=f"{at.name} does anything")
        return True

    # ---------------------------------------------------------------- attack actions

    def near(self, who: Body) -> list[Body]:
        """Return the foes that a combatant surely reaches with its weapon."""
        return [foe for foe in self.foes(who) if self.reaches(who, foe.square, surely=True)]

    def slot(self, who: Body) -> int | None:
        """Take the next attack action of the turn; return its bonus, None if there is none."""
        if who.slots is None and who.standard:
            who.slots, who.standard = list(who.bonuses), 0
        return who.slots.pop(0) if who.slots else None

    def manner(self, who: Body) -> list[str]:
        """Choose how a combatant fights in this turn, before its first attack; return the manner to be recorded."""
        if who.reckless is None:
            who.reckless, who.defensive = self.chance(0.15), self.chance(0.15)
            who.stances |= {"reckless": -4} if who.reckless else {}
            who.stances |= {"defensive": 2} if who.defensive else {}
        return [name for name, chosen in (("reckless", who.reckless), ("defensive", who.defensive)) if chosen]

    def attacks(self, who: Body) -> bool:
        if who.disarmed or not (near := self.near(who)) or (bonus := self.slot(who)) is None:
            return False
        at = self.dice.choice(near)
        manner = self.manner(who)
        act = self.act(who, "attack", at, name=who.weapon.name, **({"manner": manner} if manner else {}))
        self.note(who, ac=who.armour)
        self.react(who, act)
        self.blow(who, at, bonus, act)
        return True

    def bashes(self, who: Body) -> bool:
        """Bash a foe with a shield in place of an attack."""
        near = [foe for foe in self.near(who) if reaches(who.square, foe.square, 1)]
        if not near or not who.shield or (bonus := self.slot(who)) is None:
            return False
        at = self.dice.choice(near)
        manner = self.manner(who)
        act = self.act(who, "bash", at, name=who.shield, **({"manner": manner} if manner else {}))
        self.note(who, ac=who.armour)
        parts = self.parts(who, bonus, best=True)
        shield = Weapon(who.shield, 1, SHIELDS[who.shield])
        self.blow(who, at, bonus, act, weapon=shield, parts=parts)
        return True

    def shoots_at(self, who: Body) -> bool:
        foes = self.foes(who)
        if not foes or who.reckless or who.defensive or who.weapon.hands == 2 or (bonus := self.slot(who)) is None:
            return False
        self.manner_is_plain(who)
        at = self.dice.choice(foes)
        self.shoots(who, at, bonus)
        return True

    def manner_is_plain(self, who: Body) -> None:
        """Fix that a combatant fights neither recklessly nor defensively in this turn."""
        if who.reckless is None:
            who.reckless = who.defensive = False
