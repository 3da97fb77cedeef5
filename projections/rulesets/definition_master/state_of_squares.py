"""The state of squares in Definition Master: threatened squares, provocations, squares that were passed."""

from collections.abc import Collection
from typing import Any

from msgspec import Struct

from eventstore.shapes import Square
from projections.because import Because, Derived
from projections.mechanics.squares import Reach, leg_to
from projections.state import Combatant


class Threat(Struct, frozen=True, gc=False):
    """The squares that a combatant threatens."""

    inputs: tuple[Any, ...]
    """The values that it was derived from; it is derived again when one of them is replaced."""
    barred: Derived[str]
    """The rule by which the combatant threatens no square; "" if it threatens some."""
    far: Derived[Reach]
    standing: Derived[str]
    square: Square | None = None
    stood: int = 0
    """The record that put the combatant on its square."""

    def over(self, squares: Collection[Square]) -> Derived[int | None]:
        """Return how many of these squares it threatens; None if its own square or these are unknown."""
        if self.barred.value:
            return Derived(0, self.barred.because)
        if self.square is None or not squares:
            return Derived(None, self.far.because)
        count = sum(self.far.value.covers(leg_to(self.square, each)) for each in squares)
        return Derived(count, Because(self.far.because.rules, (self.stood,), of=(self.far, self.barred)))


class Front(Struct, gc=False):
    """The foes of a side, in the order in which they joined."""

    inputs: tuple[Any, ...]
    """The other values that their threats were derived from."""
    foes: list[Combatant]
    threats: dict[str, Threat]


class Provocation(Struct, frozen=True, gc=False):
    """A provocation: an act or a move that may let foes strike at a combatant."""

    seq: int
    who: str
    rule: str
    """The clause by which foes may strike, or by which none may."""
    left: tuple[Square, ...] = ()
    """The squares that a move leaves."""
    to: dict[str, Threat] = {}
    """The foes, with the squares that they threatened at that moment."""
    open: tuple[Square, ...] = ()
    """The squares at which they may strike."""
    why: Because | None = None
    """Why they may; None if it is left to a ruling."""
    known: bool = True
    """Whether the target of the act, or the path of the move, is recorded."""
    comes: bool = False
    """Whether the act goes to its targets, wherever they stand."""
    price: Derived[str] = Derived("", Because())
    """The cost of the act."""

    @property
    def lacks_way(self) -> bool:
        """Whether it is a move whose path is not recorded yet."""
        return not self.known and self.rule == "move.leaving-threat-provokes"

    def times(self, foe: Threat) -> Derived[int | None]:
        """Return how often a foe may strike: once for each open square that it threatens; None if that is unknown."""
        if self.why is None:
            return Derived(None, Because())
        found = Derived(1, foe.barred.because) if self.comes and not foe.barred.value else foe.over(self.open)
        return Derived(found.value if self.known else None, Because(self.why.rules, self.why.events, of=(found,)))

    def allows(self, who: str) -> int | None:
        """Return how often a combatant may strike."""
        return self.times(self.to[who]).value if who in self.to else 0


class Passage(Struct, frozen=True, gc=False):
    """The combatants through whose squares a move went."""

    foes: tuple[str, ...] = ()
    allies: tuple[str, ...] = ()
    act: int = 0
    """The act that the move was part of, or 0."""
