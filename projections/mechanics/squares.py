"""Squares of a grid: the legs of a path, their lengths in squares, how far a combatant reaches, whether a path comes back."""

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from math import gcd

from msgspec import Struct

from eventstore.shapes import Distance, Square

Leg = tuple[int, int]
"""Columns and rows from one square of a path to the next."""

TILE = 5
"""Feet of a square, and of a hexagon."""
FARTHEST = 10_000
"""The longest leg that is followed square by square; a longer one is a mistake, and has only its ends."""
FEET = {"ft": (1, 1), "foot": (1, 1), "feet": (1, 1), "square": (TILE, 1), "hex": (TILE, 1), "m": (10, 3)}
"""Units of distance in feet, as fractions; an unknown one counts as feet."""


def in_feet(distance: Distance) -> int:
    """Return a distance in feet."""
    times, by = FEET.get(distance.unit.casefold(), (1, 1))
    return distance.amount * times // by


def leg_to(here: Square, there: Square) -> Leg:
    """Return the leg from one square to another."""
    return there[0] - here[0], there[1] - here[1]


def legs(path: Sequence[Square]) -> Iterator[Leg]:
    """Yield the legs of a path."""
    yield from (leg_to(here, there) for here, there in pairwise(path))


def is_straight(path: Sequence[Square]) -> bool:
    """Say whether all legs of a path go in the same direction; legs of length 0 are ignored."""
    divisors = ((leg, gcd(*leg)) for leg in legs(path))
    return len({(leg[0] // most, leg[1] // most) for leg, most in divisors if most}) < 2


def steps(leg: Leg) -> int:
    """Return the length of a leg in squares, where a diagonal step counts as one."""
    return max(abs(leg[0]), abs(leg[1]))


def hexes(leg: Leg) -> int:
    """Return the length of a leg in hexagons, in coordinates in which (q, r) is next to (q+1, r-1)."""
    return max(steps(leg), abs(leg[0] + leg[1]))


def diagonals(leg: Leg) -> int:
    """Return how many steps of the shortest way of a leg are diagonal."""
    return min(abs(leg[0]), abs(leg[1]))


def neighbours(square: Square) -> list[Square]:
    """Return the eight squares next to a square."""
    beside = [(column, row) for column in (-1, 0, 1) for row in (-1, 0, 1) if (column, row) != (0, 0)]
    return [(square[0] + column, square[1] + row) for column, row in beside]


def squares_between(here: Square, leg: Leg) -> list[Square]:
    """Return the squares that a straight leg from a square passes through, without its two ends."""
    count = steps(leg) if steps(leg) <= FARTHEST else 0
    return [
        (here[0] + round(leg[0] * each / count), here[1] + round(leg[1] * each / count)) for each in range(1, count)
    ]


def path_squares(path: Sequence[Square]) -> list[Square]:
    """Return every square of a path, those of straight runs included."""
    found = list(path[:1])
    for here, leg in zip(path, legs(path), strict=False):
        found += [*squares_between(here, leg), (here[0] + leg[0], here[1] + leg[1])]
    return found


def left_squares(path: Sequence[Square]) -> list[Square]:
    """Return the squares that a path leaves."""
    return [here for here, there in pairwise(path_squares(path)) if here != there]


class Reach(Struct, frozen=True, gc=False):
    """The squares that a combatant reaches around its own."""

    rings: int
    """The number of rings."""
    corners: bool = True
    """Whether the corners of the outer ring count."""
    inner: bool = True
    """Whether the inner rings count."""

    def covers(self, leg: Leg) -> bool:
        """Say whether the square at the end of a leg is within reach; the combatant's own square always is."""
        distance = steps(leg)
        if distance == 0 or distance > self.rings:
            return distance == 0
        if distance < self.rings:
            return self.inner
        return self.corners or diagonals(leg) < self.rings

    @property
    def squares(self) -> int:
        """The number of squares within reach, without the combatant's own."""
        if self.rings < 1:
            return 0
        within = 1 if self.inner else (2 * self.rings - 1) ** 2
        return (2 * self.rings + 1) ** 2 - within - (0 if self.corners else 4)


def enters_twice(path: Sequence[Square], covered: Container[Square] = ()) -> bool:
    """Say whether a path enters a square twice: one covered before, its own beginning, or one of its own."""
    entered = path[1:]
    return len({*entered}) < len(entered) or any(each in covered or each == path[0] for each in entered)
