"""Blows: routines with their rolls and wounds, blows out of turn, and what breaks concentration."""

from typing import Any

from tests.lawful.tables.vile_darkness.facts import Facts
from tests.lawful.tables.vile_darkness.people import SHIELD, One, Weapon
from tests.lawful.tables.vile_darkness.sums import hits, need


class Blows(Facts):
    """How people strike, and what that does to those who concentrate."""

    # ------------------------------------------------------------ concentration

    def may_be_hurt(self, one: One) -> bool:
        """Say whether the text is clear on what a disturbance of this moment breaks."""
        casting = one.casting
        if casting is None or not casting.deep or not casting.spell.lasting:
            return True
        return not (self.timed and self.segment > casting.due and casting.round_due == self.round)

    def disturb(self, one: One, anyway: bool = False) -> None:
        """Let a disturbance of this moment break what a combatant concentrates on."""
        casting = one.casting
        if casting and casting.deep:
            last = casting.due if casting.round_due == self.round else 10
            now = self.segment if self.timed or self.slot == "E" else 0
            shut = "last-segment" in self.options
            closed = shut and now == casting.due and casting.round_due == self.round
            if anyway or ((now <= last or self.slot == "E") and not closed):
                one.turn.foreseen = not anyway and casting.round == self.round and now + shut > casting.spell.time
                self.uses_up(one)
        if one.maintains and one.maintains[1:] != (self.round, self.segment if self.slot == "E" else -1):
            one.maintains = None

    def uses_up(self, one: One) -> None:
        """End a casting; the spell is gone as if cast, and so is the major action of a round that it was carried over into."""
        if one.casting and one.casting.spell.kind == "incantation":
            one.memorized[one.casting.spell.name] -= 1
        if one.casting and one.casting.round != self.round:
            one.turn.spent = True
        one.casting = None

    # ------------------------------------------------------------ attacks

    def roll(self, one: One, at: One, weapon: Weapon, cause: int, **said: Any) -> int:
        """Record an attack roll and the damage it does; return the damage."""
        die = self.d.choice((1, 20, *range(2, 20), *range(8, 20)))
        hit = hits(die, weapon.magic, need(one.aac0, one.starred, at.ac))
        told = said | self.roll_of(one, at, weapon, die)
        if self.chance(0.7):
            told["hit"] = hit
        if self.chance(0.4):
            told["total"] = die + weapon.magic
        if self.chance(0.3):
            told["ac"] = at.ac
        seq = self.of(cause, "attack_rolled", **told)
        return self.wound(at, weapon, seq) if hit else 0

    def roll_of(self, one: One, at: One, weapon: Weapon, die: int) -> dict[str, Any]:
        """Return an attack roll as it is recorded."""
        told: dict[str, Any] = {"combatant": one.id, "target": at.id, "name": weapon.name, "die": die}
        return told | ({"modifiers": [{"name": "magic", "amount": weapon.magic}]} if weapon.magic else {})

    def wound(self, at: One, weapon: Weapon, cause: int) -> int:
        """Record the damage of a hit; now and then it is multiplied, with its parts."""
        if weapon.dice == 1 and self.chance(0.1):
            face, strength = self.d.randint(1, weapon.faces), self.d.randint(1, 3)
            factors = self.d.choice(((2,), (3,), (2, 3)))
            parts: list[dict[str, Any]] = [
                {"name": weapon.name, "dice": {"notation": f"1d{weapon.faces}", "faces": [face]}},
                {"name": "strength", "amount": strength},
            ]
            if weapon.magic:
                parts.append({"name": "magic", "amount": weapon.magic})
            amount = (face + strength + weapon.magic) * max(factors)
            more = {"parts": parts, "multipliers": [{"name": f"times {each}", "amount": each} for each in factors]}
            self.of(cause, "damage_dealt", target=at.id, amount=amount, **more)
        else:
            amount = self.d.randint(weapon.dice + weapon.magic, weapon.dice * weapon.faces + weapon.magic)
            self.hurts(cause, at, amount)
        at.hp -= amount
        return amount

    def hurts(self, cause: int, at: One, amount: int) -> None:
        """Record damage; now and then it is written down wrongly at first."""
        if not self.chance(0.03):
            self.of(cause, "damage_dealt", target=at.id, amount=amount)
            return
        told = {"target": at.id, "cause": cause}
        seq = self.fight.tell("damage_dealt", **told, amount=amount + 1)
        self.fight.tell("amended", event=seq, replacement={"type": "damage_dealt", **told, "amount": amount})

    def routine(self, one: One, at: One, seq: int, shot: bool = False, in_turn: bool = True) -> None:
        """Record the rolls of a routine; all of it counts at once."""
        arms = (one.shot,) if shot and one.shot else one.arms
        if not in_turn and "free-attack-weapons" in self.options and one.arms[0].speed:
            arms = arms[:1]
        lost = 0
        for weapon in arms:
            for _ in range(self.d.randint(1, weapon.attacks)):
                lost += self.roll(one, at, weapon, seq)
        if lost:
            self.disturb(at)

    def attack(self, one: One, at: One, shot: bool = False, trigger: int = 0, **more: Any) -> int:
        """Record the act of an attack."""
        weapon = one.shot if shot else one.arms[0]
        named = {"name": weapon.name} if weapon and one.arms[0].speed else {}
        manner = ["missile"] if shot else self.d.choice(([], [], ["melee"]))
        action = {**named, **more, "targets": [at.id]} | ({"manner": manner} if manner else {})
        if "attack-while-maintaining" in self.options:
            one.maintains = None
        return self.act(one, "attack", trigger=trigger, **action)

    def foiled(self, one: One, at: One, seq: int, shot: bool = False) -> None:
        """Record a routine that a protection stops."""
        weapon = one.shot if shot and one.shot else one.arms[0]
        die = self.d.randint(1, 20)
        self.of(seq, "attack_rolled", **self.roll_of(one, at, weapon, die), foiled=True)

    # ------------------------------------------------------------ blows out of turn

    def may_react(self, one: One) -> bool:
        """Say whether a combatant may spend its major action on an immediate attack."""
        turn, casting = one.turn, one.casting
        acts = turn.busy or turn.delayed or turn.low or turn.spent or turn.done
        bound = acts or one.goes or one.routines > 1 or one.maintains or self.is_barred(one)
        begun = casting.round != self.round if casting else turn.said == "spell"
        return one.up and not bound and not begun and bool(one.arms)

    def is_barred(self, one: One) -> bool:
        """Say whether surprise keeps a combatant from an immediate attack."""
        return one.surprised and "surprised-immediate-attack" not in self.options

    def reacts(self, one: One, at: One, trigger: int) -> None:
        """Let a combatant make an immediate attack, which takes the place of what it would have done."""
        seq = self.attack(one, at, trigger=trigger, cost="immediate-attack")
        one.turn.spent = True
        self.uses_up(one)
        self.routine(one, at, seq, in_turn=False)

    def free_attack(self, one: One, at: One, trigger: int) -> None:
        """Let a combatant take a free attack, which breaks its concentration."""
        seq = self.attack(one, at, trigger=trigger, cost="free-attack")
        one.turn.freely = True
        self.disturb(one, anyway=True)
        self.routine(one, at, seq, in_turn=False)

    # ------------------------------------------------------------ what goes with an action

    def drops_shield(self, one: One) -> None:
        """Record that a combatant lets go of its shield, which no longer protects."""
        self.act(one, "simple", name="drop a held item", object=SHIELD)
        one.shield = False
        one.ac = min(10, one.ac + 1)
