"""OSRIC: lawful fights, and fights with one rule broken on purpose; the tables are in tables/osric."""

import random

from tests.lawful.fight import Fight
from tests.lawful.tables.osric.breaches import Breach, Broken
from tests.lawful.tables.osric.play import Table
from tests.lawful.tables.osric.wrong_acts import BREACHES


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play a lawful fight of so many rounds; what breaks a rule in it is struck at once."""
    table = Table(dice)
    for moment in table.play(rounds):
        breach, moments = dice.choice(BREACHES)
        before = table.fight.seq
        if moment in moments and table.chance(0.1) and attempt(breach, table):
            for seq in range(before + 1, table.fight.seq + 1):
                table.fight.tell("struck", event=seq)
    return table.fight


def broken(dice: random.Random, rounds: int) -> Fight:
    """Play a fight in which one rule is broken; it ends with the breach."""
    while True:
        table, (breach, moments) = Table(dice), dice.choice(BREACHES)
        for moment in table.play(rounds):
            if moment in moments and table.chance(0.3) and (told := attempt(breach, table)):
                table.fight.breaks.add(told)
                return table.fight


def attempt(breach: Breach, table: Table) -> Broken:
    """Try a breach. One that does not fit tells nothing, or what follows would not know of it."""
    before = table.fight.seq
    told = breach(table)
    assert told or table.fight.seq == before, f"{breach.__name__} tells something and breaks nothing"
    return told
