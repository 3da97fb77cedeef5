"""Initiative: checks, draws and the checks that settle them, newcomers, contests."""

import random
from collections.abc import Iterator
from typing import Any

from tests.lawful.fight import Fight
from tests.lawful.tables.semiautomagic.people import SPELLS, Act, One, Turn

OPTIONS = {
    "reroll-place": "new-total",
    "second-tie": "all-again",
    "contest-dexterity": "bare-reflex",
    "late-place-passed": "acts-next",
    "late-tie": "all-again",
    "delayed-place": "moves",
    "delay-while-running": "continues",
    "put-off-turn-seconds": "at-its-place",
    "absent-originator": "effect-lost",
    "effect-during-action": "after-the-action",
    "zero-second-off-turn": "allowed",
    "hp-floor": "zero",
    "healing-cap": "none",
}
"""What each option may be instead of its default."""


class Order:
    """Who has joined, what they have checked, and in which order they stand."""

    def __init__(self, dice: random.Random, rounds: int) -> None:
        self.dice, self.rounds, self.round = dice, rounds, 0
        other = {name for name in OPTIONS if dice.random() < 0.15}
        self.fight = Fight(options={name: OPTIONS[name] for name in OPTIONS if name in other})
        self.all: dict[str, One] = {}
        self.places: list[str] = []
        self.stack: list[Turn] = []
        self.last = self.latest = ""
        self.acts: list[Act] = []
        self.ended: list[Act] = []
        self.is_moved = False

    def has(self, option: str) -> bool:
        """Say whether an option is not at its default."""
        return option in self.fight.options

    def chance(self, share: float) -> bool:
        """Say whether something happens that does so often."""
        return self.dice.random() < share

    def tell(self, type: str, **fields: Any) -> int:  # noqa: A002 - the field of a fact is called that
        """Add a fact without the fields that are None."""
        return self.fight.tell(type, **{name: value for name, value in fields.items() if value is not None})

    def present(self) -> list[One]:
        """Return those who have not left."""
        return [one for one in self.all.values() if one.gone != "left"]

    # ------------------------------------------------------------ initiative

    def join(self) -> One:
        """Let a combatant join."""
        number = len(self.all)
        one = One(f"c{number}", self.dice.randint(0, 3), self.dice.randint(8, 30), self.some_entries(), number)
        self.all[one.id] = one
        self.comes(one)
        return one

    def comes(self, one: One) -> None:
        """Record that a combatant joins, for the first time or again."""
        one.hp = one.most
        sheet = {"hp": one.most, "dexterity": one.dexterity, "entries": self.listed(one)}
        self.tell("combatant_joined", combatant=one.id, side=self.dice.choice(("heroes", "raiders")), sheet=sheet)

    def some_entries(self) -> dict[str, tuple[int, int | None]]:
        """Return spells of a sheet, each with its seconds and its delay, if it has one."""
        spells = self.dice.sample(SPELLS, self.dice.randint(0, 3))
        return {name: (self.dice.randint(1, 5), self.dice.choice((None, None, 0, 2, 4, 8, 11))) for name in spells}

    def listed(self, one: One) -> list[dict[str, Any]]:
        """Return the entries of a combatant as the sheet has them."""
        rows = ((name, time, delay) for name, (time, delay) in one.entries.items())
        return [
            {"name": name, "time": time, **({} if delay is None else {"delay": delay})} for name, time, delay in rows
        ]

    def check(self, one: One, value: int, tie_with: list[str] | None = None, total: int | None = None) -> int:
        """Record a check of a combatant; return its result."""
        result = value + one.dexterity
        total = (result if self.chance(0.3) else None) if total is None else total
        self.tell(
            "initiative_rolled", combatant=one.id, check=value, bonus=one.dexterity, tie_with=tie_with, total=total
        )
        return result

    def level_with(self, one: One) -> list[One]:
        """Return the others who have the same total."""
        return [other for other in self.all.values() if other is not one and other.total == one.total is not None]

    def owes(self, one: One) -> bool:
        """Say whether a combatant must check again: another has the same total and the same further checks so far."""
        so_far = len(one.rerolls)
        if one.rank:
            return False
        if self.has("second-tie") or self.has("reroll-place"):
            group = [one, *self.level_with(one)]
            longest = max(len(other.rerolls) for other in group)
            last = [other.rerolls[-1:] for other in group if len(other.rerolls) == longest]
            return len(group) > 1 and (so_far < longest or any(last.count(each) > 1 for each in last))
        return any(other.rerolls[:so_far] == one.rerolls for other in self.level_with(one))

    def settle(self) -> Iterator[None]:
        """Let those who draw check again until no draw is left."""
        while owing := [one for one in self.all.values() if self.owes(one)]:
            yield
            one = self.dice.choice(owing)
            if not self.fight.options and self.chance(0.15) and not self.round:
                self.rule_tie([one, *self.level_with(one)])
            elif self.has("second-tie") or self.has("reroll-place"):
                group = [each for each in owing if each.total == one.total]
                self.dice.shuffle(group)
                yield from self.roll_set(group)
            else:
                level = [other for other in self.level_with(one) if other.rerolls[: len(one.rerolls)] == one.rerolls]
                named = level if self.chance(0.5) else self.level_with(one)
                one.rerolls.append(self.check(one, self.dice.randint(1, 6), [other.id for other in named]))
                self.arrange()
        self.arrange()

    def rule_tie(self, group: list[One]) -> None:
        """Let the GM say in which order those who draw stand; then no check is needed for it."""
        self.dice.shuffle(group)
        names = [one.id for one in group]
        self.tell("ruling_made", ruling="tie", decision="as the GM says", combatants=names)
        for rank, one in enumerate(group):
            one.rerolls, one.rank = [], rank + 1
        self.arrange()

    def roll_set(self, group: list[One]) -> Iterator[None]:
        """Let all of those who drew check once; with totals of their own nobody then draws with an outsider."""
        totals = {one.total for one in self.all.values()}
        for one in group:
            value = self.dice.randint(1, 6)
            while self.has("reroll-place") and value + one.dexterity in totals:
                value += 1
            one.rerolls.append(self.check(one, value, [other.id for other in group if other is not one]))
            if self.has("reroll-place"):
                totals.add(one.rerolls[-1])
        if self.has("reroll-place"):
            for one in group:
                one.total, one.rerolls = one.rerolls[-1], []
        yield from ()

    def arrange(self) -> None:
        """Put those who have checked in order, unless a turn taken late has moved a place."""
        if self.is_moved:
            return
        placed = [one for one in self.all.values() if one.total is not None]
        first = -1 if self.has("second-tie") else 0
        placed.sort(key=lambda one: (-(one.total or 0), [-each for each in one.rerolls[first:]], one.rank, one.joined))
        self.places = [one.id for one in placed]
        if not any(self.owes(one) for one in placed):
            self.note_order()

    def note_order(self) -> None:
        """Note the order of those who have not left."""
        self.fight.note({"order": [[name] for name in self.places if self.all[name].gone != "left"]})

    def gather(self) -> Iterator[None]:
        """Let everybody join and check before the first turn."""
        ones = [self.join() for _ in range(self.dice.randint(2, 5))]
        if self.chance(0.3):
            self.contest()
        self.dice.shuffle(ones)
        for one in ones:
            yield
            one.total = self.check(one, self.dice.randint(1, 6))
            self.fight.note({f"{one.id}.total": one.total})
        yield from self.settle()

    def contest(self) -> None:
        """Let two combatants check who acts first; a draw is rolled again."""
        about, pair = f"the idol {self.fight.seq}", self.dice.sample(self.present(), 2)
        totals = [0, 0]
        while totals[0] == totals[1]:
            checks = [self.dice.randint(1, 6) for _ in pair]
            added = [0 if self.has("contest-dexterity") else one.dexterity for one in pair]
            totals = [check + more for check, more in zip(checks, added, strict=True)]
            contenders = [{"combatant": one.id, "check": check} for one, check in zip(pair, checks, strict=True)]
            self.tell("contest_rolled", about=about, contenders=contenders)
        self.fight.note(
            {f"contest.{about}": pair[totals.index(max(totals))].id, f"contest.{about}.{pair[0].id}": totals[0]}
        )
