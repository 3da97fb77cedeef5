"""Levels: conditions with a number, which further ones raise or leave, and a limit holds."""

import msgspec
import pytest

from projections.because import Because, Derived
from projections.folds import levels
from projections.folds.levels import Graded

ROWS = {
    "frightened": Graded("frightened", "fear.higher-stays"),
    "wounded": Graded("wounded", "life.wounded", again="adds", limit=3),
}


def because(seq: int) -> Because:
    return Because(("a.clause",), (seq,))


@pytest.mark.parametrize(("detail", "level"), [("2", 2), ("level 3", 3), (None, 1), ("of the dark", 1)])
def test_the_level_is_the_first_number_of_the_detail(detail: str | None, level: int) -> None:
    assert levels.level_in_detail(detail) == level


@pytest.mark.parametrize(("now", "said", "level", "events"), [(1, 2, 2, (9,)), (3, 2, 3, (4,)), (2, 2, 2, (4,))])
def test_of_two_levels_the_higher_stays_with_its_reason(now: int, said: int, level: int, events: tuple[int]) -> None:
    found = levels.add_level(ROWS["frightened"], Derived(now, because(4)), said, because(9))
    assert (found.value, found.because.flat().events) == (level, events)


def test_a_level_that_has_fallen_is_among_the_reasons_of_a_higher_one() -> None:
    fallen = levels.clamp_level(ROWS["frightened"], 1, because(6), Derived(3, because(4)))
    found = levels.add_level(ROWS["frightened"], fallen, 2, because(9))
    assert (found.value, found.because.flat().events) == (2, (4, 6, 9))


def test_levels_that_add_up_stop_at_their_limit() -> None:
    found = levels.add_level(ROWS["wounded"], Derived(2, because(4)), 2, because(9))
    assert (found.value, found.because.flat().events) == (3, (4, 9))


def test_no_level_is_below_0() -> None:
    assert levels.clamp_level(ROWS["frightened"], -2, because(4)).value == 0


def test_a_row_with_an_unknown_word_is_refused() -> None:
    with pytest.raises(ValueError, match="limt"):
        msgspec.convert({"name": "dying", "rule": "life.dying", "limt": 4}, Graded)
