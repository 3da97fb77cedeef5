"""Dues: owed once, paid once, and outstanding at their own boundary."""

from projections.mechanics import dues
from projections.mechanics.dues import Due, Dues

ORCS, HEROES = Due("orcs", "die", "first act"), Due("heroes", "die", "first act")


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
    assert dues.dues_before(owed, "first act") == [ORCS]


def test_a_record_answers_what_is_about_the_same_else_what_fell_due_first() -> None:
    owed: Dues = {}
    for seq in (4, 7, 9):
        dues.owe(owed, Due("bo", "save", "own turn", about=seq))
    dues.owe(owed, Due("ana", "save", "own turn", about=2))
    dues.owe(owed, Due("bo", "die", "own turn", about=3))
    answered = [dues.answer(owed, "bo", "save", about) for about in (7, 0, 12, 9)]
    assert [due and due.about for due in answered] == [7, 4, 9, None]
    assert [(due.who, due.what) for due in owed.values()] == [("ana", "save"), ("bo", "die")]


def test_who_answered_what_can_be_told_until_its_boundary() -> None:
    owed: Dues = {}
    for due in (Due("bo", "save", "own turn", about=4), Due("bo", "save", "own turn", about=7), ORCS):
        dues.owe(owed, due)
    found = [dues.answer(owed, "bo", "save", about, by=by) for about, by in ((7, 8), (0, 9), (0, 10))]
    assert [due and due.about for due in found] == [7, 4, None]
    assert dues.owed(owed, "save", "bo") == dues.dues_before(owed, "own turn") == []
    assert dues.answering_records(owed, "save", "bo") == (9, 8)
    assert dues.answering_records(owed, "save", "ana") == dues.answering_records(owed, "die", "bo") == ()
    assert dues.lapse(owed, "own turn", "bo") == []
    assert [*owed.values()] == [ORCS]


def test_what_was_answered_can_be_owed_again() -> None:
    owed: Dues = {}
    again = Due("orcs", "die", "round closed")
    dues.owe(owed, ORCS)
    dues.answer(owed, "orcs", "die", 0, by=5)
    dues.owe(owed, again)
    assert dues.owed(owed, "die") == [again]
    assert dues.answering_records(owed, "die", "orcs") == ()


def test_a_boundary_lets_lapse_what_was_owed_before_it_by_one_or_by_all() -> None:
    owed: Dues = {}
    for due in (ORCS, HEROES, Due("orcs", "target", "slot E")):
        dues.owe(owed, due)
    assert dues.dues_before(owed, "first act", "heroes") == [HEROES]
    assert dues.lapse(owed, "first act", "orcs") == [ORCS]
    assert dues.lapse(owed, "slot E") == [Due("orcs", "target", "slot E")]
    assert list(owed.values()) == [HEROES]
