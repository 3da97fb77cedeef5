"""The additional state of plain bookkeeping: initiative totals, turns, and the acts of the round."""

from msgspec import Struct

from projections.mechanics.acts import Act
from projections.state import Round, State


class Total(Struct, frozen=True, gc=False):
    """A recorded initiative total, with the values that decide among the tied."""

    hundredths: int
    """The total, in hundredths."""
    place: tuple[int, ...]
    """The place of the record in the log, or the one that a ruling gave."""
    ties: tuple[int, ...] = ()
    """The further rolls among the tied, highest first as numbers below 0."""
    events: tuple[int, ...] = ()
    """The facts behind all that."""
    seat: tuple[int, ...] = ()
    """The place of the joining in the log, which decides after `place`; () for each member's own."""
    of: str = ""
    """The side whose total it refines."""


class PlainRound(Round):
    """A round with its turns, whether had or put off and lost, and its acts."""

    acts: list[Act] = []


class PlainState(State):
    """The state of a game without rules."""

    totals: dict[str, Total] = {}
    """The totals by combatant or side."""
    holding: set[str] = set()
    """The combatants who hold an action until something happens."""
