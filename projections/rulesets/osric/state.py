"""What OSRIC keeps beside the common state: dice of the round, declarations, acts, castings, the fallen."""

from msgspec import Struct

from eventstore.shapes import Action
from projections.state import Because, State
from projections.time import Point

SEGMENTS = 10
"""Segments in a round, of six seconds each."""


class Order(Struct, frozen=True, gc=False, order=True):
    """Is the order key: round, segment, band (0 effects at the start, 1 by the dice, 2 by choice), lead, rank, cut."""

    round: int
    segment: int
    band: int = 1
    lead: int = 0
    rank: int = 0
    cut: int = 1


class Rolled(Struct, frozen=True, gc=False):
    """Is a side's die as thrown, and the event that recorded it."""

    face: int
    seq: int


class Declared(Struct, frozen=True, gc=False):
    """Is what a combatant declared for the round."""

    seq: int
    action: Action


class Act(Struct, frozen=True, gc=False):
    """Is an act as it was done, with its key."""

    seq: int
    combatant: str
    action: Action
    key: Order


class Casting(Struct, gc=False):
    """Is a spell being cast: it occupies segments `start` to `due` − 1 and takes effect at the start of `due`.

    Both are counted from segment 1 of round 1 (= 1) on. Status is begun, done, spoiled, withdrawn or lost.
    """

    combatant: str
    name: str
    begun: int
    key: Order
    start: int
    due: int
    status: str = "begun"
    because: Because = Because()


class Wound(Struct, frozen=True, gc=False):
    """Is a loss of hit points: who, in which segment (counted from round 1 on), by which event."""

    target: str
    segment: int
    seq: int


class Fallen(Struct, frozen=True, gc=False):
    """Is the key from which on a combatant is out of action, and the event that did it."""

    key: Order
    seq: int


class OsricState(State):
    """Adds what the OSRIC text needs; what belongs to one round is emptied as the next begins."""

    dice: dict[str, Rolled] = {}
    declared: dict[str, Declared] = {}
    acts: list[Act] = []
    keys: dict[int, Order] = {}
    castings: list[Casting] = []
    wounds: list[Wound] = []
    fallen: dict[str, Fallen] = {}


def absolute(point: Point) -> int:
    """Return a segment counted from segment 1 of round 1 on."""
    return SEGMENTS * (point.round - 1) + point.segment


def from_absolute(segment: int) -> Point:
    """Return the point of a segment counted from segment 1 of round 1 on."""
    return Point(round=(segment - 1) // SEGMENTS + 1, segment=(segment - 1) % SEGMENTS + 1)
