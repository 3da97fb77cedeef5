"""One die for each side: the first one stands, unless a ruling grants another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from eventstore.events import InitiativeRolled
from eventstore.shapes import Die
from projections.because import Derived
from projections.mechanics.rolls import face
from projections.ruleset.ruleset import Breach
from projections.state import State

SIDES = 6
"""The faces of such a die."""

Granted = Callable[[str], Derived[bool]]
"""Whether a ruling grants a side another die."""


class SideDie(Struct, frozen=True, gc=False):
    """The die of a side."""

    face: int
    seq: int
    """The record of the die."""
    granted: tuple[int, ...] = ()
    """The rulings by which it replaces an earlier one."""

    @property
    def events(self) -> tuple[int, ...]:
        """The record of the die, and the rulings that let it count."""
        return (*self.granted, self.seq)


def side_of(state: State, event: InitiativeRolled) -> str:
    """Return the side that a die is for; one rolled by a combatant is its side's. "" where nobody is named."""
    one = state.combatants.get(event.combatant or "")
    return event.side or (one.side if one else "")


def keep_die(dice: dict[str, SideDie], side: str, die: Die | None, seq: int, another: Granted) -> bool:
    """Keep the die of a side, and say whether it counts: it is the first, or a ruling grants it."""
    granted = another(side) if side in dice else None
    if die is None or (granted is not None and not granted.value):
        return False
    dice[side] = SideDie(face(die), seq, granted.because.events if granted else ())
    return True


def wrong_die(dice: Mapping[str, SideDie], side: str, die: Die | None, another: Granted) -> Breach | None:
    """Return the breach if a side rolls a second die, or a die shows a face that it does not have."""
    first = dice.get(side)
    if first and not another(side).value:
        return Breach(f"{side} have rolled already: the first die stands", "one die", "a second", (first.seq,))
    if die is None or 1 <= (shown := face(die)) <= SIDES:
        return None
    return Breach(f"the initiative die of {side} cannot show {shown}", f"1 to {SIDES}", str(shown))


def sides_without_die(sides: list[str]) -> tuple[str, ...]:
    """Return a sentence on the sides that lack a die in this round; nothing if none does."""
    return (f"no initiative die of {', '.join(sides)} in this round",) if sides else ()
