"""Facts of the corrected stream, each at its place in game time."""

from typing import Generic, TypeVar

from msgspec import Struct

from eventstore.events import Fact
from projections.time import Point

E = TypeVar("E", bound=Fact)


SOURCE = "line "
"""How the key of an imported record begins; the line follows, and after a stroke which of its facts the record has."""


class Occurrence(Struct, Generic[E], frozen=True, gc=False):
    """A fact of the corrected stream, at its place in game time and with its cause.

    `seq` identifies it; `line` is the line of the file with its present content (the amendment's, if there is one);
    `point` is the moment at which it happened, and `own` says whether the fact or its cause gave that moment itself;
    `cause` is the seq of the fact that caused it, or 0, `implied` says that it names none and that this one is certain,
    `doubtful` is the last fact that can be its cause where it names none and none certainly is, else 0;
    `append` is the first record of the append that it came with; `timed` that of the one that set the clock to its segment, 0 if it
    has its own moment; `key` is the key of its record. References are absolute.
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
    timed: int = 0
    append: int = 0
    implied: bool = False
    doubtful: int = 0
    key: str = ""

    @property
    def source(self) -> str:
        """The lines of the imported file that the fact comes from, as in "line 48"; "" for one that was not imported."""
        return self.key.partition("/")[0] if self.key.startswith(SOURCE) else ""
