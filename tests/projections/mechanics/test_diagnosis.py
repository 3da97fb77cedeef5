"""Diagnosis: what was left out of a wrong number."""

from typing import NamedTuple

from projections.mechanics.diagnosis import omission, said_totals, total_without


class Piece(NamedTuple):
    name: str
    amount: int
    counts: bool = True


STRENGTH, SHIELD, DODGE = Piece("str", 3), Piece("shield", 2, counts=False), Piece("dodge", -1)


def test_what_counted_does_not_and_what_was_barred_counts() -> None:
    assert total_without(10, ()) == 10
    assert total_without(10, (STRENGTH,)) == 7
    assert total_without(10, (SHIELD, DODGE)) == 13


def test_the_first_that_gives_the_stated_number_was_left_out() -> None:
    pieces = (STRENGTH, SHIELD, Piece("str", 3, counts=False), Piece("shield", 2, counts=False))
    assert omission(7, lambda each: total_without(10, (each,)), pieces) is STRENGTH
    assert omission(12, lambda each: total_without(10, (each,)), pieces) is SHIELD
    assert omission(11, lambda each: total_without(10, (each,)), pieces) is None


def test_a_total_may_follow_from_wrong_parts() -> None:
    parts = (Piece("str", 3), Piece("base", 5))
    assert said_totals(18, 10, parts, {"str": 4, "base": 5}, ()) == (19, 19)
    assert said_totals(18, None, parts, {"size": 1}, ("size",)) == (19,)
    assert said_totals(18, None, parts, {"luck": 1}, ("size",)) == (18,)
    assert said_totals(None, 10, parts, {"luck": 1}, ()) == (11,)
