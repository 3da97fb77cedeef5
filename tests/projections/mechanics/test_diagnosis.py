"""Diagnosis: what was left out of a wrong number."""

from typing import NamedTuple

from projections.mechanics.diagnosis import as_recorded, left_out, without


class Piece(NamedTuple):
    amount: int
    counts: bool = True


class Bonus(NamedTuple):
    name: str
    amount: int
    counts: bool = True


STRENGTH, SHIELD, DODGE = Piece(3), Piece(2, counts=False), Piece(-1)


def test_what_counted_does_not_and_what_was_barred_counts() -> None:
    assert without(10, ()) == 10
    assert without(10, (STRENGTH,)) == 7
    assert without(10, (SHIELD, DODGE)) == 13


def test_the_first_that_gives_the_stated_number_was_left_out() -> None:
    pieces = (STRENGTH, SHIELD, Piece(3, counts=False), Piece(2, counts=False))
    assert left_out(7, lambda each: without(10, (each,)), pieces) is STRENGTH
    assert left_out(12, lambda each: without(10, (each,)), pieces) is SHIELD
    assert left_out(11, lambda each: without(10, (each,)), pieces) is None


def test_a_total_may_follow_from_wrong_parts() -> None:
    parts = (Bonus("str", 3), Bonus("base", 5))
    assert as_recorded(18, 10, parts, {"str": 4, "base": 5}, ()) == (19, 19)
    assert as_recorded(18, None, parts, {"size": 1}, ("size",)) == (19,)
    assert as_recorded(18, None, parts, {"luck": 1}, ("size",)) == (18,)
    assert as_recorded(None, 10, parts, {"luck": 1}, ()) == (11,)
