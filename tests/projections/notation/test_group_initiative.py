"""Initiative of several by one roll: a kind of monster, a side, beside those who roll for themselves."""

import pytest

from tests.projections.grammar import table, told

TURNS = ("plain", "nameless-journey", "semiautomagic")
"""The games in which one roll is recorded for each of several; for the others it is one fact."""


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


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("line", ["i orcs:d20:9+2", "i orcs=11", "i orc-1,orc-2,orc-3=11"])
def test_one_die_or_total_is_typed_for_a_kind(key: str, line: str) -> None:
    at = table(key, "join Ana heroes hp=9", "join orc*3 foes hp=5", "join Urk foes hp=5", "r")
    facts = told(at, line)
    assert [f'"combatant":"orc-{number}"' in fact for number, fact in enumerate(facts, 1)] == [True, True, True]
    rows = [fact.partition(',"')[2].replace("orc-2", "orc-1").replace("orc-3", "orc-1") for fact in facts]
    assert len(set(rows)) == 1


def test_a_die_for_a_kind_is_rolled_once() -> None:
    at, rolls = table("plain", "join Ana heroes hp=9", "join orc*3 foes hp=5", "r"), iter(("d20:3", "d20:4", "d20:5"))
    at.roll = lambda _: next(rolls)
    assert sum('"faces":[3]' in fact for fact in told(at, "i orcs:d20+2")) == 3
    assert next(rolls) == "d20:4"


def test_commas_divide_the_dice_of_sides() -> None:
    at = table("osric", "join Ana party hp=9", "join orc*2 foes hp=5", "r")
    assert told(at, "i p2, f6") == told(at, "i p2 f6")


@pytest.mark.parametrize(("line", "says"), [("i orcs:9+2", '"bonus":2'), ("i orcs=11", '"total":11')])
def test_where_the_tied_roll_off_one_roll_for_a_kind_is_no_tie(line: str, says: str) -> None:
    at = table("definition-master", "join Ana heroes hp=9", "join orc*3 foes hp=5", "join Urk foes hp=5", "r")
    (fact,) = told(at, line)
    assert says in fact
    assert '"combatant":"orc-1","together":["orc-2","orc-3"]' in fact


def test_where_the_tied_roll_off_a_kind_and_somebody_stand_in_one_line() -> None:
    facts = told(table("definition-master", "join Ana heroes hp=9", "join orc*2 foes hp=5", "r"), "i ana=14 orcs=9")
    assert [fact.partition('"total":')[2] for fact in facts] == ["14}", "9}"]
