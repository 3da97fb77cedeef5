"""Shares: damage by its type, through halving, reductions, resistance and vulnerability, in the order that a game has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from eventstore.shapes import Part
from projections.mechanics.rolls import part_points


def damage_by_type(parts: Iterable[Part], types: Mapping[str, str | None]) -> dict[str, int]:
    """Return the damage of parts by type; a part without a type has the type of the thing in its name, else that of the first part."""
    found: dict[str, int] = {}
    for part in parts:
        name = (part.damage_type or types.get(part.name.casefold()) or next(iter(found), "")).casefold()
        found[name] = found.get(name, 0) + part_points(part)
    return found


class Taking(Struct, frozen=True, kw_only=True):
    """The way in which a combatant takes damage."""

    half: bool = False
    """Whether a save halves it."""
    less: int = 0
    """The flat amounts that are taken off."""
    late: bool = False
    """Whether flat amounts are taken off before the save halves."""
    resists: frozenset[str] = frozenset()
    """The types of which half is taken."""
    doubles: frozenset[str] = frozenset()
    """The types of which twice is taken."""
    immune: frozenset[str] = frozenset()
    """The types of which nothing is taken."""

    def damage_taken(self, shares: Mapping[str, int], times: int = 1) -> int:
        """Return the damage that is taken of these shares, each rounded down at each step, never below 0."""
        total, less = 0, self.less
        for name, share in shares.items():
            amount = share * times
            if self.half and not self.late:
                amount //= 2
            taken = min(less, amount)
            amount, less = amount - taken, less - taken
            if self.half and self.late:
                amount //= 2
            amount = 0 if name in self.immune else max(0, amount)
            if {name, "all"} & self.resists:
                amount //= 2
            total += amount * 2 if {name, "all"} & self.doubles else amount
        return total
