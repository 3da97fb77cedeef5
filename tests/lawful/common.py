"""What every game counts alike: points that damage takes and healing gives back, and conditions that are gained and lost.

The rulesets without a generator of their own are played by this one; what is particular to them, their rulebooks prove.
"""

import random

from tests.lawful.fight import Fight

NAMES = ("ana", "bo", "cy", "orc")
CONDITIONS = ("poisoned", "dazzled", "frightened")
MOST = 60
"""The points of everybody: more than a fight takes from one, for what follows at 0 differs from game to game."""


class Table:
    """A fight that is being recorded, with the points and conditions of everybody."""

    def __init__(self, dice: random.Random) -> None:
        self.dice, self.fight = dice, Fight()
        self.hp = dict.fromkeys(NAMES, MOST)
        self.conditions: dict[str, set[str]] = {name: set() for name in NAMES}
        for name in NAMES:
            sheet = {"hp": MOST, "hp_max": MOST}
            self.fight.tell("combatant_joined", combatant=name, side=name, sheet=sheet)

    def play(self, deeds: int) -> None:
        """Record so many deeds, each at somebody, and note what has become of them."""
        for deed in self.dice.choices((self._hurts, self._heals, self._hinders), k=deeds):
            who = self.dice.choice(NAMES)
            deed(who)
            self.fight.note({f"{who}.hp": self.hp[who], f"{who}.conditions": sorted(self.conditions[who])})

    def _hurts(self, who: str) -> None:
        amount = min(self.dice.randint(0, 8), self.hp[who] - 1)
        self.hp[who] -= amount
        self.fight.tell("damage_dealt", target=who, amount=amount)

    def _heals(self, who: str) -> None:
        amount = self.dice.randint(0, 8)
        self.hp[who] = min(MOST, self.hp[who] + amount)
        self.fight.tell("healed", target=who, amount=amount)

    def _hinders(self, who: str) -> None:
        name = self.dice.choice(CONDITIONS)
        has = name in self.conditions[who]
        self.conditions[who] ^= {name}
        self.fight.tell("condition_lost" if has else "condition_gained", condition=name, targets=[who])


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play as many deeds as so many rounds have turns."""
    table = Table(dice)
    table.play(rounds * len(NAMES))
    return table.fight


def broken(dice: random.Random, rounds: int) -> Fight:
    """Play deeds up to a fact that nobody could have recorded rightly."""
    table = Table(dice)
    table.play(dice.randint(1, rounds * len(NAMES)))
    rule = dice.choice(("log.stranger", "log.address", "log.joining"))
    if rule == "log.stranger":
        table.fight.tell("damage_dealt", target="nobody", amount=1)
    elif rule == "log.address":
        table.fight.tell("checked", values={f"{dice.choice(NAMES)}.mood": 1})
    else:
        table.fight.tell("combatant_joined", combatant=dice.choice(NAMES), side="late", sheet={"hp": MOST})
    table.fight.breaks.add((rule, table.fight.seq))
    return table.fight
