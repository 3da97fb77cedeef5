"""Random lawful play of Semiautomagic, and play that breaks one rule."""

import random

from tests.lawful.fight import Fight
from tests.lawful.tables.semiautomagic.breaches import BREACHES
from tests.lawful.tables.semiautomagic.turns import Table


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Return a fight by the rules."""
    table = Table(dice, rounds)
    for _ in table.play():
        pass
    return table.fight


def broken(dice: random.Random, rounds: int) -> Fight:
    """Return a fight by the rules up to its last fact, which breaks one; another where the one chosen never fits."""
    table = Table(dice, rounds)
    breach = dice.choice(BREACHES)
    for _ in table.play():
        if dice.random() < 0.3 and (rule := breach(table)):
            return _breaks(table, rule)
    rules = (other(table) for other in dice.sample(BREACHES, len(BREACHES)))
    return _breaks(table, next(rule for rule in rules if rule))


def _breaks(table: Table, rule: str) -> Fight:
    table.fight.breaks.add((rule, table.fight.seq))
    return table.fight
