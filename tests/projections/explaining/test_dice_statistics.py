"""How dice are spread, and the chi-squared test of it."""

import pytest

from projections.explaining.dice_statistics import chi_squared, chi_squared_tail, count_spreads, sides_of
from projections.explaining.fairness import Throw


@pytest.mark.parametrize(("statistic", "freedom", "probability"), [
    (3.841, 1, 0.05), (9.236, 5, 0.10), (30.144, 19, 0.05), (43.820, 19, 0.001), (11.651, 19, 0.90), (124.342, 100, 0.05),
])  # fmt: skip
def test_the_tail_agrees_with_printed_tables(statistic: float, freedom: int, probability: float) -> None:
    assert chi_squared_tail(statistic, freedom) == pytest.approx(probability, rel=0.002)


def test_even_faces_have_a_statistic_of_nothing_and_a_tail_of_one() -> None:
    assert chi_squared(dict.fromkeys(range(1, 7), 10), 6) == 0
    assert chi_squared_tail(0, 5) == 1


def test_each_die_of_a_combatant_is_counted_and_tested_if_there_are_enough() -> None:
    many = [Throw(2, "bo", "d6", (face,), "proven") for face in (1, 2, 3, 4, 5, 6) * 5]
    loaded = [Throw(2, "kex", "2d6kh1", (6, 6), "typed") for _ in range(15)]
    found = count_spreads([*many, *loaded, Throw(3, "bo", "d20", (4,)), Throw(4, "bo", "", (14,))])
    assert [(one.combatant, one.die, one.level, one.thrown) for one in found] == [
        ("bo", "number", "typed", 1),
        ("bo", "d6", "proven", 30),
        ("bo", "d20", "typed", 1),
        ("kex", "d6", "typed", 30),
    ]
    assert [one.p for one in found] == [None, 1.0, None, 0.0]
    assert found[1].mean == 3.5
    assert found[3].counts == {6: 30}


def test_a_face_that_the_die_does_not_have_is_counted_and_not_tested() -> None:
    (found,) = count_spreads([Throw(2, "bo", "d2", (3,)) for _ in range(20)])
    assert (found.counts, found.p) == ({3: 20}, None)


def test_percentile_dice_have_a_hundred_sides() -> None:
    assert [sides_of(text) for text in ("d%", "3d6", "2D20kh1", "")] == [100, 6, 20, 0]
