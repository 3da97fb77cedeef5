"""How facts are told and looked at: slots and segments, places, conditions, and what is known after each fact."""

import random
from collections.abc import Iterable
from typing import Any

from tests.lawful.fight import Fight
from tests.lawful.tables.vile_darkness.people import One
from tests.lawful.tables.vile_darkness.sums import Square, path, standing

SIZE = 10
"""Columns and rows of the grid."""


class Facts:
    """The facts recorded so far, and what follows from them."""

    def __init__(self, dice: random.Random, options: dict[str, str] | None = None) -> None:
        self.d = dice
        self.options = options or {}
        self.fight = Fight(options=self.options)
        self.ones: dict[str, One] = {}
        self.round = 0
        self.dice: dict[str, int] = {}
        self.slot = self.told_slot = ""
        self.by_clock = self.timed = False
        self.segment = 0

    def chance(self, of: float) -> bool:
        return self.d.random() < of

    def up(self) -> list[One]:
        return [one for one in self.ones.values() if one.up]

    def foes(self, one: One) -> list[One]:
        return [each for each in self.up() if each.side != one.side]

    def in_melee_with(self, one: One) -> list[One]:
        return [self.ones[who] for who in sorted(one.engaged) if self.ones[who].up]

    def sides(self) -> list[str]:
        return list(dict.fromkeys(one.side for one in self.up()))

    def high(self, one: One) -> bool:
        """Say whether a combatant's group is HIGH, no matter what holds for the combatant."""
        return standing(self.dice, self.options.get("middle-group") == "high")[one.side]

    def is_high(self, one: One) -> bool:
        """Say whether a combatant stands in HIGH."""
        return self.high(one) and not one.turn.low and not one.turn.delayed

    def own(self, one: One, phase: str) -> str:
        """Return a phase of a combatant's own initiative."""
        return f"{'H' if self.is_high(one) else 'L'}.{phase}"

    # ------------------------------------------------------------ telling

    def reach(self, slot: str) -> None:
        """Let play come to a slot."""
        self.slot = slot
        if self.by_clock and self.told_slot != slot:
            self.fight.tell("phase_reached", phase=slot)
            self.fight.know(phase=slot)
            self.told_slot = slot

    def moment(self) -> dict[str, Any]:
        """Return what a fact of this moment says of it itself."""
        slot = {} if self.by_clock else {"phase": self.slot}
        return slot | ({"segment": self.segment} if self.segment and (self.timed or self.slot == "E") else {})

    def row(self, type: str, **fields: Any) -> int:  # noqa: A002 - the field of a fact is called that
        """Record a fact that stands by itself at this moment."""
        return self.fight.tell(type, **self.moment(), **fields)

    def of(self, cause: int, type: str, **fields: Any) -> int:  # noqa: A002
        """Record an outcome."""
        said = self.d.choice((cause, cause - self.fight.seq - 1))
        return self.fight.tell(type, **fields, cause=said)

    def act(self, one: One, kind: str, trigger: int = 0, **more: Any) -> int:
        """Record an act."""
        self_said = {"trigger": trigger} if trigger else {}
        return self.row("action_taken", combatant=one.id, action={"kind": kind, **more}, **self_said)

    # ------------------------------------------------------------ space

    def place(self, one: One) -> None:
        """Record where a combatant stands, and in melee with whom."""
        engaged = {"engaged": sorted(one.engaged)} if one.engaged else {}
        self.fight.tell("placed", combatant=one.id, square=list(one.square), **engaged)
        self.fight.note({f"{one.id}.melee": sorted(one.engaged) or "none"})

    def engage(self, one: One, other: One) -> None:
        """Let two be in melee with each other."""
        if other.id not in one.engaged:
            one.engaged.add(other.id)
            other.engaged.add(one.id)
            self.place(one)
            self.place(other)

    def disengage(self, one: One) -> None:
        """Take a combatant out of every melee."""
        others = [self.ones[who] for who in sorted(one.engaged)]
        one.engaged.clear()
        for other in others:
            other.engaged.discard(one.id)
        for each in (one, *others):
            if each.up:
                self.place(each)

    def squares(self, besides: Iterable[One] = ()) -> set[Square]:
        """Return the squares on which a combatant stands."""
        there = {one.id for one in besides}
        return {one.square for one in self.ones.values() if one.id not in there and not one.left}

    def free_square(self) -> Square:
        taken = self.squares()
        free = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) not in taken]
        return self.d.choice(free)

    def way(self, one: One, steps: int, past: One | None = None) -> list[Square]:
        """Return a way of at most so many steps over free squares, past an ally where one is named; empty if there is none."""
        taken = self.squares((one, past) if past else (one,))
        ways = []
        for _ in range(8):
            to = self.free_square()
            found = path(one.square, to, taken, SIZE)
            passes = past is None or past.square in found
            if passes and 1 < len(found) <= steps + 1:
                ways.append(found)
        return self.d.choice(ways) if ways else []

    def moved(self, one: One, way: list[Square], cause: int = 0, **more: Any) -> int:
        """Record that a combatant covers a way."""
        told = {"combatant": one.id, "path": [list(square) for square in way], **more}
        if self.chance(0.5):
            told["distance"] = {"amount": 5 * (len(way) - 1), "unit": "ft"}
        seq = self.of(cause, "moved", **told) if cause else self.row("moved", **told)
        one.square = way[-1]
        return seq

    # ------------------------------------------------------------ looking

    def look(self) -> None:
        """Note values of some combatants."""
        values: dict[str, Any] = {"round": self.round}
        for one in self.d.sample(self.up(), min(4, len(self.up()))):
            values |= self.values(one)
        self.fight.note(values)

    def values(self, one: One) -> dict[str, Any]:
        """Return what is known of a combatant."""
        found: dict[str, Any] = {f"{one.id}.hp": one.hp, f"{one.id}.melee": sorted(one.engaged) or "none"}
        if one.spells and (self.slot in ("E", "GL", "END") or not one.turn.foreseen):
            casting = one.casting
            if not casting or casting.spell.kind == "incantation" or casting.spell.time > 1:
                found[f"{one.id}.casting"] = casting.spell.name if casting else "none"
            if casting and casting.deep and casting.spell.kind == "invocation" and casting.spell.time == 1:
                pass
            elif casting and casting.deep:
                found[f"{one.id}.concentration"] = casting.spell.name
            else:
                found[f"{one.id}.concentration"] = one.maintains[0] if one.maintains else "none"
            for name, left in one.memorized.items():
                found[f"{one.id}.memorized.{name}"] = left
        if one.side in self.dice and self.round_is_open and one.turn.shift != "planned":
            found[f"{one.id}.group"] = "HIGH" if self.is_high(one) else "LOW"
        return found

    round_is_open = False
