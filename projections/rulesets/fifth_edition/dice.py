"""Which face of the dice counts."""

from __future__ import annotations

import re
from typing import Any

from eventstore.shapes import Dice, Die
from projections.mechanics.rolls import face, has_right_die
from projections.rulesets.ruleset import derives


@derives("advantage.two-dice")
def kept(die: Die) -> int:
    """Return the face that counts: the higher of two by advantage, the lower by disadvantage, whichever was said to."""
    wanted = picked(die)
    return face(die) if wanted is None else wanted


def picked(die: Die) -> int | None:
    """Return the face that the notation of several d20 picks; None of any other die."""
    found = re.fullmatch(r"\d+d20(kh|kl)1?", die.notation.casefold()) if isinstance(die, Dice) else None
    if found is None or not isinstance(die, Dice) or len(die.faces) < 2:
        return None
    return max(die.faces) if found[1] == "kh" else min(die.faces)


def has_wrong_face(die: Die) -> bool:
    """Say whether another face counts than the one that the notation picks."""
    wanted = picked(die)
    return wanted is not None and face(die) != wanted


def is_third(die: Die) -> bool:
    """Say whether three dice or more were thrown for one."""
    return isinstance(die, Dice) and picked(die) is not None and len(die.faces) > 2


def has_right_die_of(die: Any, wanted: Any) -> bool:
    """Say whether a die is thrown as it should; a bare number is one die."""
    return has_right_die(die, wanted) if isinstance(die, Dice) else not wanted
