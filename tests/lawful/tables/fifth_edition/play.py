"""The fifth edition as it is played at the table: turns, acts, blows, health, concentration, what lasts, and the ground."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from tests.lawful.fight import Fight
from tests.lawful.tables.fifth_edition.people import (
    ENTRIES,
    GRID,
    IDS,
    IMPLIED,
    MELEE,
    STILL,
    WEAPONS,
    Lasting,
    Someone,
    Square,
    somebody,
)

OPTIONS = {
    "edition": ["2014", "2024"],  "missing-facts": ["silent", "notice"],
    "initiative-tie": ["as-decided", "higher-bonus", "roll-off"],
    "unmarked": ["unsaid", "character", "monster"], "monsters-at-zero": ["die", "fall"], "hp-floor": ["zero", "sheet"],
    "temporary-points": ["larger", "newer"], "absorbed-damage": ["counts", "does-not-count"], "one-source": ["same-cause", "each-fact"],
    "stable-hit": ["one-failure", "restarts"], "within-five": ["recorded", "melee-counts"], "duration-of": ["originator", "bearer"],
    "duration-at": ["start", "end"], "save-half": ["half-first", "reduce-first"], "bonus-spell-bar": ["every-spell", "reactions-exempt"],
    "conditions-as-effects": ["named-alike", "told-only"], "advantage": ["shown", "compared"],
}  # fmt: skip
"""The options that the table knows, each with its values, the default first."""
SHORT = {"strength": "str", "dexterity": "dex", "constitution": "con"}
HELPLESS = {"paralyzed", "petrified", "restrained", "stunned", "unconscious"}
AFFLICTIONS = (
    "blinded", "deafened", "frightened", "incapacitated", "invisible", "paralyzed", "petrified", "poisoned", "prone", "restrained", "stunned",
    "unconscious",
)  # fmt: skip


def apart(one: Square, other: Square) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@dataclass
class Table:
    """A fight as it goes, with all that is known of it."""

    dice: random.Random
    fight: Fight = field(default_factory=Fight)
    people: dict[str, Someone] = field(default_factory=dict)
    lasting: list[Lasting] = field(default_factory=list)
    round: int = 0
    turn: Someone | None = None
    had: list[Someone] = field(default_factory=list)
    ground: bool = False
    told: bool = False
    rough: set[Square] = field(default_factory=set)
    unsure: int = 0
    joined: int = 0
    vague: set[str] = field(default_factory=set)

    # ------------------------------------------------------------ what is told, and what is known of it

    def option(self, name: str) -> str:
        return self.fight.options.get(name, OPTIONS[name][0])

    @property
    def new(self) -> bool:
        return self.option("edition") == "2024"

    def chance(self, share: float) -> bool:
        return self.dice.random() < share

    def tell(self, type: str, **fields: Any) -> int:  # noqa: A002 - the field of a fact is called that
        self.note()
        return self.fight.tell(type, **fields)

    def note(self) -> None:
        """Note what is known after the last fact: all of it as a turn begins, else some of it."""
        if self.fight.facts and self.fight.seq > self.unsure:
            known = [(address, value) for address, value in self.values() if address not in self.vague]
            whole = self.fight.facts[-1]["type"] == "turn_started"
            self.fight.note(dict(known if whole else self.dice.sample(known, min(10, len(known)))))

    def values(self) -> Iterator[tuple[str, Any]]:
        if self.round or not self.told:
            yield "round", self.round
        if self.turn:
            yield "turn", self.turn.id
            if not self.undecided():
                yield "order", [one.id for one in self.order()]
            yield from self.budget(self.turn)
        for one in self.people.values():
            for name, value in self.of(one):
                yield f"{one.id}.{name}", value

    def budget(self, one: Someone) -> Iterator[tuple[str, Any]]:
        if one.dead:
            return
        idle = self.idle(one)
        yield f"{one.id}.left.action", 0 if idle else one.action
        if one.bonus_spent or idle:
            yield f"{one.id}.left.bonus", 0
        if not idle:
            yield f"{one.id}.left.object", one.object
            if not one.action and one.struck_with:
                yield f"{one.id}.left.attacks", one.striking
        yield f"{one.id}.left.movement", self.feet(one)

    def of(self, one: Someone) -> Iterator[tuple[str, Any]]:
        """Yield what is known of a combatant, by the rest of its address."""
        yield "hp", one.hp
        yield "temp", one.temp
        yield "status", self.status(one)
        if one.total is not None:
            yield "initiative", one.total
        for level, left in one.slots.items():
            yield f"left.slot-{level}", left
        if one.dead:
            yield "concentration", "none"
            return
        if not one.dead and self.status(one) == "dying":
            yield "death-saves", f"{one.made},{one.failed}"
        if not (self.new and one.surprised):
            yield "conditions", sorted(self.conditions(one))
        yield "left.reaction", 0 if self.idle(one, reacting=True) else one.reaction
        yield "effects", [each.name for each in self.lasting if one.id in each.bearers and not each.condition]
        focus = self.focus(one)
        yield "concentration", focus.name if focus else "none"
        yield "dodging", one.dodging
        yield "disengaged", one.disengaged
        yield "speed", 0 if self.still(one) else one.speed
        if self.new:
            yield "bloodied", 2 * one.hp <= one.hp_max

    # ------------------------------------------------------------ health and conditions

    def mortal(self, one: Someone) -> str:
        """Return what a combatant is at 0 hit points: character, monster, or not recorded."""
        if one.character:
            return "character"
        if one.creature == "monster" or self.option("unmarked") == "monster":
            return "character" if self.option("monsters-at-zero") == "fall" else "monster"
        return "character" if self.option("unmarked") == "character" else ""

    def status(self, one: Someone) -> str:
        if one.dead:
            return "dead"
        if not one.zero:
            return "unconscious" if "unconscious" in self.conditions(one) else "up"
        if one.stable:
            return "stable"
        return "dying" if self.mortal(one) else "down"

    def conditions(self, one: Someone) -> set[str]:
        """Return the conditions of a combatant, those that others imply too."""
        named = {each.name for each in self.lasting if each.condition and one.id in each.bearers}
        if one.surprised:
            named.add("surprised")
        if one.out_cold or (one.zero and not one.dead and (one.stable or self.mortal(one))):
            named.add("unconscious")
        if one.prone:
            named.add("prone")
        return named.union(*(IMPLIED.get(name, set()) for name in named))

    def idle(self, one: Someone, *, reacting: bool = False) -> bool:
        """Say whether a combatant can take no action now, or no reaction."""
        lost = one.surprised and not self.new and (reacting or one is self.turn)
        return one.dead or lost or "incapacitated" in self.conditions(one)

    def still(self, one: Someone) -> bool:
        return bool(self.conditions(one) & (STILL if self.new else {*STILL, "stunned"}))

    def able(self, one: Someone) -> bool:
        return not one.zero and not self.idle(one) and "unconscious" not in self.conditions(one)

    def up(self) -> list[Someone]:
        return [one for one in self.people.values() if not one.zero and not one.dead]

    def focus(self, one: Someone) -> Lasting | None:
        return next((each for each in self.lasting if each.needs and each.source == one.id), None)

    def lose_focus(self, one: Someone) -> None:
        if focus := self.focus(one):
            self.lasting = [each for each in self.lasting if each is not focus and each.parent != focus.seq]

    def changed(self, one: Someone) -> None:
        """Draw the consequences of a combatant's new state: unconscious, on the ground, or dead."""
        now = self.conditions(one)
        if "unconscious" in now:
            one.prone = True
        if one.zero or one.dead or "incapacitated" in now:
            self.lose_focus(one)
        if "incapacitated" in now or self.still(one) or one.dead:
            one.dodging = False
        if one.dead:
            owned = [each for each in self.lasting if each.owner == one.id]
            for each in owned:
                self.lift(each)

    def lift(self, each: Lasting) -> None:
        self.vague |= {f"{one}.{name}" for one in each.bearers for name in ("conditions", "effects")}
        word = "condition" if each.condition else "effect"
        event = "condition_lost" if each.condition else "effect_ended"
        self.tell(event, **{word: each.name}, targets=list(each.bearers))
        if each.name == "unconscious":
            for who in each.bearers:
                self.people[who].out_cold = False
        self.over(each)

    def over(self, each: Lasting) -> None:
        self.lasting = [other for other in self.lasting if other is not each and other.parent != each.seq]

    # ------------------------------------------------------------ damage and healing

    def hurt(self, one: Someone, amount: int, *, critical: bool = False, **fields: Any) -> int:
        """Record damage and take it; return its seq."""
        seq = self.tell("damage_dealt", target=one.id, amount=amount, **fields)
        if one.dead:
            return seq
        self.take(one, amount, critical=critical, gently=bool(fields.get("nonlethal")))
        return seq

    def take(self, one: Someone, amount: int, *, critical: bool, gently: bool) -> None:
        """Take temporary points, then hit points, and fall or fail if it comes to that."""
        lost = max(0, amount - one.temp)
        one.temp = max(0, one.temp - amount)
        counts = amount > 0 and (lost > 0 or self.option("absorbed-damage") == "counts")
        floor = self.option("hp-floor") == "zero" or one.floor
        kind = self.mortal(one)
        if one.zero:
            one.hp = one.hp if floor else one.hp - lost
            if lost >= one.hp_max and (kind or one.stable):
                one.dead = True
            elif counts and (kind == "character" or one.stable):
                self.fail_by_damage(one, critical=critical)
        else:
            rest = lost - one.hp
            one.hp -= lost
            if floor:
                one.hp = max(0, one.hp)
            if rest >= 0:
                self.fall(one, rest, gently=gently)
        self.changed(one)

    def fall(self, one: Someone, rest: int, *, gently: bool) -> None:
        kind = self.mortal(one)
        massive = rest >= one.hp_max and (not self.new or kind != "monster")
        one.made = one.failed = 0
        if gently and self.new:
            one.hp, one.out_cold = 1, True
        elif massive:
            one.dead = True
        elif gently:
            one.stable = True
        elif kind == "monster":
            one.dead = True
        one.out_cold = one.out_cold and not one.zero

    def fail_by_damage(self, one: Someone, *, critical: bool) -> None:
        """Count damage at 0 hit points as a failure, from a critical hit as two."""
        if one.stable:
            one.stable, one.made, one.failed = False, 0, 0
            if self.option("stable-hit") == "restarts":
                return
        self.fail(one, 2 if critical else 1)

    def fail(self, one: Someone, count: int) -> None:
        """Count failures; three kill."""
        one.failed += count
        one.dead = one.dead or one.failed >= 3

    def heal(self, one: Someone, amount: int, **fields: Any) -> None:
        self.tell("healed", target=one.id, amount=amount, **fields)
        self.regain(one, amount)

    def regain(self, one: Someone, amount: int) -> None:
        one.hp = min(one.hp_max, one.hp + amount)
        if amount > 0 and one.hp > 0:
            one.made = one.failed = 0
            one.stable = one.out_cold = False

    def protect(self, one: Someone) -> None:
        amount = self.dice.randint(1, 9)
        self.tell("healed", target=one.id, amount=amount, temporary=True, cause=self.fate())
        one.temp = amount if self.option("temporary-points") == "newer" else max(one.temp, amount)

    def death_save(self, one: Someone) -> None:
        die = self.dice.choice((1, 20, *range(2, 20)))
        said = {"succeeded": die >= 10} if self.chance(0.4) else {}
        self.tell("save_rolled", combatant=one.id, purpose="death", die=die, **said)
        one.rolled = one.character = True
        if die == 20:
            self.regain(one, 1 - one.hp)
        elif die >= 10:
            one.made += 1
            if one.made == 3:
                one.stable, one.made, one.failed = True, 0, 0
        else:
            self.fail(one, 2 if die == 1 else 1)
        self.changed(one)

    def keep_focus(self, one: Someone, amount: int, seq: int) -> None:
        if not amount or not self.focus(one) or (self.option("missing-facts") == "silent" and self.chance(0.2)):
            return
        dc = max(10, amount // 2)
        dc = min(30, dc) if self.new else dc
        die, mod = self.dice.randint(1, 20), one.mod("constitution")
        said: dict[str, Any] = {"dc": dc} if self.chance(0.5) else {}
        said |= {"total": die + mod} if self.chance(0.5) else {}
        said |= {"succeeded": die + mod >= dc} if self.chance(0.5) else {}
        modifiers = [{"name": "con", "amount": mod}]
        self.tell(
            "save_rolled",
            combatant=one.id,
            save="constitution",
            die=die,
            modifiers=modifiers,
            purpose="concentration",
            cause=seq,
            **said,
        )
        if die + mod < dc:
            self.lose_focus(one)

    # ------------------------------------------------------------ blows

    def strike(self, one: Someone, target: Someone, weapon: str, cost: str, **fields: Any) -> None:
        """Record an attack with a weapon, its roll, and the damage if it hits."""
        manner = "offhand" if fields.pop("offhand", False) else "ranged" if weapon == "longbow" else "melee"
        action = {"kind": "attack", "name": weapon, "targets": [target.id], "manner": [manner], "cost": cost}
        act = self.tell("action_taken", combatant=one.id, action=action, **fields)
        self.pay(one, cost)
        if cost in ("action", "attack"):
            one.striking = one.attacks - 1 if cost == "action" else one.striking - 1
            one.struck_with = weapon
        ability = WEAPONS[weapon].get("ability", "dexterity" if manner == "ranged" else "strength")
        if manner == "melee":
            self.shield(target, act)
        self.blow(one, target, weapon, ability, manner, act)

    def pay(self, one: Someone, cost: str) -> None:
        match cost:
            case "action":
                one.action = 0
            case "bonus":
                one.bonus_spent = True
            case "reaction" | "opportunity":
                one.reaction = 0
            case "free":
                one.object = 0

    def near(self, one: Someone, target: Someone, manner: str) -> bool:
        """Say whether an attacker is known to be within 5 feet."""
        if self.ground:
            return apart(one.square, target.square) <= 1
        return manner != "ranged" and self.option("within-five") == "melee-counts"

    def blow(self, one: Someone, target: Someone, weapon: str, ability: str, manner: str, act: int) -> None:
        mods = [
            {"name": SHORT[ability], "amount": one.mod(ability)},
            {"name": "proficiency", "amount": one.proficiency},
        ]
        seq, hit, critical = self.attack(one, target, mods, manner, act)
        if not hit or target.dead:
            return
        count, faces = map(int, WEAPONS[weapon]["dice"].split("d"))
        kind = WEAPONS[weapon]["damage_type"]
        part = self.part(weapon, "weapon", count * (2 if critical else 1), faces, kind)
        flat = one.mod(ability)
        flats = [{"name": SHORT[ability], "kind": "modifier", "amount": flat}]
        parts = [part, *(flats if manner != "offhand" or flat < 0 else [])]
        raw = sum(part["dice"]["faces"]) + (flat if len(parts) > 1 else 0)
        gently = {"nonlethal": True} if manner == "melee" and target.creature and self.chance(0.15) else {}
        self.wound(one, target, [(kind, raw)], critical=critical, source=one.id, parts=parts, cause=seq, **gently)

    def part(self, name: str, kind: str, count: int, faces: int, damage: str) -> dict[str, Any]:
        thrown = [self.dice.randint(1, faces) for _ in range(count)]
        return {
            "name": name,
            "kind": kind,
            "dice": {"notation": f"{count}d{faces}", "faces": thrown},
            "damage_type": damage,
        }

    def wound(self, one: Someone, target: Someone, shares: list[tuple[str, int]], **fields: Any) -> None:
        """Deal damage of these types after what the target resists, and let it keep its concentration or not."""
        amount = sum(self.share(target, kind, max(0, raw)) for kind, raw in shares)
        if target.zero and not amount:
            return
        focused = self.focus(target)
        absorbed = amount <= target.temp and self.option("absorbed-damage") == "does-not-count"
        seq = self.hurt(target, amount, **fields)
        if focused and not absorbed and one is not target:
            self.keep_focus(target, amount, seq)

    def share(self, target: Someone, kind: str, raw: int) -> int:
        if kind in target.defences.get("immunities", ()):
            return 0
        if kind in target.defences.get("resistances", ()) or "petrified" in self.conditions(target):
            raw //= 2
        return raw * 2 if kind in target.defences.get("vulnerabilities", ()) else raw

    def attack(
        self, one: Someone, target: Someone, mods: list[dict[str, Any]], manner: str, act: int
    ) -> tuple[int, bool, bool]:
        """Record an attack roll; return its seq, whether it hits, and whether critically."""
        state = self.leaning(one, target, manner)
        die, face = self.throw(state)
        total = face + sum(each["amount"] for each in mods)
        ac = target.ac
        if self.chance(0.15):
            name, more = self.dice.choice((("half cover", 2), ("three-quarters cover", 5)))
            mods, ac = [*mods, {"name": name, "amount": more, "to": "ac"}], ac + more
        said: dict[str, Any] = {"total": total} if self.chance(0.4) else {}
        if self.chance(0.2):
            ac = self.dice.choice((ac, ac + 5))
            said["ac"] = ac
        hit = face == 20 or (face != 1 and total >= ac)
        helpless = self.conditions(target) & {"paralyzed", "unconscious"} and self.near(one, target, manner)
        critical = hit and (face >= one.critical or bool(helpless))
        said |= {"hit": hit} if self.chance(0.4) else {}
        said |= {"critical": critical} if self.chance(0.4) else {}
        seq = self.tell("attack_rolled", combatant=one.id, target=target.id, die=die, modifiers=mods, cause=act, **said)
        if state not in ("", "none"):
            self.fight.note({f"{seq}.advantage": state})
        return seq, hit, critical

    def afraid(self, one: Someone) -> bool:
        """Say whether a combatant is frightened of another that it can see."""
        sources = [each.source for each in self.lasting if each.name == "frightened" and one.id in each.bearers]
        return any(source and "invisible" not in self.conditions(self.people[source]) for source in sources)

    def leaning(self, one: Someone, target: Someone, manner: str) -> str:
        """Return the state of an attack roll: advantage, disadvantage, or none; nothing where it is not known."""
        mine, theirs = self.conditions(one), self.conditions(target)
        gives = bool(theirs & {*HELPLESS, "blinded"} or "invisible" in mine)
        takes = bool(mine & {"blinded", "poisoned", "restrained", "prone"} or "invisible" in theirs or self.afraid(one))
        takes = takes or (target.dodging and "blinded" not in theirs and "invisible" not in mine)
        if "prone" in theirs:
            if not (self.ground or self.near(one, target, manner)):
                return "neither" if gives and takes else ""
            near = self.near(one, target, manner)
            gives, takes = gives or near, takes or not near
        if manner == "ranged" and self.ground:
            beside = [
                other for other in self.people.values()
                if other.side != one.side and not other.dead and apart(other.square, one.square) <= 1
            ]  # fmt: skip
            if any(self.status(other) == "down" for other in beside):
                return ""
            seen = any(not self.conditions(other) & {"incapacitated", "blinded"} for other in beside)
            takes = takes or (seen and "invisible" not in mine)
        if gives == takes:
            return "neither" if gives else "none"
        return "advantage" if gives else "disadvantage"

    def throw(self, state: str = "none") -> tuple[Any, int]:
        """Throw a d20, at times two, and return the die as it is recorded and the face that counts."""
        faces = [self.dice.randint(1, 20), self.dice.randint(1, 20)]
        compared = self.option("advantage") == "compared" and state
        if state in ("none", "neither") if compared else self.chance(0.8):
            return faces[0], faces[0]
        high = state == "advantage" if compared else self.chance(0.5)
        kept = max(faces) if high else min(faces)
        die = {"notation": f"2d20k{'h' if high else 'l'}1", "faces": faces, "dropped": [1 - faces.index(kept)]}
        return die, kept

    def shield(self, target: Someone, act: int) -> None:
        free = self.able(target) and target.reaction and not self.idle(target, reacting=True)
        if "shield" in target.entries and free and self.may_cast(target, "shield") and self.chance(0.5):
            self.cast(target, "shield", [target.id], trigger=act)

    # ------------------------------------------------------------ spells

    def may_cast(self, one: Someone, name: str) -> bool:
        """Say whether a combatant can cast a spell now: slots, and the other spells of the turn."""
        entry = ENTRIES[name]
        level, cost = entry["level"], entry["cost"]
        if level and (not one.slots.get(level) or (self.new and one.slots_spent)):
            return False
        if self.new:
            return True
        exempt = self.option("bonus-spell-bar") == "reactions-exempt"
        others = [each for each in one.spells if not (exempt and each[0] == "reaction")]
        if exempt and cost == "reaction":
            return True
        if cost == "bonus":
            return all(each == ("action", 0) for each in others)
        return (cost, level) == ("action", 0) or all(each[0] != "bonus" for each in others)

    def cast(self, one: Someone, name: str, targets: list[str], **fields: Any) -> int:
        """Record a cast and its slot; return the seq of the cast."""
        entry = ENTRIES[name]
        level, cost = entry["level"], entry["cost"]
        action: dict[str, Any] = {"kind": "cast", "name": name, "targets": targets, "cost": cost}
        if name == "fire bolt":
            action["manner"] = ["spell"]
        if fields.get("allows_save"):
            action["allows_save"] = fields.pop("allows_save")
        act = self.tell("action_taken", combatant=one.id, action=action, **fields)
        self.pay(one, cost)
        one.spells.append((cost, level))
        if entry.get("concentration") and self.new:
            self.lose_focus(one)
        if level:
            self.spend_slot(one, level, act)
        return act

    def spend_slot(self, one: Someone, level: int, act: int) -> None:
        left = {"left": one.slots[level] - 1} if self.chance(0.3) else {}
        self.tell(
            "resource_changed", combatant=one.id, resource=f"level {level} spell slot", amount=-1, cause=act, **left
        )
        one.slots[level] -= 1
        one.slots_spent += 1

    def spell(self) -> None:
        one = self.turn
        assert one
        can = [
            name
            for name in one.entries
            if name in ENTRIES and ENTRIES[name]["cost"] in self.costs_left(one) and self.may_cast(one, name)
        ]
        if can:
            SPELLS[self.dice.choice(can)](self, one)

    def costs_left(self, one: Someone) -> list[str]:
        """Return the costs that a combatant can pay in its own turn."""
        return [*(["action"] if one.action else []), *([] if one.bonus_spent else ["bonus"])]

    def others(self, one: Someone | None) -> list[Someone]:
        """Return who else is there, and not dead; whether damage kills a monster that is stable is left open."""
        spared = [other for other in self.people.values() if other.stable and self.mortal(other) == "monster"]
        return [other for other in self.people.values() if other is not one and not other.dead and other not in spared]

    def bolt(self, one: Someone) -> None:
        if not (others := self.others(one)):
            return
        target = self.dice.choice(others)
        act = self.cast(one, "fire bolt", [target.id])
        mods = [{"name": "spell attack", "amount": one.spell_attack}]
        seq, hit, critical = self.attack(one, target, mods, "ranged", act)
        if hit:
            part = self.part("fire bolt", "spell", 4 if critical else 2, 10, "fire")
            raw = sum(part["dice"]["faces"])
            self.wound(one, target, [("fire", raw)], critical=critical, source=one.id, parts=[part], cause=seq)

    def save(self, one: Someone, ability: str, act: int, dc: int) -> bool:
        """Record a save against a spell; return whether it is made."""
        dodges, bound = one.dodging, "restrained" in self.conditions(one)
        state = "none" if dodges == bound or ability != "dexterity" else "advantage" if dodges else "disadvantage"
        die, face = self.throw(state)
        mod = one.mod(ability)
        total = face + mod
        made: bool = total >= dc
        if ability in ("strength", "dexterity"):
            made = made and not self.conditions(one) & {"paralyzed", "petrified", "stunned", "unconscious"}
        said: dict[str, Any] = {"dc": dc} if self.chance(0.5) else {}
        said |= {"total": total} if self.chance(0.5) else {}
        said |= {"succeeded": made} if self.chance(0.5) else {}
        modifiers = [{"name": ability[:3], "amount": mod}]
        self.tell("save_rolled", combatant=one.id, save=ability, die=die, modifiers=modifiers, cause=act, **said)
        return made

    def flame(self, one: Someone) -> None:
        if not (others := self.others(one)):
            return
        target = self.dice.choice(others)
        act = self.cast(one, "sacred flame", [target.id], allows_save={"save": "dexterity", "dc": one.dc})
        if not self.save(target, "dexterity", act, one.dc):
            part = self.part("sacred flame", "spell", 1, 8, "radiant")
            raw = sum(part["dice"]["faces"])
            self.wound(one, target, [("radiant", raw)], source=one.id, parts=[part], cause=act)

    def burn(self, one: Someone) -> None:
        """Cast a spell at several that allows a save for half."""
        others = self.others(one)
        targets = self.dice.sample(others, min(len(others), self.dice.randint(1, 3)))
        if not targets:
            return
        allows = {"save": "dexterity", "dc": one.dc, "half": True}
        act = self.cast(one, "burning hands", [each.id for each in targets], allows_save=allows)
        made = {each.id: self.save(each, "dexterity", act, one.dc) for each in targets}
        part = self.part("burning hands", "spell", 3, 6, "fire")
        raw = sum(part["dice"]["faces"])
        for each in targets:
            shares = [("fire", raw // 2 if made[each.id] else raw)]
            self.wound(one, each, shares, source=one.id, parts=[part], cause=act)

    def mend(self, one: Someone, name: str) -> None:
        others = [
            other
            for other in self.people.values()
            if not other.dead
            and "unconscious" not in {each.name for each in self.lasting if other.id in each.bearers}
            and (name != "cure wounds" or not self.ground or apart(one.square, other.square) <= 1)
        ]
        target = self.dice.choice(others)
        act = self.cast(one, name, [target.id])
        self.heal(target, self.dice.randint(1, 9), cause=act)

    def enchant(self, one: Someone, name: str) -> None:
        others = self.up() if name != "hold person" else [other for other in self.up() if other is not one]
        others = [other for other in others if all(name != e.name or other.id not in e.bearers for e in self.lasting)]
        if not others:
            return
        targets = self.dice.sample(others, min(len(others), 2 if name in ("bless", "bane") else 1))
        act = self.cast(one, name, [each.id for each in targets])
        length = self.length(one.id, targets[0].id)
        if length and "of" not in length[0] and self.option("duration-of") == "bearer" and len(targets) > 1:
            length = None
        duration = {"duration": length[0]} if length else {}
        source = {"source": one.id} if self.chance(0.6) or (length and "of" not in length[0]) else {}
        told = {"concentration": True} if self.chance(0.6) else {}
        self.note()
        self.lose_focus(one)
        names = [each.id for each in targets]
        seq = self.fight.tell("effect_started", effect=name, targets=names, cause=act, **source, **duration, **told)
        lasting = Lasting(name, seq, [each.id for each in targets], one.id, needs=True)
        if length:
            lasting.owner, lasting.at, lasting.turns = length[1:]
        self.lasting.append(lasting)
        if name in ("web", "hold person"):
            self.afflict(
                targets[0], "restrained" if name == "web" else "paralyzed", cause=seq, source=one.id, parent=seq
            )

    def length(self, source: str, bearer: str) -> tuple[dict[str, Any], str, str, int] | None:
        """Return a duration as it is recorded, whose turns count it, at which end, and how many; at times none."""
        if self.chance(0.3):
            return None
        turns = self.dice.choice((1, 1, 2, 3, 10))
        told: dict[str, Any] = {"amount": turns, "unit": "round"}
        if turns == 10 and self.chance(0.5):
            told = {"amount": 1, "unit": "minute"}
        maker = source or (self.turn.id if self.turn else bearer)
        default = bearer if self.option("duration-of") == "bearer" else maker
        owner, at = default, self.option("duration-at")
        if self.chance(0.4):
            owner = told["of"] = self.dice.choice((source or bearer, bearer))
        if self.chance(0.4):
            at = told["at"] = self.dice.choice(("start", "end"))
        if self.people[owner].dead or self.people[owner].total is None:
            return None
        return told, owner, at, turns

    def afflict(self, one: Someone, name: str, *, source: str = "", parent: int = 0, **fields: Any) -> None:
        if name in self.conditions(one) or (name == "poisoned" and "petrified" in self.conditions(one)):
            return
        length = None if parent or name == "prone" else self.length(source, one.id)
        said: dict[str, Any] = {"duration": length[0]} if length else {}
        said |= {"source": source} if source else {}
        seq = self.tell("condition_gained", condition=name, targets=[one.id], **fields, **said)
        if name == "prone":
            one.prone = True
        else:
            lasting = Lasting(name, seq, [one.id], source, condition=True, parent=parent)
            if length:
                lasting.owner, lasting.at, lasting.turns = length[1:]
            self.lasting.append(lasting)
        self.changed(one)

    # ------------------------------------------------------------ the ground

    def taken(self, one: Someone) -> set[Square]:
        return {other.square for other in self.people.values() if other is not one and not other.dead}

    def feet(self, one: Someone) -> int:
        """Return the feet that a combatant has left in its own turn."""
        lost = self.still(one) or (one.surprised and not self.new) or one.dead
        return 0 if lost else max(0, one.speed * (1 + one.dashes) - one.spent_feet)

    def walk(self) -> None:
        one = self.turn
        assert one
        if "frightened" in self.conditions(one):
            return
        crawls = one.prone
        mode = {"mode": "crawl"} if crawls else {"mode": "walk"} if self.chance(0.3) else {}
        if not self.ground:
            feet = 5 * self.dice.randint(1, 8)
            price = feet * (2 if crawls else 1)
            if price <= self.feet(one):
                self.tell("moved", combatant=one.id, distance={"amount": feet, "unit": "ft"}, **mode)
                one.spent_feet += price
            return
        way, price = self.way(one, crawls=crawls)
        if len(way) < 2:
            return
        seq = self.tell("moved", combatant=one.id, path=[list(square) for square in way], **mode)
        one.spent_feet += price
        one.square = way[-1]
        if not one.disengaged:
            self.left_reach(one, way, seq)

    def way(self, one: Someone, *, crawls: bool) -> tuple[list[Square], int]:
        way, price, taken = [one.square], 0, self.taken(one)
        while self.chance(0.8):
            x, y = way[-1]
            step = x + self.dice.randint(-1, 1), y + self.dice.randint(-1, 1)
            cost = 5 + 5 * (step in self.rough) + 5 * crawls
            if step in GRID and step != way[-1] and step not in taken and price + cost <= self.feet(one):
                way.append(step)
                price += cost
        return way, price

    def left_reach(self, one: Someone, way: list[Square], seq: int) -> None:
        """Let one of those whose reach a combatant has left strike."""
        for other in self.up():
            inside = [apart(other.square, square) <= 1 for square in way]
            left = any(here and not there for here, there in pairwise(inside))
            ready = other.reaction and self.able(other) and not self.idle(other, reacting=True)
            if left and other.side != one.side and ready and self.chance(0.5):
                end, one.square = one.square, next(
                    here for here, there in pairwise(way)
                    if apart(other.square, here) <= 1 < apart(other.square, there)
                )  # fmt: skip
                weapon = self.dice.choice([name for name in other.weapons if name in MELEE])
                self.strike(other, one, weapon, "opportunity", trigger=seq)
                one.square = end
                return

    # ------------------------------------------------------------ the order, rounds, turns

    def order(self) -> list[Someone]:
        placed = [one for one in self.people.values() if one.total is not None]
        higher = self.option("initiative-tie") == "higher-bonus"
        return sorted(placed, key=lambda one: (-(one.total or 0), -one.bonus if higher else 0, one.rank, one.joined))

    def undecided(self) -> bool:
        """Say whether a tie stands undecided, so that the turns of the first round decide it."""
        keys = [(one.total, one.rank) for one in self.order()]
        return self.option("initiative-tie") == "as-decided" and len(set(keys)) < len(keys)

    def join(self) -> Someone:
        who = IDS[self.joined]
        one = somebody(self.dice, who, self.fight.seq, self.option("hp-floor"))
        self.tell("combatant_joined", combatant=one.id, side=one.side, sheet=one.sheet())
        self.people[one.id] = one
        self.joined += 1
        if self.ground:
            one.square = self.dice.choice([square for square in GRID if square not in self.taken(one)])
            self.tell("placed", combatant=one.id, square=list(one.square))
        return one

    def roll(self, one: Someone) -> None:
        die, face = self.throw()
        if self.new and one.surprised:
            faces = [self.dice.randint(1, 20), self.dice.randint(1, 20)]
            face = min(faces)
            die = {"notation": "2d20kl1", "faces": faces, "dropped": [1 - faces.index(face)]}
        elif not isinstance(die, int) or self.chance(0.3):
            die = face = self.dice.choice((9, 10))
        said = {"bonus": one.bonus} if self.chance(0.5) else {}
        said |= {"total": face + one.bonus} if self.chance(0.5) else {}
        self.tell("initiative_rolled", combatant=one.id, die=die, **said)
        one.total = face + one.bonus

    def part_ties(self) -> None:
        """Let ties be decided by a ruling, where the option allows it."""
        for total in sorted({one.total for one in self.people.values() if one.total is not None}):
            tied = [one for one in self.people.values() if one.total == total]
            if len(tied) < 2 or self.option("initiative-tie") == "higher-bonus":
                continue
            if self.option("initiative-tie") == "roll-off":
                shown = self.dice.sample(range(1, 21), len(tied))
                for one, die in zip(tied, shown, strict=True):
                    others = [other.id for other in tied if other is not one]
                    self.fight.tell("initiative_rolled", combatant=one.id, die=die, tie_with=others)
                    one.rank = -die
            elif self.chance(0.5):
                self.dice.shuffle(tied)
                self.tell("ruling_made", ruling="tie", decision="so", combatants=[one.id for one in tied])
                for rank, one in enumerate(tied):
                    one.rank = rank

    def begin(self) -> None:
        for _ in range(self.dice.randint(3, 5)):
            self.join()
        if self.ground and self.chance(0.5):
            self.rough = set(self.dice.sample(GRID, 8))
            self.tell("terrain_set", terrain="difficult", squares=[list(square) for square in sorted(self.rough)])
        if self.chance(0.4):
            caught = self.dice.sample(list(self.people), 1 + self.chance(0.3))
            self.vague |= {f"{who}.conditions" for who in caught}
            self.tell("surprise_settled", surprised=caught)
            self.vague.clear()
            for who in caught:
                self.people[who].surprised = True
        people = list(self.people.values())
        self.dice.shuffle(people)
        for one in people:
            self.roll(one)
        self.part_ties()

    def play(self, rounds: int) -> Iterator[str]:
        """Play so many rounds, and yield at each moment which it is."""
        self.begin()
        yield "set"
        for _ in range(rounds):
            if len(self.up()) < 2:
                break
            if self.told:
                self.tell("round_started", round=self.round + 1)
                self.end_turn()
                self.round += 1
                self.had = []
            yield "round"
            opens = True
            places = self.order()
            while places:
                one = places.pop(0)
                if one.dead and (opens or self.undecided() or self.chance(0.7)):
                    continue
                self.start(one, opens=opens)
                opens = False
                yield from self.take_turn(one)
                places = [each for each in self.order() if each not in self.had and self.after(each, one)]
        self.note()

    def after(self, one: Someone, other: Someone) -> bool:
        order = self.order()
        return order.index(one) > order.index(other)

    def start(self, one: Someone, *, opens: bool) -> None:
        self.note()
        self.end_turn()
        if opens and not self.told:
            self.round += 1
            self.had = []
        self.fight.tell("turn_started", combatant=one.id)
        self.turn = one
        self.had.append(one)
        for other in self.people.values():
            other.spells.clear()
            other.slots_spent = 0
        one.action, one.striking, one.bonus_spent, one.object, one.reaction = 1, 0, False, 1, 1
        one.spent_feet = one.dashes = 0
        one.struck_with = ""
        one.dodging = False
        one.rolled = not (one.zero and not one.dead and not one.stable and self.mortal(one))
        self.count(one, "start")

    def end_turn(self) -> None:
        if one := self.turn:
            one.disengaged = False
            one.surprised = False
            self.count(one, "end")
        self.turn = None

    def count(self, one: Someone, at: str) -> None:
        """Count down what lasts by the turns of a combatant, at this end of them."""
        for each in list(self.lasting):
            if each.owner == one.id and each.at == at and each in self.lasting:
                if at == "end" and each.seq > self.begun(one):
                    continue
                each.turns -= 1
                if each.turns <= 0:
                    self.over(each)

    def begun(self, one: Someone) -> int:
        facts = self.fight.facts
        return 2 + max(
            n for n, fact in enumerate(facts) if (fact["type"], fact.get("combatant")) == ("turn_started", one.id)
        )

    def take_turn(self, one: Someone) -> Iterator[str]:
        if not one.rolled and (self.option("missing-facts") == "notice" or self.chance(0.9)):
            yield "dying"
            self.death_save(one)
        for _ in range(self.dice.randint(0, 6)):
            if self.able(one):
                yield "turn"
                self.dice.choices(list(STEPS), list(STEPS.values()))[0](self)
            elif self.chance(0.3):
                yield "helpless"
                self.aside()
        yield "late"
        if self.chance(0.3):
            self.tell("turn_ended", combatant=one.id)
            self.end_turn()
            self.aside()

    # ------------------------------------------------------------ what one does

    def attack_somebody(self) -> None:
        """Attack in the attacker's own turn: with the action, with the rest of it, or with the other hand."""
        one = self.turn
        assert one
        others = self.others(one)
        close = [other for other in others if not self.ground or apart(one.square, other.square) <= 1]
        light = [name for name in one.weapons if "light" in WEAPONS[name]["properties"] and name != one.struck_with]
        second = one.struck_with and "light" in WEAPONS[one.struck_with]["properties"]
        if close and light and second and not one.action and not one.bonus_spent and self.chance(0.7):
            self.strike(one, self.dice.choice(close), self.dice.choice(light), "bonus", offhand=True)
            return
        cost = "action" if one.action else "attack" if one.striking > 0 else ""
        weapon = self.dice.choice(one.weapons)
        targets = others if weapon == "longbow" else close
        if cost and targets:
            self.strike(one, self.dice.choice(targets), weapon, cost)

    def act(self, kind: str, cost: str, **more: Any) -> int:
        """Record an act of the combatant's own turn, and pay for it."""
        assert self.turn
        seq = self.tell("action_taken", combatant=self.turn.id, action={"kind": kind, "cost": cost, **more})
        self.pay(self.turn, cost)
        return seq

    def busy(self) -> None:
        one = self.turn
        assert one
        nimble = "cunning action" in one.entries and not one.bonus_spent
        cost = "bonus" if nimble and self.chance(0.7) else "action" if one.action else ""
        more = {"granted_by": "cunning action"} if cost == "bonus" and self.chance(0.5) else {}
        kind = self.dice.choice(("dash", "dodge", "disengage", "search"))
        if not cost or (kind in ("dash", "dodge") and self.still(one)):
            return
        self.act(kind, cost, **more)
        match kind:
            case "dash":
                one.dashes += 1
            case "dodge":
                one.dodging = True
            case "disengage":
                one.disengaged = True

    def handle(self) -> None:
        assert self.turn
        if self.turn.object:
            self.act("handle", "free", name="lever")

    def recover(self) -> None:
        one = self.turn
        assert one
        if "second wind" in one.entries and not one.bonus_spent:
            seq = self.act("ability", "bonus", name="second wind")
            self.heal(one, self.dice.randint(1, 10), cause=seq)

    def stand(self) -> None:
        one = self.turn
        assert one
        if one.prone and not self.still(one) and self.feet(one) >= one.speed // 2:
            self.act("stand-up", "movement")
            one.spent_feet += one.speed // 2
            one.prone = False
        elif not one.prone and self.chance(0.3) and not self.still(one):
            self.vague.add(f"{one.id}.conditions")
            self.act("drop-prone", "none")
            one.prone = True
            self.vague.clear()

    # ------------------------------------------------------------ what happens besides

    def aside(self) -> None:
        if any(not one.dead for one in self.people.values()):
            self.dice.choice(ASIDES)(self)

    def fate(self) -> int:
        """Record as a ruling something that no combatant did; return its seq."""
        return self.tell("ruling_made", ruling="fact", decision="so it happens")

    def trap(self) -> None:
        victims = self.others(None)
        if not victims:
            return
        one = self.dice.choice(victims)
        focused = self.focus(one)
        amount = self.dice.choice((1, 3, 7, 12, 25, 70))
        absorbed = amount <= one.temp and self.option("absorbed-damage") == "does-not-count"
        seq = self.hurt(one, amount, cause=self.fate())
        if focused and not absorbed:
            self.keep_focus(one, amount, seq)

    def bless_somebody(self) -> None:
        """Heal a combatant by something that no combatant did, or give temporary points."""
        one = self.dice.choice([one for one in self.people.values() if not one.dead])
        if self.chance(0.5):
            self.protect(one)
        else:
            if "unconscious" in {each.name for each in self.lasting if one.id in each.bearers}:
                return
            self.heal(one, self.dice.randint(1, 12), cause=self.fate())

    def befall(self) -> None:
        source = self.dice.choice(("", self.dice.choice(self.up()).id)) if self.up() else ""
        able = [one for one in self.up() if one.id != source]
        if able:
            self.afflict(self.dice.choice(able), self.dice.choice(AFFLICTIONS), source=source, cause=self.fate())

    def recover_from(self) -> None:
        told = [each for each in self.lasting if each.condition and not each.parent]
        if told:
            self.lift(self.dice.choice(told))
            self.vague.clear()

    def let_go(self) -> None:
        held = [each for each in self.lasting if each.needs]
        if held:
            each = self.dice.choice(held)
            self.vague |= {
                f"{one}.{name}" for one in self.people for name in ("effects", "conditions", "concentration")
            }
            self.tell("effect_ended", effect=each.name, source=each.source)
            self.vague.clear()
            self.over(each)


SPELLS: dict[str, Callable[[Table, Someone], None]] = {
    "fire bolt": Table.bolt, "sacred flame": Table.flame, "burning hands": Table.burn,
    "cure wounds": lambda table, one: table.mend(one, "cure wounds"), "healing word": lambda table, one: table.mend(one, "healing word"),
    "bless": lambda table, one: table.enchant(one, "bless"), "bane": lambda table, one: table.enchant(one, "bane"),
    "web": lambda table, one: table.enchant(one, "web"), "hold person": lambda table, one: table.enchant(one, "hold person"),
}  # fmt: skip
ASIDES = (Table.trap, Table.trap, Table.bless_somebody, Table.befall, Table.recover_from, Table.let_go)
STEPS: dict[Callable[[Table], None], int] = {
    Table.attack_somebody: 8, Table.spell: 7, Table.walk: 5, Table.busy: 2, Table.handle: 1, Table.recover: 1,
    Table.stand: 2, Table.aside: 2,
}  # fmt: skip


def table(dice: random.Random, options: dict[str, str] | None = None) -> Table:
    """Return a table for a new fight, in every other one with some options set otherwise."""
    share = dice.choice((0, 0.25))
    chosen = {
        name: dice.choice(values) for name, values in OPTIONS.items() if name == "edition" or dice.random() < share
    }
    chosen |= options or {}
    if chosen["edition"] == "2024":
        chosen.pop("monsters-at-zero", None)
    return Table(dice, Fight(chosen), ground=dice.random() < 0.5, told=dice.random() < 0.5)
