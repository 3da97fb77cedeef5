"""Matching: which part of a line fills which slot, and which of several errors a line is refused for."""

from typing import Any

import pytest

from projections.language.notation.table import Table
from tests.projections.grammar import fight, refusal, table
from tests.projections.notation.filling import action, facts
from tests.projections.notation.line_context import heard


@pytest.fixture
def ford() -> Table:
    return heard(fight(), "r")


# ---------------------------------------------------------------- options


def test_a_question_has_no_options(ford: Table) -> None:
    assert ford.tell("why a=b ^2 @3").words == "a=b ^2 @3"


@pytest.mark.parametrize("line", ["^ b o 14 6", "b ^ o 14 6", "b o ^ 14 6", "b o 14 ^ 6", "b o 14 6 ^"])
def test_an_option_may_stand_anywhere(ford: Table, line: str) -> None:
    assert facts(ford, line) == facts(ford, "b o 14 6 ^")


def test_a_quoted_token_is_no_option(ford: Table) -> None:
    assert refusal(ford, "b o 14 6 ‘^’")[0] == 10
    assert refusal(ford, "b o 14 6 ‘hit=no’")[0] == 10


# ---------------------------------------------------------------- units


def test_only_a_measure_takes_the_unit_behind_its_number(ford: Table) -> None:
    (joined,) = facts(ford, 'join "3" rounds hp=9')
    assert (joined["combatant"], joined["side"]) == ("3", "rounds")
    assert facts(ford, "b is prone for 3 rounds")[0]["duration"] == {"amount": 3, "unit": "round"}
    assert facts(ford, "b goes 30 ft")[-1]["distance"] == {"amount": 30, "unit": "ft"}


@pytest.mark.parametrize(("line", "why"), [
    ("b is prone for x rounds", "x is not an amount with its unit"),
    ('b is prone for "3" rounds', "3 is not an amount with its unit"),
    ("b is prone for 3 ‘rounds’", "3 is not an amount with its unit"),
    ("b is prone for 3", "3 is not an amount with its unit"),
])  # fmt: skip
def test_an_amount_without_its_unit_is_refused_where_it_stands(ford: Table, line: str, why: str) -> None:
    assert refusal(ford, line)[0] == 16
    assert refusal(ford, line)[1].startswith(why)


# ---------------------------------------------------------------- a name with a number


@pytest.mark.parametrize(("line", "rolled"), [
    ("i b14 ogre9", [("brand", 14, 0), ("ogre", 9, 0)]),
    ("i b14+2 ogre9-1", [("brand", 14, 2), ("ogre", 9, -1)]),
    ("i b:14 ogre9", [("brand", 14, 0), ("ogre", 9, 0)]),
    ("i orc-1:8 orc-2:d20:7", [("orc-1", 8, 0), ("orc-2", {"notation": "d20", "faces": [7]}, 0)]),
    ("i bd20:14", [("brand", {"notation": "d20", "faces": [14]}, 0)]),
])  # fmt: skip
def test_a_die_stands_right_behind_a_name(line: str, rolled: list[tuple[str, Any, int]]) -> None:
    at = table("plain", "join Brand party hp=9", "join Ogre foes hp=9", "join orc*2 foes hp=9")
    found = [(fact["combatant"], fact["die"], fact.get("bonus", 0)) for fact in facts(at, line)]
    assert found == rolled


def test_a_total_stands_behind_a_sign_of_equality(ford: Table) -> None:
    assert [fact["total"] for fact in facts(ford, "i b=14 o=-2")] == [14, -2]
    assert facts(ford, "m=7")[0]["combatant"] == "mira"


@pytest.mark.parametrize(("line", "column", "why"), [
    ("i b14 zed9", 7, "there is no combatant zed"),
    ("i b14 o9x", 8, "9x is not a die"),
    ("surprise p4 x3", 13, "there is no side x"),
    ("surprise p4 f9x", 14, "9x is not a die"),
])  # fmt: skip
def test_a_name_with_a_number_is_refused_where_it_is_wrong(ford: Table, line: str, column: int, why: str) -> None:
    found = refusal(ford, line)
    assert (found[0], found[1].split(";")[0]) == (column, why)


# ---------------------------------------------------------------- what is typed around a value


def test_a_mark_stands_right_before_and_behind_a_value(ford: Table) -> None:
    assert facts(ford, "b -6n")[0] == {"type": "damage_dealt", "target": "brand", "amount": 6, "nonlethal": True}
    assert facts(ford, "b +4t")[0]["temporary"] is True
    assert refusal(ford, "b -")[0] == 3
    assert refusal(ford, "b -xn")[0] == 4


def test_the_error_that_lies_furthest_along_the_line_is_told(ford: Table) -> None:
    assert refusal(ford, "damage b 6 x")[0] == 12
    assert action(ford, "b o 14 6")["name"] == "sword"
