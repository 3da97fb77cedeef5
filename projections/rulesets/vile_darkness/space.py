"""Space: squares of five feet, how far a move goes, how far apart two stand."""

from math import hypot

from eventstore.events import Moved
from eventstore.shapes import Distance, Square
from projections.mechanics.squares import Leg, legs, steps
from projections.rulesets.ruleset import derives
from projections.rulesets.vile_darkness.state import VileState

FOOT = {"ft": 1.0, "m": 3.28, "square": 5.0}
SQUARE = 5


@derives("grid.square-five-feet")
def feet_of(said: Distance) -> float:
    """Return a distance in feet; a square is five."""
    return said.amount * FOOT.get(said.unit.casefold(), 1.0)


@derives("grid.distance-between-centers")
def length(state: VileState, leg: Leg) -> float:
    """Return the length of a straight stretch in feet, from center to center, or by counted squares."""
    if state.option("diagonals") == "counted-squares":
        return float(SQUARE * steps(leg))
    return SQUARE * hypot(*leg)


def feet(state: VileState, event: Moved) -> float:
    """Return how many feet a move covers: by its path, else as said."""
    if len(event.path) > 1:
        return sum(length(state, leg) for leg in legs(event.path))
    return feet_of(event.distance) if event.distance else 0.0


def apart(state: VileState, one: Square, other: Square) -> float:
    """Return how many feet lie between two squares."""
    return length(state, (other[0] - one[0], other[1] - one[1]))
