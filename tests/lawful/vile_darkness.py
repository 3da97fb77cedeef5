"""Vile Darkness: lawful fights, and fights with one rule broken on purpose; the tables are in tables/vile_darkness."""

import random

from tests.lawful.fight import Fight
from tests.lawful.tables.vile_darkness import breaches_of_blows, breaches_of_spells, breaches_of_work
from tests.lawful.tables.vile_darkness.breaches import BREACHES
from tests.lawful.tables.vile_darkness.play import Table

assert breaches_of_blows.BREACHES is breaches_of_spells.BREACHES is breaches_of_work.BREACHES is BREACHES


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play a lawful fight of so many rounds."""
    table = Table(dice)
    for _ in table.play(rounds):
        pass
    return table.fight


def broken(dice: random.Random, rounds: int) -> Fight:
    """Play a fight in which one rule is broken; it ends with the breach."""
    breach, moments = dice.choice(BREACHES)
    table = Table(dice)
    last = dice.randint(0, rounds) if "closed" in moments else 0
    for moment in table.play(rounds):
        if moment in moments and table.round >= last:
            break
    table.fight.breaks.add(breach(table))
    return table.fight
