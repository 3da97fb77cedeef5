"""Several sentences in one line are told one after the other, as if each stood on a line of its own."""

from collections.abc import Sequence

import pytest

from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from tests.projections.grammar import fight
from tests.projections.notation.line_context import heard

KINDS = ("plain", "definition-master", "5e")


def in_turn(key: str) -> Table:
    return heard(fight(key), "b=14", "o=9", "m=5", "g=3", "r", "t b")


def standing(at: Table, first: int) -> Sequence[object]:
    return [one.event for one in at.records][first:]


@pytest.mark.slow
@pytest.mark.parametrize("key", KINDS)
@pytest.mark.parametrize(("line", "lines"), [
    ("o attacks b 12 misses, m hits o with 17 for 4", ("o attacks b 12 misses", "m hits o with 17 for 4")),
    ("o turn: o hits b 18 for 5", ("t o", "o hits b 18 for 5")),
    ("b hits o for 6 and the goblin dies", ("b hits o for 6", "goblin dies")),
])  # fmt: skip
def test_sentences_of_one_line_say_what_they_say_on_lines_of_their_own(
    key: str, line: str, lines: tuple[str, ...]
) -> None:
    together, apart = in_turn(key), in_turn(key)
    first = len(together.records)
    together.hear(line)
    heard(apart, *lines)
    assert standing(together, first) == standing(apart, first)


def test_a_line_with_one_sentence_that_is_not_understood_records_nothing() -> None:
    at = in_turn("plain")
    with pytest.raises(NotUnderstood):
        at.tell("o attacks b 12 misses, m frobs the widget with 17")


@pytest.mark.parametrize("line", [
    "b hits o for 5, 7", "b attacks o: 3 misses 4", "b attacks the ogre 14 6 misses", "b: o is at 9 hp now", "b misses her", "b -6; urk -3",
    "b attacks o and m: 15 hits 6",
])  # fmt: skip
def test_numbers_and_words_that_are_left_over_are_no_blow(line: str) -> None:
    with pytest.raises(NotUnderstood):
        in_turn("plain").tell(line)
