"""Definition Master: lawful fights, and fights with one rule broken on purpose; the tables are in tables/definition_master.

An independent reading of the catalogue and the readings beside it. Where they leave a point open, the play keeps away from it:

- **Order.** Those who have put off their turn are left alone until they take it, so that nobody falls before a delayed turn.
- **Reach** of the large is never counted on at the corners of its outer ring. Nobody strikes twice at one move.
- **Touch attacks** of maneuvers show no die of a threat: whether they could be critical is open.
- **Grapples, shoving, shattering, feints, trampling and swallowing** are left to the rulebook. Nobody prone moves before standing up.
- **Breaches** name, beside the rule that is broken, those other rules whose own text calls the same fact a breach.
"""

import random

from tests.lawful.breaking import Breach, broken_by
from tests.lawful.fight import Fight
from tests.lawful.tables.definition_master.breaches import BREACHES
from tests.lawful.tables.definition_master.play import Table

DEATH_ROLLS = ("not-chosen", "all-equal", "stats-matter", "brutality")
OPTIONS = {
    "initiative-decimal": "on", "roll-off": "with-bonus", "equal-success": "breaks-run", "automatic-failure": "rolled-only",
    "brutality-damage": "hp-lost", "stabilized-hit": "dying-again", "massive-source": "any", "natural-rolls": "automatic",
    "negative-rounding": "toward-zero", "reach-adjacent": "not-threatened",
}  # fmt: skip
"""Values other than the default that the play knows."""


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play a lawful fight of so many rounds, in every other one with some options set otherwise."""
    share = dice.choice((0, 0.3))
    options = {name: value for name, value in OPTIONS.items() if dice.random() < share}
    table = Table(dice, options | {"death-roll": dice.choice(DEATH_ROLLS)})
    for _ in table.play(rounds):
        pass
    return table.fight


def fought(dice: random.Random, rounds: int, breach: Breach[Table]) -> Fight | None:
    """Play a fight that may end with a breach."""
    return broken_by(breach, Table(dice, {"death-roll": dice.choice(DEATH_ROLLS), **breach.options}), rounds, 0.5)


def broken(dice: random.Random, rounds: int) -> Fight:
    """Play a fight in which one rule is broken; it ends with the breach."""
    breach = dice.choice(BREACHES)
    while not (fight := fought(dice, rounds, breach)):
        pass
    return fight
