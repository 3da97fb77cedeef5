"""Saves: their totals, and the faults in their records."""

from collections.abc import Iterator
from typing import Any

from eventstore.shapes import Dice
from projections.mechanics.rolls import face, is_on, total
from projections.rulesets.faults import Fault
from projections.state import Combatant

FORTITUDE, PERCENT = "Fortitude save", "d%"


def save_rolled(event: Any) -> str:
    """Return the kind of a save: a d% or another save, if it says so, else a Fortitude save."""
    said = (getattr(event, "save", None) or "").casefold()
    die = f"{said} {event.die.notation.casefold()}" if isinstance(event.die, Dice) else said
    if any(each in die for each in ("percent", "d%", "100", "2d10")):
        return PERCENT
    return f"{said} save" if said[:3] in ("ref", "wil") else FORTITUDE


def bonus_of(one: Combatant, save: str) -> int | None:
    """Return a combatant's bonus to a save, such as fort or Fortitude; None where the sheet has none."""
    saves: dict[str, int] = one.sheet.saves
    return next((bonus for name, bonus in saves.items() if name.casefold()[:3] == save.casefold()[:3]), None)


def total_of(one: Combatant, event: Any, save: str) -> int | None:
    """Return the total of a save, with the bonus of the sheet unless the modifiers of the roll contain it.

    Without a die it is the recorded total.
    """
    if event.die is None:
        stated: int | None = event.total
        return stated
    bonus, parts = bonus_of(one, save) or 0, event.modifiers
    named = any(part.name.casefold()[:3] in (save.casefold()[:3], "sav", "bas") for part in parts)
    whole = named or sum(part.amount for part in parts) == bonus
    return total(event.die, parts, 0 if whole else bonus)


def misrecorded(
    one: Combatant,
    event: Any,
    comes: int | None,
    dc: int | None,
    rules: tuple[str, str],
    events: tuple[int, ...] = (),
    sides: int = 20,
    wrong_dc: int | None = None,
) -> Iterator[Fault]:
    """Yield the faults in the record of a roll: die or total by the first rule, the outcome by the second.

    An outcome that follows from a wrong total or DC is no fault of its own.
    """
    of_roll, of_outcome = rules
    if event.die is not None and not (0 <= face(event.die) <= 100 if sides == 100 else is_on(event.die, sides)):
        says, shown = f"the {'d%' if sides == 100 else 'd20'} of {one.id} shows", str(face(event.die))
        yield Fault((of_roll,), f"{says} {shown}", f"1 to {sides}", shown)
    if event.total not in (None, comes):
        bonus_records = one.records("saves") if sides == 20 else ()
        yield Fault((of_roll,), f"the roll of {one.id} totals {comes}", str(comes), str(event.total), bonus_records)
    if comes is None or dc is None:
        return
    stated, against = (due if said is None else said for said, due in ((event.total, comes), (wrong_dc, dc)))
    if event.succeeded in (None, comes >= dc, stated >= against):
        return
    due, said = (("failed", "made")[each] for each in (comes >= dc, event.succeeded))
    yield Fault((of_outcome,), f"{comes} against {dc}: {due}", due, said, events)
