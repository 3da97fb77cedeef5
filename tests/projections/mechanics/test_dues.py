"""Dues: owed once, paid once, and outstanding at their own boundary."""

from projections.mechanics import dues
from projections.mechanics.dues import Due, Dues

ORCS, HEROES = Due("orcs", "die", "first act"), Due("heroes", "die", "first act")


def test_what_is_owed_is_outstanding_until_it_is_paid() -> None:
    owed: Dues = {}
    dues.owe(owed, ORCS)
    dues.owe(owed, HEROES)
    assert dues.pay(owed, "orcs", "die") == ORCS
    assert dues.outstanding(owed, "first act") == [HEROES]
    assert dues.pay(owed, "orcs", "die") is None


def test_each_boundary_has_its_own() -> None:
    owed: Dues = {}
    dues.owe(owed, ORCS)
    dues.owe(owed, Due("cleo", "target", "slot E"))
    assert dues.outstanding(owed, "slot E") == [Due("cleo", "target", "slot E")]


def test_what_is_owed_twice_is_owed_once_as_it_first_was() -> None:
    owed: Dues = {}
    dues.owe(owed, ORCS)
    dues.owe(owed, Due("orcs", "die", "round closed"))
    assert dues.outstanding(owed, "first act") == [ORCS]
