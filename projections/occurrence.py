"""Facts of the corrected stream, each at its place in game time."""

from typing import Generic, TypeVar

from msgspec import Struct

from eventstore.events import Fact
from projections.time import Point

E = TypeVar("E", bound=Fact)


class Occurrence(Struct, Generic[E], frozen=True, gc=False):
    """A fact as the corrected stream has it: at its place in game time, with its cause.

    `seq` identifies it, `line` is where the words that count stand in the file (the amendment's, if there is one),
    `point` the moment at which it happened, `own` whether it, or what it came out of, said that moment itself, `cause`
    the seq of what it came out of, or 0. References are absolute.
    """

    seq: int
    line: int
    event: E
    point: Point = Point()
    own: bool = False
    cause: int = 0
    at: str = ""
    by: str = ""
    secret: bool = False
