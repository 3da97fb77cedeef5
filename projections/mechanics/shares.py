"""Shares: damage by its type, through halving, reductions, resistance and vulnerability, in the order that a game has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from eventstore.shapes import Part
from projections.mechanics.rolls import worth


def by_type(parts: Iterable[Part], types: Mapping[str, str]) -> dict[str, int]:
    """Return what parts come to by their type; one without a type has that of the thing that it is named for, else of the first part."""
    found: dict[str, int] = {}
    for part in parts:
        name = (part.damage_type or types.get(part.name.casefold()) or next(iter(found), "")).casefold()
        found[name] = found.get(name, 0) + worth(part)
    return found


class Taking(Struct, frozen=True, kw_only=True):
    """How a combatant takes damage: halved by a save, less flat amounts, by type resisted, doubled, or not at all.

    `late` says that flat amounts come off before the save halves.
    """

    half: bool = False
    less: int = 0
    late: bool = False
    resists: frozenset[str] = frozenset()
    doubles: frozenset[str] = frozenset()
    immune: frozenset[str] = frozenset()

    def of(self, shares: Mapping[str, int], times: int = 1) -> int:
        """Return what is taken of these shares, each rounded down at each step, never below 0."""
        total, less = 0, self.less
        for name, share in shares.items():
            amount = share * times
            taken = min(less, amount if self.late else self._halved(amount))
            less -= taken
            amount = self._halved(amount - taken) if self.late else self._halved(amount) - taken
            total += self._of_type(name, max(0, amount))
        return total

    def _halved(self, amount: int) -> int:
        return amount // 2 if self.half else amount

    def _of_type(self, name: str, amount: int) -> int:
        """Return what is taken of damage of one type, by resistance first, then by vulnerability."""
        if name in self.immune:
            return 0
        left = amount // 2 if {name, "all"} & self.resists else amount
        return left * 2 if {name, "all"} & self.doubles else left
