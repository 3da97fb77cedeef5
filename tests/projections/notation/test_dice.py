"""Dice notation: what it stands for, which of the dice are kept, and where its limits are."""

import pytest

from projections.mechanics.dice import MOST_DICE, MOST_SIDES, Notation, dropped, has_wrong_marks, parse, throw
from tests.tables import for_each


@for_each(("text", "count", "sides", "keep", "highest"), [
    ("d20", 1, 20, 1, True),
    ("3d6", 3, 6, 3, True),
    ("d%", 1, 100, 1, True),
    ("2D%", 2, 100, 2, True),
    ("d1", 1, 1, 1, True),
    ("2d20kh1", 2, 20, 1, True),
    ("2d20KL1", 2, 20, 1, False),
    ("4d6dl1", 4, 6, 3, True),
    ("4d6dh3", 4, 6, 1, False),
    ("2d6kh2", 2, 6, 2, True),
    (f"{MOST_DICE}d{MOST_SIDES}", MOST_DICE, MOST_SIDES, MOST_DICE, True),
])  # fmt: skip
def test_a_notation_says_how_many_dice_there_are_and_which_are_kept(
    text: str, count: int, sides: int, keep: int, highest: bool
) -> None:
    assert parse(text) == Notation(text, count, sides, keep, highest)


@pytest.mark.parametrize(("text", "why"), [
    ("x", "is not a die"), ("d0", "or has none"), (f"d{MOST_SIDES + 1}", "is beyond"), ("0d6", "or has none"), (f"{MOST_DICE + 1}d6", "is beyond"),
    ("2d6kh0", "keeps none"), ("2d6kh3", "or more than there are"), ("2d6dl2", "keeps none"),
])  # fmt: skip
def test_dice_beyond_the_limits_are_refused_for_a_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{text} .*{why}"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "faces"), [("d3", "1"), ("d4", "4"), ("2d6", "4,4"), ("6d6", "4,4,4,4,4,4"), ("7d6", "4,4,4,4,4,4")]
)
def test_an_example_shows_faces_that_the_dice_have_at_most_six(text: str, faces: str) -> None:
    assert parse(text).example == faces


def test_of_equal_dice_the_later_ones_are_dropped() -> None:
    assert dropped(parse("3d6kh1"), [4, 4, 2]) == [1, 2]
    assert dropped(parse("3d6kl1"), [2, 4, 2]) == [1, 2]
    assert dropped(parse("3d6"), [2, 4, 2]) == []


def test_marks_may_stand_at_either_of_equal_dice_and_nowhere_else() -> None:
    dice = parse("3d6dl1")
    assert not has_wrong_marks(dice, [2, 2, 5], [0])
    assert not has_wrong_marks(dice, [2, 2, 5], [1])
    assert has_wrong_marks(dice, [2, 2, 5], [2])
    assert has_wrong_marks(dice, [2, 2, 5], [])


def test_each_die_is_thrown_once_and_those_that_do_not_count_are_marked() -> None:
    faces = iter([3, 5, 1])
    assert throw(parse("3d6dl1"), lambda sides: next(faces) if sides == 6 else 0) == "3d6dl1:3,5,1x"
