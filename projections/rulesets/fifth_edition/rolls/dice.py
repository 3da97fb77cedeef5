"""Which face of the dice counts."""

from __future__ import annotations

import re
from typing import Any

from eventstore.shapes import Dice, Die
from projections.mechanics.rolls import face, has_right_die
from projections.rulesets.ruleset import derives


@derives("advantage.two-dice")
def kept(die: Die) -> int:
    """Return the face that counts: of several dice the one that the notation keeps."""
    return next(iter(picked(die)), face(die))


def shown_by(die: Die | None) -> int:
    """Return the face that counts; 0 without a die."""
    return 0 if die is None else kept(die)


def picked(die: Die) -> list[int]:
    """Return the faces of several d20 of which the notation keeps one, that one first; none for any other die."""
    if not isinstance(die, Dice):
        return []
    found = re.fullmatch(r"\d+d20(kh|kl)1?", die.notation.casefold())
    return sorted(die.faces, reverse=found[1] == "kh") if found else []


def has_wrong_face(die: Die) -> bool:
    """Say whether another face is recorded as counting than the one that the notation keeps."""
    return kept(die) != face(die)


def is_third(die: Die) -> bool:
    """Say whether three dice or more were thrown for one."""
    return len(picked(die)) > 2


def has_right_die_of(die: object, wanted: Any) -> bool:
    """Say whether the right dice are thrown; a bare number is one die."""
    return has_right_die(die, wanted) if isinstance(die, Dice) else not wanted
