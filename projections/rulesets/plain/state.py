"""What plain bookkeeping keeps beside the common state: initiative totals, the turns and acts of the round."""

from msgspec import Struct

from eventstore.shapes import Action
from projections.state import State
from projections.time import Point


class Total(Struct, frozen=True, gc=False):
    """Is a recorded initiative total, in hundredths, with what decides among those who are level.

    `ties` are their further rolls, highest first as numbers below 0; `place` is the seq of the record, and `seat` that of
    the joining of whoever sits there (0: each one's own), or what a ruling exchanged them for; `events` are the facts
    behind all that, `of` is the side whose total it refines.
    """

    hundredths: int
    place: int
    ties: tuple[int, ...] = ()
    events: tuple[int, ...] = ()
    seat: int = 0
    of: str = ""


class Turn(Struct, gc=False):
    """Is a turn of the round: whose it is, the event that began it, who is through with it, the event that ended it.

    `held` is the event that last put it off, `resumed` the later one that took it up; put off before it began, it has the
    seq 0.
    """

    members: tuple[str, ...]
    point: Point
    seq: int
    through: tuple[str, ...] = ()
    ended: int = 0
    held: int = 0
    resumed: int = 0

    @property
    def is_held(self) -> bool:
        """Whether the turn is put off, or was lost so."""
        return self.held > self.resumed


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
