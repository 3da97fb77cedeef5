"""Acts: blows, charges, flights, blows out of turn, and what needs no routine."""

from typing import Any

from tests.lawful.tables.osric.people import Key, Lasting, One
from tests.lawful.tables.osric.sums import Sums


class Acts(Sums):
    """How people act."""

    def act(self, one: One, key: Key, kind: str, **more: Any) -> int:
        action = {"kind": kind, **more}
        seq = self.row("action_taken", combatant=one.id, action=action)
        self.did(one, key, action)
        return seq

    def did(self, one: One, key: Key, action: dict[str, Any]) -> None:
        one.turn.did = one.turn.did or action
        one.trail.acts.append(key)
        one.turn.waits = self.after_effect = False
        if action["kind"] in ("move", "flee", "charge"):
            one.spear = False
        if action["kind"] == "set-spear":
            one.spear = True
        if action["kind"] == "ready" and self.dice:
            one.turn.readied = True

    def blow(self, one: One, at: One, cause: int, key: Key, shot: bool = False, answered: Key | None = None) -> None:
        """Record a blow that belongs to an act: by its roll, by its damage, or by both."""
        amount = self.d.choice((0, 1, 2, 3, 4, 6, 9))
        if self.options["spoil-cause"] == "hit" and amount == 0:
            amount = 1
        hit = self.chance(0.7) and self.may_lose(at, key, amount, answered)
        if not hit or self.chance(0.5):
            cause = self.of(cause, "attack_rolled", combatant=one.id, target=at.id, hit=hit, **self.roll(one, shot))
            if hit and self.options["spoil-cause"] == "hit":
                self.disturb(at, key)
        if hit:
            source = {"source": one.id} if self.chance(0.2) else {}
            self.of(cause, "damage_dealt", target=at.id, amount=amount, **source)
            self.lose(at, key, amount, hit=True, by=one)

    def roll(self, one: One, shot: bool) -> dict[str, Any]:
        if self.chance(0.4):
            return {}
        die, bonus = self.d.randint(1, 20), one.missile if shot else 0
        more: list[dict[str, Any]] = (
            [{"name": "strength", "amount": self.d.randint(2, 3) + 10}] if self.chance(0.3) else []
        )
        if more and bonus and self.chance(0.5):
            more.append({"name": "missile bonus", "amount": bonus})
        total = die + bonus + (more[0]["amount"] if more else 0)
        said = {"total": total} if self.chance(0.7) else {}
        return {"die": die, **({"modifiers": more} if more else {}), **said}

    def attack(self, one: One) -> None:
        shot = self.chance(0.8 if one.missile else 0.2)
        further, foes = bool(one.turn.used and self.round), self.others(one)
        if not foes or not self.routine_left(one, shot):
            return
        key = self.place(one, shot, further, deals=True)
        if key is None:
            return
        at, weapon = self.d.choice(foes), "bow" if shot else "sword"
        fresh = not one.trail.acts and not one.spells and not one.gave_up and not self.after_effect
        bears = any(each.source == one.id for each in (*at.effects, *at.conditions))
        may_shoot = bool(one.missile or (one.turn.said and "manner" in one.turn.said))
        if not (shot or bears or may_shoot) and fresh and self.chance(0.2):
            self.told_alone(one, at, key)
        else:
            self.blows(one, at, key, weapon, shot)
        self.uses(one)

    def told_alone(self, one: One, at: One, key: Key) -> None:
        """Record an attack by its roll or by its damage alone."""
        amount = self.d.randint(1, 6)
        if not self.may_lose(at, key, amount) or self.chance(0.3):
            self.row("attack_rolled", combatant=one.id, target=at.id, hit=False)
        elif self.chance(0.5):
            seq = self.row("attack_rolled", combatant=one.id, target=at.id, name="axe", hit=True)
            if self.options["spoil-cause"] == "hit":
                self.disturb(at, key)
            self.of(seq, "damage_dealt", target=at.id, amount=amount)
            self.lose(at, key, amount, hit=True, by=one)
        else:
            self.row("damage_dealt", target=at.id, amount=amount, source=one.id)
            self.lose(at, key, amount, hit=True, by=one)
        self.did(one, key, {"kind": "attack"})

    def blows(self, one: One, at: One, key: Key, weapon: str, shot: bool) -> None:
        """Record a routine of one or more blows, in one row or in several."""
        manner = {"manner": ["missile"]} if shot else self.d.choice(({}, {"manner": ["melee"]}))
        number = {"routine": one.turn.numbers + 1} if self.chance(0.5) else {}
        for _ in range(self.d.choice((1, 1, 2, 3)) if number else 1):
            seq = self.act(one, key, "attack", name=weapon, targets=[at.id], **manner, **number)
            for _ in range(self.d.choice((1, 1, 2))):
                self.blow(one, at, seq, key, shot)

    def uses(self, one: One) -> None:
        one.turn.used += 1
        one.turn.numbers += 1
        one.turn.parts[one.turn.numbers] = self.segment

    def charge(self, one: One) -> None:
        foes, further = self.others(one), bool(one.turn.used and self.round)
        if (
            not foes
            or not self.routine_left(one, False)
            or (key := self.place(one, further=further, deals=True)) is None
        ):
            return
        at = self.d.choice(foes)
        ready = [each for each in foes if each.spear and each is at]
        seq = self.act(one, key, "charge", targets=[at.id])
        self.uses(one)
        for each in ready:
            self.interrupt(each, one, seq, key, extra=self.options["interrupt-cost"] == "all-free")
        if self.stands(one, key, deals=True) and self.chance(0.8):
            if self.chance(0.5):
                seq = self.act(one, key, "attack", name="axe", targets=[at.id])
            self.blow(one, at, seq, key)

    def flee(self, one: One) -> None:
        foes = self.others(one)
        if not foes or (key := self.place(one)) is None:
            return
        left = self.d.sample(foes, self.d.randint(1, min(3, len(foes))))
        seq = self.act(one, key, "flee", targets=[each.id for each in left])
        for each in left:
            self.interrupt(each, one, seq, key, extra=self.options["interrupt-cost"] != "all-count")

    def interrupt(self, one: One, other: One, seq: int, opening: Key, extra: bool) -> None:
        key = (*opening[:5], 0 if self.options["interrupt-order"] == "before" else 1)
        surprised = not self.round and self.length(one) >= self.segment
        left = one.turn.used < (self.due_routines(one) if self.round else min(1, self.due_routines(one)))
        if surprised or self.is_bound(one) or not self.stands(one, key) or not (left or extra) or self.chance(0.3):
            return
        action = {"kind": "attack", "name": "spear", "targets": [other.id], "cost": "interrupt"}
        blow = self.row(
            "action_taken", combatant=one.id, action=action, trigger=self.d.choice((seq, seq - self.fight.seq - 1))
        )
        one.trail.acts.append(key)
        one.turn.used += not extra
        self.blow(one, other, blow, key, answered=opening)

    def simple(self, one: One) -> None:
        if (key := self.place(one)) is None:
            return
        kind = self.d.choice(("move", "set-spear", "ready", "other"))
        if self.chance(0.2):
            self.condition(one)
            return
        seq = self.act(one, key, kind, **({"name": "draught"} if kind == "other" else {}))
        if kind == "other" and self.chance(0.5):
            self.heal(self.d.choice([each for each in self.ones.values() if each.here]), seq, key)

    def condition(self, one: One) -> None:
        """Record by a condition, gained or lost, what a combatant has in hand."""
        name = self.d.choice(("spear set", "weapon readied"))
        gained = all(each.name != name for each in one.conditions)
        self.row("condition_gained" if gained else "condition_lost", condition=name, targets=[one.id])
        one.conditions = [each for each in one.conditions if each.name != name] + [Lasting(name)] * gained
        one.spear = gained if name == "spear set" else one.spear
        one.turn.readied = one.turn.readied or (gained and name == "weapon readied" and bool(self.dice))
        self.after_effect = True

    def heal(self, one: One, cause: int, key: Key) -> None:
        if one.trail.blows or one.trail.healed:
            return
        amount = self.d.randint(1, 12)
        self.of(cause, "healed", target=one.id, amount=amount)
        self.regain(one, amount, key)

    def regain(self, one: One, amount: int, key: Key) -> None:
        one.tied = 0 if one.hp < one.top else one.tied
        one.hp, one.trail.healed = min(one.top, one.hp + amount), True
        if one.out and one.hp > self.limit:
            one.out, one.trail.rose = None, key
