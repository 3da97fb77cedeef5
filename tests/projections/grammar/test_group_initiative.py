"""Initiative of several by one roll: a kind of monster, a side, beside those who roll for themselves."""

import pytest

from tests.projections.test_grammar import table, told

TURNS = ("plain", "definition-master", "nameless-journey", "semiautomagic")


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize(
    ("line", "says"), [("i orcs 9", '"total":9'), ("i all orcs 9", '"total":9'), ("i orcs 9+2", '"bonus":2')]
)
def test_one_roll_counts_for_each_of_a_kind(key: str, line: str, says: str) -> None:
    facts = told(table(key, "join Ana heroes hp=9", "join orc*3 foes hp=5", "join Urk foes hp=5", "r"), line)
    assert [fact for fact in facts if says in fact] == facts
    assert [f'"combatant":"orc-{number}"' in fact for number, fact in enumerate(facts, 1)] == [True, True, True]


@pytest.mark.parametrize("key", TURNS)
def test_a_kind_and_somebody_stand_in_one_line(key: str) -> None:
    facts = told(table(key, "join Ana heroes hp=9", "join orc*2 foes hp=5", "r"), "i ana 14, orcs 9")
    assert [fact.partition('"total":')[2] for fact in facts] == ["14}", "9}", "9}"]
