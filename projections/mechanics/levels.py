"""Levels: conditions that have a number, such as frightened 2, which is raised, lowered, and fades.

`[[level]]` rows of a catalogue name such conditions: what happens if one is gained again, when it fades by 1, how high it can be, and
the status of a combatant that has it, or has it in full.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from projections.because import Because, Derived


class Graded(Struct, frozen=True, forbid_unknown_fields=True):
    """A row in the table of levels."""

    name: str
    """The condition."""
    rule: str
    """The clause by which it is gained."""
    again: Literal["higher", "adds"] = "higher"
    """The effect of a further one: the higher level stays, or both add up."""
    fades: str = ""
    """The word for the boundary at which it falls by 1, such as `own-turn-end`; "" if it does not."""
    fades_by: str = ""
    """The clause by which it falls; by default that by which it is gained."""
    limit: int = 0
    """The highest level; 0 if there is none."""
    status: str = ""
    """The status of a combatant that has it; "" if it decides none."""
    full: str = ""
    """The status of a combatant that has it at its limit."""
    full_by: str = ""
    """The clause behind that status; by default that by which it is gained."""


Levels = dict[tuple[str, str], Derived[int]]
"""The levels of combatants, by combatant and condition, each with its reason; 0 is kept for its reason."""


def level_in_detail(detail: str | None) -> int:
    """Return the level that the detail of a condition says: its first number; 1 where it has none."""
    found = re.search(r"\d+", detail or "")
    return int(found[0]) if found else 1


def again(row: Graded, now: Derived[int], said: int, because: Because) -> Derived[int]:
    """Return the level after a further gain: the sum, or the higher one.

    A lower level before is cited if it had changed: without the change, it could have been the higher.
    """
    if row.again == "adds":
        return clamp_level(row, now.value + said, because, now)
    if said <= now.value:
        return now
    return clamp_level(row, said, because, *((now,) if now.because.of else ()))


def clamp_level(row: Graded, value: int, because: Because, *of: Derived[int]) -> Derived[int]:
    """Return a level, from 0 to the limit of its row, because of this and of other values that it is made from."""
    most = max(0, value)
    cited = Because(because.rules, because.events, (*because.of, *of), because.options)
    return Derived(min(most, row.limit or most), cited)
