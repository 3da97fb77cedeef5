"""Squares: the legs of a path, their lengths, coming back, and leaving somebody's reach."""

import pytest

from projections.mechanics import squares


def test_a_path_has_a_leg_from_each_square_to_the_next() -> None:
    assert list(squares.legs(((0, 5), (1, 5), (3, 7)))) == [(1, 0), (2, 2)]
    assert list(squares.legs(((0, 0),))) == []


@pytest.mark.parametrize(
    ("leg", "steps", "hexes", "diagonals"),
    [((3, 0), 3, 3, 0), ((0, 3), 3, 3, 0), ((2, -2), 2, 2, 2), ((2, 2), 2, 4, 2), ((-3, 1), 3, 3, 1)],
)
def test_a_leg_is_measured_in_steps_hexagons_and_diagonals(
    leg: tuple[int, int], steps: int, hexes: int, diagonals: int
) -> None:
    assert (squares.steps(leg), squares.hexes(leg), squares.diagonals(leg)) == (steps, hexes, diagonals)


def test_a_path_is_straight_whatever_the_lengths_of_its_legs() -> None:
    assert squares.is_straight(((0, 0), (2, 1), (2, 1), (6, 3)))
    assert squares.is_straight(((3, 3), (0, 0)))
    assert squares.is_straight(((5, 5),))
    assert not squares.is_straight(((0, 0), (2, 1), (4, 3)))
    assert not squares.is_straight(((0, 0), (2, 1), (0, 0)))


@pytest.mark.parametrize(("reach", "covered", "count"), [
    (squares.Reach(1), {(0, 0), (1, 0), (1, -1)}, 8),
    (squares.Reach(2, corners=False), {(0, 0), (1, 0), (1, -1), (2, 0), (-1, 2)}, 20),
    (squares.Reach(2, inner=False), {(0, 0), (2, 0), (-1, 2), (2, -2)}, 16),
    (squares.Reach(2, corners=False, inner=False), {(0, 0), (2, 0), (-1, 2)}, 12),
    (squares.Reach(0), {(0, 0)}, 0),
    (squares.Reach(-1), {(0, 0)}, 0),
])  # fmt: skip
def test_a_reach_covers_its_rings_and_the_own_square(
    reach: squares.Reach, covered: set[tuple[int, int]], count: int
) -> None:
    among = {(0, 0), (1, 0), (1, -1), (2, 0), (-1, 2), (2, -2), (3, 0), (0, -3), (3, 3)}
    assert {leg for leg in among if reach.covers(leg)} == covered
    assert reach.squares == count


def test_a_path_comes_back_to_its_beginning_itself_or_what_was_covered() -> None:
    there = ((0, 0), (1, 0), (2, 0))
    assert not squares.enters_twice(there)
    assert squares.enters_twice((*there, (1, 0)))
    assert squares.enters_twice(((0, 0), (1, 0), (0, 0)))
    assert squares.enters_twice(there, {(2, 0)})


def test_there_are_eight_squares_next_to_a_square() -> None:
    found = squares.neighbours((3, 5))
    assert len({*found}) == 8
    assert all(squares.steps((column - 3, row - 5)) == 1 for column, row in found)


@pytest.mark.parametrize(
    ("leg", "passed"),
    [((3, 0), [(6, 8), (7, 8)]), ((2, -2), [(6, 7)]), ((0, 1), []), ((0, 0), []), ((4, 2), [(6, 8), (7, 9), (8, 10)])],
)
def test_a_straight_leg_passes_through_the_squares_between_its_ends(
    leg: tuple[int, int], passed: list[tuple[int, int]]
) -> None:
    assert squares.squares_between((5, 8), leg) == passed


def test_a_path_enters_and_leaves_the_squares_of_its_straight_runs() -> None:
    assert squares.path_squares(((0, 0), (3, 0), (3, 2))) == [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2)]
    assert squares.left_squares(((0, 0), (2, 2), (2, 2))) == [(0, 0), (1, 1)]
    assert squares.path_squares(()) == squares.left_squares(((4, 4),)) == []
