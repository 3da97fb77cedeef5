"""Attacks: rolls, criticals, damage by its parts, and the strikes that others make out of turn."""

from collections.abc import Iterable
from typing import Any

from tests.lawful.tables.definition_master.health import Health
from tests.lawful.tables.definition_master.people import SLING, Body, Weapon
from tests.lawful.tables.definition_master.sums import Square, in_two_hands, reaches

Part = tuple[str, int]


class Blows(Health):
    """Reaches and blows; `up` is the combatant whose turn it is."""

    up: Body

    # ---------------------------------------------------------------- reach

    def reaches(self, who: Body, square: Square, *, surely: bool = False) -> bool:
        """Return whether a combatant reaches a square; `surely`: leaving out what the text leaves open."""
        if who.size in {"large", "huge"}:
            return reaches(who.square, square, 2 + (who.size == "huge"), corners=not surely)
        if not who.weapon.reach or who.disarmed:
            return reaches(who.square, square, 1)
        inner = reaches(who.square, square, 1) and self.option("reach-adjacent", "not-threatened")
        return not inner and reaches(who.square, square, 2, corners=who.size == "medium")

    def threatens(self, who: Body, square: Square) -> bool:
        return (
            who.awake
            and not who.delays
            and not who.disarmed
            and not who.untrained
            and self.reaches(who, square, surely=True)
        )

    def may_strike(self, who: Body) -> bool:
        strikes = 1 + who.feats.get("Battle Prowess", 0)
        return who.lock in {"none", "aoo"} and set(who.used) <= {"aoo"} and len(who.used) < strikes

    def may_react(self, who: Body) -> bool:
        """Return whether a combatant may use an immediate action of the third kind."""
        return who.lock == "none" and not who.used

    def spends(self, who: Body, kind: str) -> None:
        who.used.append(kind)
        who.lock = kind if who.lock == "none" else who.lock
        self.note(who, lock=who.lock)
        if not who.feats:
            self.note(who, left__immediate=0)

    # ---------------------------------------------------------------- rolls

    def has_turn(self, who: Body) -> bool:
        """Return whether it is a combatant's turn: only then its manner of fighting counts for attacks and damage."""
        return self.up is who

    def parts(self, who: Body, bonus: int, *, ranged: bool = False, best: bool = False) -> list[Part]:
        """Return the named parts of an attack roll; `best`: with the higher of Strength and Dexterity."""
        dexterous = ranged or (who.dexterity > who.strength if best else who.finesse)
        ability = ("dex", who.dexterity) if dexterous else ("str", who.strength)
        size = who.ac.get("size", 0) if ranged else who.attack_size
        found = [
            ("base", bonus),
            ability,
            ("size", size),
            ("defensive", -4 if who.defensive and self.has_turn(who) else 0),
        ]
        found.append(("untrained", -3 if who.untrained and not ranged and not best else 0))
        return [part for part in found if part[1] or part[0] in {"base", "str", "dex"}]

    def rolls(
        self, who: Body, at: Body, parts: list[Part], act: int, *, touch: bool = False, die: int = 0, **more: Any
    ) -> tuple[bool, int]:
        """Record an attack roll; return whether it hits, and its die."""
        die = die or self.d(20)
        total, ac = die + sum(amount for _, amount in parts), at.touch if touch else at.armour
        hit = total >= ac
        if self.option("natural-rolls", "automatic"):
            hit = die == 20 or (hit and die != 1)
        claims: dict[str, Any] = {"total": total, "hit": hit} if self.chance(0.4) else {}
        if self.chance(0.3) or touch:
            claims |= {"against": "touch" if touch else "ac", "ac": ac}
        modifiers = [{"name": name, "amount": amount} for name, amount in parts]
        self.tell(
            "attack_rolled",
            combatant=who.name,
            target=at.name,
            die=die,
            modifiers=modifiers,
            cause=act,
            **claims,
            **more,
        )
        self.note(who, total=total, hit=hit)
        self.note(at, ac=at.armour, touch=at.touch)
        return hit, die

    def confirms(self, who: Body, at: Body, parts: list[Part], roll: int, die: int = 0) -> bool:
        """Record a confirmation; return whether it makes the hit a critical one."""
        die = die or self.d(20)
        critical = die + sum(amount for _, amount in parts) >= at.armour
        modifiers = [{"name": name, "amount": amount} for name, amount in parts]
        self.tell("attack_rolled", combatant=who.name, target=at.name, die=die, modifiers=modifiers, confirms=roll)
        self.note(who, critical=critical)
        return critical

    # ---------------------------------------------------------------- damage

    def flat(self, who: Body, weapon: Weapon) -> list[Part]:
        """Return what is added to each roll of a weapon's dice."""
        two = weapon.hands == 2
        strength = (
            in_two_hands(who.strength, toward_zero=self.option("negative-rounding", "toward-zero"))
            if two
            else who.strength
        )
        found = [
            ("str", strength),
            ("reckless", 2 if who.reckless and self.has_turn(who) else 0),
            ("charge", (4 if two else 2) * who.charging),
            ("untrained", -3 if who.untrained and weapon is who.weapon else 0),
        ]
        return [part for part in found if part[1]]

    def damage(self, who: Body, at: Body, weapon: Weapon, roll: int, *, critical: bool = False, **more: Any) -> None:
        """Record the damage of a hit by its parts, and what it brings about."""
        times = weapon.multiplier if critical else 1
        faces = [self.d(weapon.faces) for _ in range(weapon.count * times)]
        parts: list[dict[str, Any]] = [self.dice_part(weapon.name, "weapon", weapon.faces, faces)]
        parts += [{"name": name, "kind": "flat", "amount": amount * times} for name, amount in self.flat(who, weapon)]
        total = sum(faces) + sum(part.get("amount", 0) for part in parts)
        if self.chance(0.1):
            extra = self.d(6)
            parts.append(self.dice_part("opportunist die", "extra", 6, [extra]))
            total += extra
        total = max(0, total)
        amount = max(0, total - at.reduction)
        nonlethal = self.chance(0.12)
        more |= {"nonlethal": True} if nonlethal else {}
        more |= {"reductions": [{"name": "reduction", "amount": at.reduction}]} if at.reduction else {}
        self.tell("damage_dealt", target=at.name, amount=amount, parts=parts, cause=roll, **more)
        self.note(who, damage=amount)
        self.suffer(at, amount, who, nonlethal=nonlethal)

    def dice_part(self, name: str, kind: str, die: int, faces: list[int]) -> dict[str, Any]:
        return {"name": name, "kind": kind, "dice": {"notation": f"{len(faces)}d{die}", "faces": faces}}

    def blow(
        self,
        who: Body,
        at: Body,
        bonus: int,
        act: int,
        *,
        weapon: Weapon | None = None,
        ranged: bool = False,
        parts: list[Part] | None = None,
    ) -> None:
        weapon = weapon or who.weapon
        parts = parts or self.parts(who, bonus, ranged=ranged)
        hit, die = self.rolls(who, at, parts, act, name=weapon.name)
        roll = self.fight.seq
        reached = die + sum(amount for _, amount in parts) >= at.armour
        critical = die >= weapon.threat and reached and self.confirms(who, at, parts, roll)
        if hit:
            self.damage(who, at, weapon, roll, critical=critical)

    # ---------------------------------------------------------------- out of turn

    def strike(self, who: Body, at: Body, trigger: int, square: Square | None = None) -> int:
        """Record an attack of opportunity; return how much damage it did."""
        before = at.hp + at.hp_max - at.nld
        where = {"square": list(square)} if square else {}
        action = {"kind": "attack", "name": who.weapon.name, "targets": [at.name], "cost": "opportunity", **where}
        act = self.tell("action_taken", combatant=who.name, action=action, trigger=trigger)
        self.spends(who, "aoo")
        self.blow(who, at, who.bonuses[0], act)
        return before - (at.hp + at.hp_max - at.nld)

    def provokes(self, who: Body, trigger: int, by: Iterable[Body] | None = None) -> int:
        """Let some of those who may strike at a combatant do it; return the damage that they did."""
        did = 0
        for foe in list(self.foes(who) if by is None else by):
            if who.awake and self.threatens(foe, who.square) and self.may_strike(foe) and self.chance(0.4):
                did += self.strike(foe, who, trigger)
        return did

    def react(self, at: Body, to: int) -> None:
        """Let one who has a warding stone use it now and then."""
        stones = [foe for foe in self.foes(at) if foe.entries and foe.entries[-1]["name"] == "warding stone"]
        for who in stones:
            if self.may_react(who) and self.chance(0.15):
                action = {
                    "kind": "ability",
                    "name": "warding stone",
                    "cost": "immediate",
                    "granted_by": "warding stone",
                }
                self.tell("action_taken", combatant=who.name, action=action, trigger=to)
                self.spends(who, "other")

    def shoots(self, who: Body, at: Body, bonus: int) -> None:
        """Record a shot with the sling, which provokes those who threaten the shooter."""
        action = {"kind": "attack", "name": SLING.name, "targets": [at.name], "manner": ["ranged"]}
        act = self.tell("action_taken", combatant=who.name, action=action)
        self.provokes(who, act)
        if who.awake and at.awake:
            self.blow(who, at, bonus, act, weapon=SLING, ranged=True)
