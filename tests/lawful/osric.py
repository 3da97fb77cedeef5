"""OSRIC: lawful fights, and fights with one rule broken on purpose; the tables are in tables/osric."""

import random

from tests.lawful.breaking import Breach, broken_by
from tests.lawful.fight import Fight
from tests.lawful.tables.osric.breaches import BREACHES
from tests.lawful.tables.osric.play import Table


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play a lawful fight of so many rounds; what breaks a rule in it is struck at once."""
    table = Table(dice)
    for moment in table.play(rounds):
        breach, before = dice.choice(BREACHES), table.fight.seq
        if moment in breach.moments and table.chance(0.1) and breach(table):
            for seq in range(before + 1, table.fight.seq + 1):
                table.fight.tell("struck", event=seq)
        else:
            assert table.fight.seq == before, (
                "it tells something and breaks nothing, and what follows would not know of it"
            )
    return table.fight


def fought(dice: random.Random, rounds: int, breach: Breach[Table]) -> Fight | None:
    """Play a fight that may end with a breach."""
    return broken_by(breach, Table(dice), rounds, 0.3)


def broken(dice: random.Random, rounds: int) -> Fight:
    """Play a fight in which one rule is broken; it ends with the breach."""
    while not (fight := fought(dice, rounds, dice.choice(BREACHES))):
        pass
    return fight
