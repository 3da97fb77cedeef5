"""Undo at the table: the last line, or the last correction if that came after it."""

import pytest

from projections.folds.addresses import derive_value
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from tests.projections.grammar import table
from tests.projections.notation.line_context import heard


def points(at: Table) -> tuple[object, object]:
    return tuple(getattr(derive_value(at.done.state, f"{who}.hp"), "value", None) for who in ("ana", "gob"))  # type: ignore[return-value]


def fought(*lines: str, key: str = "plain") -> Table:
    return heard(table(key), "join ana party hp=30", "join gob foes hp=30", "gob takes 8", *lines)


@pytest.mark.parametrize("key", ["plain", "5e", "osric", "vile-darkness"])
@pytest.mark.parametrize(
    "correction", ["correct 6", "correct ana not gob", "amend 4 damage gob 2", "strike 4", "insert 4 gob -1"]
)
def test_undo_takes_back_a_correction_before_the_line_that_it_corrects(key: str, correction: str) -> None:
    more = ("ana takes 1, gob takes 1",) if correction == "strike 4" else ()
    at = fought(*more, correction, "u", key=key)
    assert points(at)[1] == (21 if correction == "strike 4" else 22)


def test_undo_goes_further_back_each_time() -> None:
    at = fought("correct 6", "ana takes 3")
    assert points(at) == (27, 24)
    assert points(heard(at, "u")) == (30, 24)
    assert points(heard(at, "u")) == (30, 22)
    assert points(heard(at, "u")) == (30, 30)


def test_undo_of_a_correction_can_be_redone_and_undone_again() -> None:
    at = heard(fought("correct ana not gob"), "u", "redo")
    assert points(at) == (22, 30)
    assert points(heard(at, "u")) == (30, 22)
    assert points(heard(at, "u")) == (30, 30)


def test_undo_of_all_that_there_is_finds_nothing_more() -> None:
    at = heard(table("plain"), "join ana party hp=30", "ana takes 3", "correct 2", "u", "u", "u")
    with pytest.raises(NotUnderstood):
        at.tell("u")
