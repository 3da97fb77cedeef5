"""Spells: begun with a row or without, given up, taking effect in one way or another."""

from typing import Any

from tests.lawful.tables.osric.acts import Acts
from tests.lawful.tables.osric.people import SPELLS, Lasting, One, Spell


class Spells(Acts):
    """How people cast."""

    def cast(self, one: One) -> None:
        turn = one.turn
        if (key := self.place(one)) is None or (turn.hurt and self.options["spoil-from"] == "round-start"):
            return
        if self.round == 0:
            name, time = self.pick_spell(one)
        elif turn.spell is None or turn.given_up or turn.begun:
            return
        else:
            name, time = turn.spell
        own = self.round and self.own(one, False)[1]
        silent = self.round > 0 and self.segment == own and self.chance(0.2)
        said: dict[str, Any] = {"name": name, "time": self.span(time)}
        if self.round and self.chance(0.3):
            said.pop(self.d.choice(("name", "time")))
        seq = turn.seq if silent else self.act(one, key, "cast", **said)
        if silent:
            one.trail.acts.append(key)
        turn.begun = True
        due, band = self.due_of(self.now, time)
        spell = Spell(one.id, name, seq, self.round, self.now, time, due, band, silent)
        one.spells.append(spell)
        if one.trail.hurt and self.spoils(spell, (0, 0, -1, 0, 0, 0)):
            self.end(spell, "spoiled")

    def pick_spell(self, one: One) -> tuple[str, int]:
        busy = {spell.name for spell in one.spells}
        name = self.d.choice([each for each in SPELLS if each not in busy] or ["light"])
        time = SPELLS.get(name, 1)
        return name, time if isinstance(time, int) else 10

    def span(self, time: int) -> Any:
        if time == 10:
            return {"amount": 1, "unit": "round"}
        return self.d.choice((time, {"amount": time, "unit": "segment"}))

    def takes_effect(self, spell: Spell) -> None:
        if spell.ended:
            return
        one, key = self.ones[spell.who], (self.round, self.segment, spell.band, 0, 0, 1)
        at = self.d.choice([each for each in self.ones.values() if each.here])
        amount = self.d.randint(1, 8)
        ends = any(each.due == self.now and each.band == 3 for each in at.spells if not each.ended)
        hurts = self.may_lose(at, key, amount) and at is not one and not (ends and spell.band == 3)
        by = {"cause": spell.seq, "segment": self.segment} if one.trail.acts or self.chance(0.5) else {}
        self.after_effect = True
        self.end(spell, "done")
        if self.chance(0.15) and hurts:
            self.row("damage_dealt", target=at.id, amount=amount, source=one.id, **by)
            self.lose(at, key, amount, hit=False)
        elif self.chance(0.15) and not (at.trail.blows or at.trail.healed):
            self.row("healed", target=at.id, amount=amount, source=one.id, **by)
            self.regain(at, amount, key)
        else:
            seq = self.begins(one, at, spell, by)
            if hurts and self.chance(0.5):
                self.of(seq, "damage_dealt", target=at.id, amount=amount)
                self.lose(at, key, amount, hit=False)

    def begins(self, one: One, at: One, spell: Spell, by: dict[str, int]) -> int:
        """Record an effect or a condition that a spell begins on a combatant; return its seq."""
        word = self.d.choice(("effect", "effect", "condition"))
        borne = at.effects if word == "effect" else at.conditions
        if word == "effect" and (self.chance(0.3) or any(each.name == spell.name for each in borne)):
            return self.row("effect_started", effect=spell.name, source=one.id, **by)
        lasts, more = self.lasting(spell.name, one.id)
        seq = self.row(
            "effect_started" if word == "effect" else "condition_gained",
            **{word: spell.name, "source": one.id, "targets": [at.id], **more, **by},
        )
        borne[:] = [each for each in borne if each.name != spell.name] + [lasts]
        return seq

    def lasting(self, name: str, source: str = "") -> tuple[Lasting, dict[str, Any]]:
        """Return something that lasts from now on, and how its duration is said."""
        since = max(self.now, self.reached or self.now) if self.segment else self.reached or 0
        if self.chance(0.3):
            return Lasting(name, source), {}
        unit, each, by = self.d.choice((("segment", 1, 1), ("round", 10, 1), ("turn", 10, 10)))
        amount = self.d.randint(1, 7)
        return Lasting(name, source, amount * by, each, since), {"duration": {"amount": amount, "unit": unit}}

    def give_up(self, one: One) -> None:
        spell, turn = one.spell, one.turn
        named = {"name": spell.name} if spell else {"name": turn.spell[0]} if turn.spell else {}
        if spell is None and (turn.spell is None or turn.begun or turn.given_up):
            return
        if spell and spell.due <= self.now:
            return
        self.row("action_abandoned", combatant=one.id, **named)
        if spell is None or (turn.spell and turn.spell[0] == spell.name):
            turn.given_up = one.gave_up = True
        if spell:
            self.end(spell, "withdrawn")
