"""Numbers, and words for others, that mean those of the kind of which the last line told."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table, told

RULES = ("5e", "osric", "plain")
PEOPLE = ("join bo party hp=30", "join ana party hp=30", "join hobgoblin*4 foes hp=11", "join goblin*3 foes hp=7", "r")


def fight(rules: str, *lines: str) -> Table:
    return heard(table(rules, *PEOPLE), *lines)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("1 and 3 are prone", "goblins 1 and 3 are prone"),
        ("2 misses bo", "goblin 2 misses bo"),
        ("#2 misses bo", "goblin 2 misses bo"),
        ("number 3 misses bo", "goblin 3 misses bo"),
        ("bo hits #2 for 4", "bo hits goblin 2 for 4"),
        ("the other two miss bo", "goblins 2 and 3 miss bo"),
        ("both others miss bo", "goblins 2 and 3 miss bo"),
        ("the other two goblins miss bo", "goblins 2 and 3 miss bo"),
    ],
)
def test_numbers_and_others_are_of_the_kind_of_which_the_last_line_told(rules: str, line: str, plain: str) -> None:
    before = "goblin 1 hits bo for 5"
    assert told(fight(rules, before), line) == told(fight(rules, before), plain)


@pytest.mark.parametrize("line", ["1 dies", "the others miss bo", "1 misses bo"])
def test_one_of_a_kind_and_others_of_several_kinds_are_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood) as asked:
        fight("5e", "goblin 1 hits bo for 5").tell(line)
    assert asked.value.meant


@pytest.mark.parametrize("line", ["2 misses", "2 down", "the other three miss bo"])
def test_counts_and_numbers_of_nobody_mean_nobody(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight("5e", "goblin 1 hits bo for 5").tell(line)


@pytest.mark.parametrize("line", ["#2 misses bo", "2 misses bo", "1 and 3 are prone"])
def test_numbers_behind_a_line_about_no_kind_or_two_kinds_mean_nobody(line: str) -> None:
    for before in ("ana moves 20 feet", "goblin 1 hits hobgoblin 2 for 5"):
        with pytest.raises(NotUnderstood):
            fight("5e", before).tell(line)


def test_a_death_tells_of_a_kind() -> None:
    at = fight("5e", "goblin 1 dies")
    assert told(at, "2 and 3 are prone") == told(fight("5e", "goblin 1 dies"), "goblins 2 and 3 are prone")
