"""The result of a blow: its roll, whether it hits, its damage."""

from msgspec import Struct, field

from projections.reader.parts import Part
from projections.reader.tokens import Number


class Result(Struct):
    """The result of one blow."""

    roll: Number | None = None
    two: tuple[int, ...] = ()
    ac: int | None = None
    hit: bool | None = None
    critical: bool = False
    damage: list[tuple[int, str]] = field(default_factory=list)
    nonlethal: bool = False
    name: str = ""
    """The weapon of this blow, where there are several."""
    names: dict[int, str] = field(default_factory=dict)
    """The sources of further parts of its damage, by their places."""
    is_rolled: bool = False
    natural: bool = False
    """Whether its roll is called one."""
    sure: bool = True
    odd: bool = False
    same: bool = False
    """Whether it is that of the blow before, of which more is told."""
    thrown: Number | None = None
    """Its damage as it was told, as dice of which nothing says what they are: 2d6 = 11."""

    @property
    def is_open(self) -> bool:
        """Whether a roll has no outcome, or is said to miss and to cost points."""
        return (self.roll is not None and self.hit is None and self.ac is None and not self.damage) or self.odd

    @property
    def is_told(self) -> bool:
        """Whether anything is reported."""
        return self.roll is not None or self.hit is not None or bool(self.damage)


def times(part: Part) -> int:
    """Return how often something is done by a word: twice, three times; 0 for others."""
    counted = part.says("times") if part.role == "word" and part.is_("times") else ""
    return {"two": 2, "three": 3}.get(counted, 0)
