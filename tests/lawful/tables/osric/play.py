"""The run of a fight: surprise, rounds with declarations and dice, segments in which everything stands in any order."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.lawful.tables.osric.people import NAMES, SIDES, One, Trail, Turn
from tests.lawful.tables.osric.spells import Spells


class Table(Spells):
    """A fight as it is played; `play` yields the names of the moments at which a rule may be broken."""

    def muster(self, side: str) -> None:
        names = [name for name in NAMES if name not in self.ones]
        name = self.d.choice(names) if names else f"guest-{len(self.ones)}"
        pick = self.d.choice
        one = One(
            name,
            side,
            hp := self.d.randint(4, 24),
            hp + pick((0, 0, 5)),
            quick=pick((0, 0, 0, 1, 2, -1)),
            missile=pick((0, 0, 1, 2, 3, -1, -2)),
            routines=pick((1, 1, 1, 2)),
            own_threshold=pick((None, None, None, None, 0, 1)),
        )
        sheet = {"hp": one.hp, "hp_max": one.top, "surprise_bonus": one.quick, "missile_bonus": one.missile}
        own = {} if one.own_threshold is None else {"surprised_on": one.own_threshold}
        self.fight.tell("combatant_joined", combatant=name, side=side, sheet={**sheet, "routines": one.routines, **own})
        one.trail = Trail(one.hp, was_out=False)
        self.ones[name] = one

    def settle_surprise(self) -> None:
        how, sides = self.d.random(), self.sides()
        if how < 0.2:
            self.fight.tell("surprise_settled")
            self.settled = dict.fromkeys(sides, ())
        for side in self.d.sample(sides, len(sides)) if how >= 0.2 else ():
            if self.chance(0.2):
                members = [one.id for one in self.ones.values() if one.side == side]
                caught = tuple(self.d.sample(members, self.d.choice((0, 0, 1))))
                self.fight.tell("surprise_settled", sides=[side], **({"surprised": list(caught)} if caught else {}))
                self.settled[side] = caught
            else:
                die, on = self.d.choice((1, 1, 2, 2, 3, 4, 5, 6)), self.d.choice((2, 2, 2, 3, 4))
                self.fight.tell("surprise_rolled", side=side, die=die, **({"surprised_on": on} if on != 2 else {}))
                self.surprise[side] = (die, on)
        self.z = max(self.length(one) for one in self.ones.values())

    def play(self, rounds: int) -> Iterator[str]:
        for side in SIDES[: self.d.choice((2, 2, 2, 3))]:
            for _ in range(self.d.randint(2, 4)):
                self.muster(side)
        yield "mustered"
        self.settle_surprise()
        self.look()
        yield "settled"
        yield from self.segments(self.z, "surprise segment")
        for _ in range(rounds):
            self.open()
            yield "opened"
            self.arrivals()
            self.declare()
            yield "declared"
            self.throw()
            yield "thrown"
            yield from self.segments(10, "segment")
            yield "played"
            self.fight.tell("round_ended", **({"round": self.round} if self.chance(0.5) else {}))
            self.is_open = False
            self.come(10 * self.round)
            self.look()
            yield "closed"

    def segments(self, number: int, moment: str) -> Iterator[str]:
        for self.segment in range(1, number + 1):
            self.by_clock = self.chance(0.5)
            for one in self.ones.values():
                one.trail = Trail(one.hp, was_out=one.out is not None)
                if not self.round:
                    one.turn = Turn(waits=one.turn.waits)
            yield moment
            self.play_segment()
            if not self.round and self.high < self.segment:
                self.told_segment = self.high = self.segment
                self.fight.tell("segment_reached", segment=self.segment, surprise=True)
                self.come(self.now)
            yield f"{moment} played"

    def open(self) -> None:
        self.fight.tell("round_started", round=self.round + 1)
        if self.round == 0 and self.options["surprise-carry"] == "lost":
            for one in self.ones.values():
                for spell in one.spells:
                    spell.ended = spell.ended or "lost"
        self.round, self.segment, self.told_segment, self.high, self.is_open = self.round + 1, 0, 0, 0, True
        self.dice = {}
        self.come(10 * (self.round - 1))
        for one in self.ones.values():
            one.kept, one.turn = one.turn.waits, Turn()

    def arrivals(self) -> None:
        there = [side for side in self.sides() if any(one.side == side for one in self.up())]
        for side in SIDES:
            needed = len(there) < 2 and side not in there
            if needed or self.chance(0.1):
                self.muster(side)
                there.append(side)
        for one in list(self.ones.values()):
            if one.here and self.chance(0.03) and not one.spell and len(self.sides()) > 2:
                self.leaves(one)
            elif one.here and self.chance(0.05):
                self.changes(one)
            elif one.here and self.chance(0.05):
                lasts, more = self.lasting("hasted")
                self.fight.tell("condition_gained", condition="hasted", targets=[one.id], **more)
                one.conditions = [each for each in one.conditions if each.name != "hasted"] + [lasts]
            elif any(each.name == "hasted" for each in one.conditions) and self.chance(0.3):
                self.fight.tell("condition_lost", condition="hasted", targets=[one.id])
                one.conditions = [each for each in one.conditions if each.name != "hasted"]

    def changes(self, one: One) -> None:
        """Record that a sheet is different from now on, or that a combatant was healed between the rounds."""
        self.d.choice((self.rises, self.learns))(one)

    def rises(self, one: One) -> None:
        amount = self.d.randint(1, 9)
        if self.chance(0.5):
            self.fight.tell("healed", target=one.id, amount=amount)
            self.regain(one, amount, (self.round, 0, 3, 0, 0, 1))
        else:
            one.hp, one.out, one.tied = amount, None, 0
            one.top = max(one.top, amount)
            self.fight.tell("sheet_changed", combatant=one.id, sheet={"hp": amount, "hp_max": one.top})

    def learns(self, one: One) -> None:
        one.missile, one.routines = self.d.randint(-1, 2), self.d.randint(1, 2)
        sheet = {"missile_bonus": one.missile, "routines": one.routines}
        self.fight.tell("sheet_changed", combatant=one.id, sheet=sheet)

    def leaves(self, one: One) -> None:
        self.fight.tell("combatant_left", combatant=one.id)
        one.here, one.effects, one.conditions = False, [], []

    def declare(self) -> None:
        for one in self.d.sample(self.up(), len(self.up())):
            if one.spell and one.spell.due > 10 * self.round:
                continue
            for _ in range(self.d.choice((0, 1, 1, 2))):
                self.declares(one)
        self.look()

    def declares(self, one: One) -> None:
        turn = one.turn
        words: list[dict[str, Any]] = [{"kind": "attack", "name": "sword"}, {"kind": "other", "name": "hide"}]
        turn.spell, one.spear = None, one.spear and not turn.by_word
        if self.chance(0.5):
            turn.said = self.d.choice([*words, {"kind": "set-spear"}, {"kind": "attack", "manner": ["missile"]}])
            turn.by_word = turn.said["kind"] == "set-spear" and not one.spear
            one.spear = one.spear or turn.by_word
        else:
            turn.spell = self.pick_spell(one)
            turn.said = {"kind": "cast", "name": turn.spell[0], "time": self.span(turn.spell[1])}
        turn.seq = self.fight.tell("action_declared", combatant=one.id, action=turn.said)
        if turn.spell and self.chance(0.1):
            self.fight.tell("action_abandoned", combatant=one.id, name=turn.spell[0])
            turn.spell = turn.said = None

    def throw(self) -> None:
        for side in self.d.sample(self.sides(), len(self.sides())):
            self.dice[side] = self.d.randint(1, 6)
            self.fight.tell("initiative_rolled", side=side, die=self.dice[side])
        self.look()

    def play_segment(self) -> None:
        """Play a segment: whatever stands in it, in any order, and what comes at its end."""
        jobs: list[Callable[[], None]] = [partial(self.acts, one) for one in self.ones.values()]
        jobs += [job for job in (self.world, self.ruling, self.comes, self.goes) if self.chance(0.05)]
        jobs += [partial(self.takes_effect, spell) for spell in self.due(band=0)]
        self.d.shuffle(jobs)
        for job in (*jobs, self.effects):
            before = self.fight.seq
            job()
            if self.fight.seq != before and self.chance(0.5):
                self.look()

    def effects(self) -> None:
        for spell in self.due(band=3):
            self.takes_effect(spell)

    def comes(self) -> None:
        if self.dice:
            self.muster(self.d.choice(list(self.dice)))

    def goes(self) -> None:
        one = self.d.choice([one for one in self.ones.values() if one.here])
        if self.round and not one.spell and any(each.side == one.side for each in self.up() if each is not one):
            self.leaves(one)

    def world(self) -> None:
        one = self.d.choice([one for one in self.ones.values() if one.here])
        amount = self.d.randint(0, 3)
        untouched = not one.trail.blows and not one.trail.healed and self.options["spoil-cause"] != "hit"
        if untouched and (one.trail.was_out or one.hp - amount > self.limit) and not self.due(band=3):
            self.row("damage_dealt", target=one.id, amount=amount)
            self.lose(one, (self.round, self.segment, 1, 0, 0, 1), amount, hit=False)
            one.trail.healed = self.after_effect = True

    def ruling(self) -> None:
        spells = [one.spell for one in self.ones.values() if one.spell and not one.spell.silent]
        spells = [spell for spell in spells if spell and spell.due > self.now]
        if spells and (spell := self.d.choice(spells)):
            rule, who = "spell.spoiled-by-interruption", {"combatants": [spell.who]}
            named = who if self.chance(0.5) else {"event": spell.seq}
            self.fight.tell("ruling_made", ruling="fact", decision="smoke in the eyes", rule=rule, **named)
            self.end(spell, "spoiled")

    def acts(self, one: One) -> None:
        if not one.here or (not self.round and self.length(one) >= self.segment):
            return
        if one.out is None and not one.trail.was_out and self.chance(0.03):
            self.row("action_taken", combatant=one.id, action={"kind": "talk", "name": "shouts"})
            self.after_effect = True
        if self.chance(0.05):
            self.give_up(one)
        if self.is_bound(one):
            if one.spell is None and not one.turn.bound and self.chance(0.6):
                self.cast(one)
            return
        if self.chance(0.1) and not one.trail.was_out and one.out is None:
            self.holds(one)
        elif self.chance(0.5 if one.turn.did is None else 0.25):
            self.d.choice((self.attack, self.attack, self.attack, self.charge, self.flee, self.simple, self.cast))(one)

    def holds(self, one: One) -> None:
        if self.round and self.segment != self.own(one, False)[1]:
            return
        self.row("action_held", combatant=one.id)
        one.turn.held = one.turn.waits = True
