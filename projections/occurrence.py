"""Facts of the corrected stream, each at its place in game time."""

from typing import Generic, TypeGuard, TypeVar

from msgspec import Struct

from eventstore.events import Fact
from projections.time import Point

E_co = TypeVar("E_co", bound=Fact, covariant=True)


SOURCE = "line "
"""The prefix of an imported record's key; the line follows, and after a slash the number of the fact."""


class Occurrence(Struct, Generic[E_co], frozen=True, gc=False, omit_defaults=True):
    """A fact of the corrected stream, at its place in game time and with its cause; references are absolute."""

    seq: int
    """The number that identifies it."""
    line: int
    """The line of the file with its present content (the amendment's, if there is one)."""
    event: E_co
    point: Point = Point()
    """The moment at which it happened."""
    own: bool = False
    """Whether the fact or its cause gave that moment."""
    cause: int = 0
    """The seq of the fact that caused it, or 0."""
    at: str = ""
    by: str = ""
    secret: bool = False
    timed: int = 0
    """The record that set the clock to its segment; 0 if it has its own moment."""
    append: int = 0
    """The first record of the append that it came with."""
    implied: bool = False
    """Whether the cause is certain though the fact names none."""
    doubtful: int = 0
    """The last fact that can be its cause, if it names none and none is certain; else 0."""
    key: str = ""
    """The key of its record."""
    called: str = ""
    """The name of the effect or condition that it is about, as names are compared: case folded, once, as it is read."""
    kind: str = ""
    """The kind of the action that it has, as kinds are compared: case folded, once, as it is read; "" without an action."""
    covers: bool = False
    """Whether it announces a round, and one of the two records after it in its append is withheld."""

    @property
    def source(self) -> str:
        """The lines of the imported file that the fact comes from, as in "line 48"; "" for one that was not imported."""
        return self.key.partition("/")[0] if self.key.startswith(SOURCE) else ""


E = TypeVar("E", bound=Fact)


def is_a(fact: Occurrence[Fact], kind: type[E]) -> TypeGuard[Occurrence[E]]:
    """Return whether a fact is of a type."""
    return isinstance(fact.event, kind)
