"""What plain bookkeeping keeps beside the common state: initiative totals, the turns and acts of the round."""

from msgspec import Struct

from eventstore.shapes import Action
from projections.state import State
from projections.time import Point


class Total(Struct, frozen=True, gc=False):
    """Is a recorded initiative total, in hundredths, with further rolls among those who are level."""

    hundredths: int
    seq: int
    ties: tuple[int, ...] = ()


class Turn(Struct, gc=False):
    """Is a turn of the round: whose, who acts together with it, the event that began it and the one that ended it."""

    combatant: str
    point: Point
    seq: int
    together: tuple[str, ...] = ()
    ended: int = 0


class Act(Struct, frozen=True, gc=False):
    """Is an act as it was recorded."""

    seq: int
    combatant: str
    action: Action
    point: Point


class PlainState(State):
    """Adds what plain bookkeeping needs; turns and acts are those of the round."""

    totals: dict[str, Total] = {}
    turns: list[Turn] = []
    acts: list[Act] = []
