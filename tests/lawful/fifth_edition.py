"""The fifth edition: lawful fights, and fights with one rule broken on purpose; the tables are in tables/fifth_edition.

An independent reading of the catalogue, the readings beside it and the texts. Where they leave a point open, the play keeps
away from it:

- **Order.** No turns reverse an undecided tie, nobody comes late, and a dead combatant's turn is never recorded first in a round or where a
  tie stands undecided; then `order` is not noted either. The surprised of 2024 have no conditions noted.
- **Death.** The dead have neither conditions nor effects noted. Nobody hurts a monster that was knocked out and is stable, and
  in 2024 monsters die at 0. No combatant at 0 takes damage of 0.
- **What lasts** ends by a fact when the combatant whose turns count it dies; its source is named, where its turns count, and it has one
  bearer, where the bearer's do. Nobody has the same effect twice.
- **What no combatant did** has a ruling as its cause, as a fact without a cause may belong to the act before it.
- **Unknown distances.** Without squares nothing is noted of an attack at the prone that the distance decides.
- **Bonus actions** that are left are noted only where none is.
- **Exhaustion, held actions, and acts without a price** are left to the rulebook.
"""

import random

from tests.lawful.breaking import Breach, broken_by
from tests.lawful.fight import Fight
from tests.lawful.tables.fifth_edition.breaches import BREACHES
from tests.lawful.tables.fifth_edition.play import Table, table


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play a lawful fight of so many rounds, in every other one with some options set otherwise."""
    played = table(dice)
    for _ in played.play(rounds):
        pass
    return played.fight


def fought(dice: random.Random, rounds: int, breach: Breach[Table]) -> Fight | None:
    """Play a fight that may end with a breach."""
    return broken_by(breach, table(dice, {"advantage": "shown", **breach.options}), rounds, 0.4)


def broken(dice: random.Random, rounds: int) -> Fight:
    """Play a fight in which one rule is broken; it ends with the breach."""
    while not (fight := fought(dice, rounds, dice.choice(BREACHES))):
        pass
    return fight
