"""Amounts with their units, and squares: read from a token, and written as one."""

from typing import Any

import pytest

from projections.language.notation.kinds import unit_of
from projections.language.notation.slots import KINDS
from projections.language.notation.tokens import NotUnderstood, Token
from tests.projections.grammar import fight

SCENE = fight().context


def read(kind: str, text: str) -> Any:
    return KINDS[kind].read(SCENE, Token(text, 4, 4 + len(text)))


@pytest.mark.parametrize(("word", "unit"), [
    ("r", "round"), ("round", "round"), ("rounds", "round"), ("secs", "second"), ("feet", "ft"), ("metre", "m"), ("sq", "square"), ("bananas", None),
    ("", None),
])  # fmt: skip
def test_a_unit_is_short_or_whole_and_perhaps_in_the_plural(word: str, unit: str | None) -> None:
    assert unit_of(word) == unit


@pytest.mark.parametrize(("text", "value"), [
    ("10r", {"amount": 10, "unit": "round"}),
    ("3seg", {"amount": 3, "unit": "segment"}),
    ("2r/brand", {"amount": 2, "unit": "round", "of": "brand"}),
    ("2r/brand/end", {"amount": 2, "unit": "round", "of": "brand", "at": "end"}),
    ("2r//end", {"amount": 2, "unit": "round", "at": "end"}),
])  # fmt: skip
def test_a_duration_has_an_amount_a_unit_and_perhaps_whose_turn_counts(text: str, value: dict[str, Any]) -> None:
    assert read("duration", text) == value
    assert KINDS["duration"].show(value) == text


@pytest.mark.parametrize("text", ["10", "r", "10x", "-3r", "3 r"])
def test_what_is_no_amount_with_a_unit_is_refused_where_it_stands(text: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        read("duration", text)
    assert caught.value.column == 5


def test_a_quoted_text_is_no_amount() -> None:
    with pytest.raises(NotUnderstood):
        KINDS["duration"].read(SCENE, Token("10r", 0, 5, quoted=True))


@pytest.mark.parametrize(("text", "value"), [("3", 3), ("0", 0), ("3r", {"amount": 3, "unit": "round"})])
def test_a_time_is_a_number_or_an_amount(text: str, value: Any) -> None:
    assert read("time", text) == value
    assert KINDS["time"].show(value) == text


@pytest.mark.parametrize("value", [-1, {"amount": -1, "unit": "round"}, {"amount": 1, "unit": "moon"}])
def test_a_time_below_0_and_one_of_a_strange_unit_cannot_be_written_so(value: Any) -> None:
    assert KINDS["time"].show(value) is None


def test_an_amount_of_0_can_be_written() -> None:
    assert KINDS["time"].show({"amount": 0, "unit": "round"}) == "0r"


def test_squares_have_column_and_row() -> None:
    assert read("square", "3,-4") == [3, -4]
    assert KINDS["square"].show([3, -4]) == "3,-4"
    assert KINDS["square"].show([]) is None
    assert read("path", "0,0/1,0/-1,12") == [[0, 0], [1, 0], [-1, 12]]
    assert KINDS["path"].show([[0, 0], [1, 0]]) == "0,0/1,0"
    assert KINDS["path"].show([]) is None


@pytest.mark.parametrize(("text", "column"), [("x/1,1", 5), ("0,0/x", 9), ("0,0/10,11/x", 15)])
def test_a_square_that_is_none_is_refused_where_it_stands_in_the_path(text: str, column: int) -> None:
    with pytest.raises(NotUnderstood) as caught:
        read("path", text)
    assert caught.value.column == column
