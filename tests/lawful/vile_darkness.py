"""Vile Darkness: lawful fights, and fights with one rule broken on purpose; the tables are in tables/vile_darkness.

An independent reading of the catalogue, the readings beside it and the text. Where they leave a point open, the play keeps
away from it:

- **Facts.** An announced delay is `turn_delayed`; a declared one is the kind `delay`. A move is `moved` without a cause. What
  is complete in E, and a one-segment invocation in D4, is an `effect_started` alone, without an act. Complex work ends with an
  `effect_started` that names its declaration, or with an act in GL if it took one round. A called shot is an attack with the
  manner `called`. Loading and shooting a light crossbow is left out: by which name its delaying activity is known is open.
- **Order.** The address `order` is noted only in rounds in which everybody does one thing and nothing besides; not with several
  routines, not with two who go first, not where allies with weapons of different speed stand alone in a slot. Nobody has
  claws beside weapons in a slot whose order is noted.
- **Routines.** Those with several are never charged into having none: they don't charge, flee or do complex work, and strike
  only if they are recorded as in melee. Their later routines follow the order of the first. Both weapons of a two-weapon
  fighter have one speed. A combatant who goes first or last does nothing but strike.
- **Melee** is always recorded on both sides before a blow is struck in it, and again when a combatant charges, flees or falls.
- **Delays.** Those in LOW announce one in LOW only, those in HIGH in HIGH only; nobody delays twice, or before a one-segment invocation.
  Delaying activities come before everything else that the combatant does in the round, and are not done by casters. A combatant delayed by a ruling
  is so from the dice to the end of the round, and a fact ends it.
- **Segments** rise through a round as it is recorded; in E they are those of completion. The caster of an effect that must be maintained is
  not disturbed by a later segment than that of completion, in the round of the casting.
- **Blows out of turn.** One free attack by each in a round, only on those who flee; immediate attacks by those who are struck at
  or charged, who maintain nothing, carry nothing over and have not delayed.
- **Surprise** is never ended by a fact, weapons have no need of space, no modifier but that of a magic weapon is added to a roll,
  no class is named, and nobody shares a square or recovers a spell.
- **Findings** whose event is open are not tried: a delayed weapon before one that is not, and a longer spell before a shorter one
  (the earlier row or the later?), a walk and a shot (which of two rules?), and all that only a statement could break.
- **Given up** spells are only those that an immediate attack takes the place of.
"""

import random

from tests.lawful.fight import Fight
from tests.lawful.tables.vile_darkness import breaches_of_blows, breaches_of_spells, breaches_of_work
from tests.lawful.tables.vile_darkness.breaches import BREACHES
from tests.lawful.tables.vile_darkness.people import OPTIONS
from tests.lawful.tables.vile_darkness.play import Table

assert breaches_of_blows.BREACHES is breaches_of_spells.BREACHES is breaches_of_work.BREACHES is BREACHES


def lawful(dice: random.Random, rounds: int) -> Fight:
    """Play a lawful fight of so many rounds, in every other one with some options set otherwise."""
    share = dice.choice((0, 0.15))
    table = Table(dice, {name: value for name, value in OPTIONS.items() if dice.random() < share})
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
