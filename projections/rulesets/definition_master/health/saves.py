"""Saves: what a roll comes to, and what may have been written down wrong of it."""

from typing import Any

from msgspec import Struct

from projections.mechanics.rolls import face, is_on, total
from projections.state import Combatant

FORTITUDE = "Fortitude save"


def bonus_of(one: Combatant, save: str) -> int | None:
    """Return somebody's bonus to a save, such as fort or Fortitude; None where the sheet has none."""
    saves: dict[str, int] = one.sheet.saves
    return next((bonus for name, bonus in saves.items() if name.casefold()[:3] == save.casefold()[:3]), None)


def total_of(one: Combatant, event: Any, save: str) -> int | None:
    """Return what a save comes to, with the sheet's bonus unless the parts of the roll are that: one by its name, or together.

    Without a die it is what was written down.
    """
    if event.die is None:
        stated: int | None = event.total
        return stated
    bonus, parts = bonus_of(one, save) or 0, event.modifiers
    named = any(part.name.casefold()[:3] in (save.casefold()[:3], "sav", "bas") for part in parts)
    whole = named or sum(part.amount for part in parts) == bonus
    return total(event.die, parts, 0 if whole else bonus)


class Wrong(Struct, frozen=True):
    """What was written down wrong of a roll: die, total or outcome; in words, what was expected and found."""

    what: str
    says: str
    expected: str
    found: str


def misrecorded(who: str, event: Any, comes: int | None, dc: int | None, sides: int = 20) -> Wrong | None:
    """Return the first thing that was written down wrong of a roll that comes to this, against a DC; what is unknown is not wrong."""
    if event.die is not None and not (0 <= face(event.die) <= 100 if sides == 100 else is_on(event.die, sides)):
        says = f"the {'d%' if sides == 100 else 'd20'} of {who} shows {face(event.die)}"
        return Wrong("die", says, f"1 to {sides}", str(face(event.die)))
    if event.total not in (None, comes):
        return Wrong("total", f"the roll of {who} comes to {comes}", str(comes), str(event.total))
    if comes is None or dc is None or event.succeeded in (None, comes >= dc):
        return None
    due, told = (("failed", "made")[each] for each in (comes >= dc, event.succeeded))
    return Wrong("outcome", f"{comes} against {dc}: {due}", due, told)
