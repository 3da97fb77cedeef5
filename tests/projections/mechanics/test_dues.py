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


def test_several_of_one_kind_stand_side_by_side_and_are_paid_one_by_one() -> None:
    owed: Dues = {}
    first, second = (Due("bo", "save", "own turn", about=seq) for seq in (4, 7))
    for due in (first, second, Due("ana", "save", "own turn", about=7), Due("bo", "die", "own turn", about=7)):
        dues.owe(owed, due)
    assert dues.owed(owed, "save", "bo") == [first, second]
    assert dues.pay(owed, "bo", "save", 4) == first
    assert [due.who for due in dues.owed(owed, "save")] == ["bo", "ana"]
    assert dues.pay(owed, "bo", "save") is None


def test_what_is_owed_twice_is_owed_once_as_it_first_was() -> None:
    owed: Dues = {}
    dues.owe(owed, ORCS)
    dues.owe(owed, Due("orcs", "die", "round closed"))
    assert dues.outstanding(owed, "first act") == [ORCS]
