"""What plain bookkeeping keeps beside the common state: initiative totals, the turns and acts of the round."""

from msgspec import Struct

from eventstore.shapes import Action
from projections.state import State
from projections.time import Point


class Total(Struct, frozen=True, gc=False):
    """Is a recorded initiative total, in hundredths, with what decides among those who are level.

    `ties` are their further rolls, highest first as numbers below 0, `place` is the seq of the record, or what a ruling
    exchanged it for; `events` are the facts behind all that.
    """

    hundredths: int
    place: int
    ties: tuple[int, ...] = ()
    events: tuple[int, ...] = ()


class Turn(Struct, gc=False):
    """Is a turn of the round: whose it is, the event that began it, who is through with it, the event that ended it."""

    members: tuple[str, ...]
    point: Point
    seq: int
    through: tuple[str, ...] = ()
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
