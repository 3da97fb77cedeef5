"""Spells: declared, with a target named in D1, disturbed or not, complete in slot E or, if short, in D4."""

from typing import Any

from tests.lawful.tables.vile_darkness.blows import Blows
from tests.lawful.tables.vile_darkness.people import Casting, One, Spell
from tests.lawful.tables.vile_darkness.sums import Deed, ends, within


class Spells(Blows):
    """How people cast."""

    def castable(self, one: One) -> list[Spell]:
        """Return the spells that a combatant can still cast."""
        return [s for s in one.spells if s.kind == "invocation" or one.memorized[s.name] > 0]

    def declares_spell(self, one: One, spell: Spell) -> None:
        """Record a declaration; what needs concentration ends what was maintained."""
        said: dict[str, Any] = {"kind": spell.kind, "name": spell.name}
        if self.chance(0.3) and spell.time > 1:
            said["time"] = {"amount": 1, "unit": "round"} if spell.time == 10 else spell.time
        seq = self.fight.tell("action_declared", combatant=one.id, action=said)
        deep = spell.kind == "incantation" or "invocation-concentration" in self.options
        one.casting = Casting(spell, seq, self.round, deep=deep)
        one.turn.said, one.turn.seq = "spell", seq
        if deep:
            one.maintains = None

    def reckons(self, one: One) -> None:
        """Reckon when a casting of this round is complete, with the minors that its caster will do."""
        casting = one.casting
        if casting and casting.round == self.round:
            casting.round_due, casting.due = ends(self.round, casting.spell.time + one.turn.minors)

    def names_target(self, one: One) -> None:
        """Record at whom, or at what, a declared spell is aimed."""
        casting = one.casting
        if casting is None:
            return
        still = [foe for foe in self.foes(one) if not foe.turn.moves and self.may_be_hurt(foe)]
        counted = "diagonals" in self.options
        near = [foe for foe in still if within(one.square, foe.square, casting.spell.range, counted)]
        if near and not one.turn.moves and self.chance(0.85) and casting.spell.range < 90:
            casting.targets = (self.d.choice(near).id,)
        elif still and casting.spell.range >= 90 and self.chance(0.85):
            casting.targets = (self.d.choice(still).id,)
        else:
            casting.object = "doorway"
        self.act(one, "target", name=casting.spell.name, **self.aimed(casting))

    def aimed(self, casting: Casting) -> dict[str, Any]:
        if casting.targets:
            return {"targets": list(casting.targets)}
        return {"object": casting.object} if casting.object else {}

    def aim(self, one: One, target: One) -> dict[str, Any]:
        """Return how a spell reaches its target."""
        aim: dict[str, Any] = {"target": target.id}
        more = ({"line": "clear"}, {"seen": True}, {"cover": 50}, {"concealment": 74}, {"cover": 25, "seen": True})
        dx, dy = abs(one.square[0] - target.square[0]), abs(one.square[1] - target.square[1])
        straight = {"distance": {"amount": 5 * (dx + dy), "unit": "ft"}} if 0 in (dx, dy) and self.chance(0.3) else {}
        return aim | self.d.choice(more) | straight

    def effect(self, one: One, casting: Casting, named: bool) -> int:
        """Record the effect of a spell."""
        told: dict[str, Any] = {"effect": casting.spell.name, "source": one.id} | self.aimed(casting)
        if casting.targets and self.chance(0.5):
            told["aim"] = [self.aim(one, self.ones[who]) for who in casting.targets]
        if casting.spell.lasting:
            told["concentration"] = True
        if named:
            told["cause"] = casting.seq
        return self.row("effect_started", **told)

    def completes(self, one: One, casting: Casting, level: list[str]) -> None:
        """Let a spell take effect, at once with those of combatants who are level, if nothing has ended it before."""
        if one.casting is not casting or not one.up:
            return
        self.segment = casting.due if self.slot == "E" else self.segment
        seq = self.effect(one, casting, named=casting.round != self.round or self.chance(0.4))
        self.uses_up(one)
        if casting.spell.lasting:
            one.maintains, one.upon = (casting.spell.name, self.round, self.segment), tuple(casting.targets)
        for target in (self.ones[who] for who in casting.targets):
            if target.up and self.chance(0.7) and not (target.spells and "spell-order" in self.options):
                amount = self.d.randint(1, 6)
                self.of(seq, "damage_dealt", target=target.id, amount=amount)
                target.hp -= amount
                if not (target.id in level and target.casting and target.casting.deep):
                    self.disturb(target)
        self.note_spell(one)

    def note_spell(self, one: One) -> None:
        self.fight.note({key: value for key, value in self.values(one).items() if not key.endswith("group")})

    def caster_deeds(self, one: One) -> list[Deed]:
        """Return the acts of a caster: it names the target, and lets the spell take effect."""
        casting = one.casting
        if casting is None:
            return []
        deeds, high = [], self.is_high(one)
        short = casting.spell.kind == "invocation" and casting.spell.time == 1
        if casting.round_due == self.round:
            slot = self.own(one, "D4") if short else "E"
            late = one.turn.delayed and slot != "E"
            deed = Deed(one.id, one.side, slot, lambda: None, high, late, due=casting.due, major=True)
            deed.tell = lambda: self.completes(one, casting, self.level(deed))
            deeds.append(deed)
        return deeds

    def level(self, deed: Deed) -> list[str]:
        """Return who completes a spell at the same time."""
        if deed.slot != "E":
            return []
        return [each.who for each in self.deeds if each.slot == "E" and (each.due, each.high) == (deed.due, deed.high)]

    deeds: list[Deed]
