"""Names that are cut to a few of their letters: whom they mean, and where that is asked."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table, told

RULES = ("5e", "osric", "plain")
PEOPLE = (
    "join bo party hp=30",
    "join ana party hp=30",
    "join hobgoblin*4 foes hp=11",
    "join goblin*3 foes hp=7",
    "join zombie foes hp=22",
    "Grimtooth the Ogre joins the foes, 40 hp",
    "Hobgoblin Devastator joins the foes, 40 hp",
)


def fight(rules: str, *lines: str) -> Table:
    return heard(table(rules, *PEOPLE, *lines), "r")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("HG1 hits bo for 5", "hobgoblin 1 hits bo for 5"),
        ("hg 2 misses bo", "hobgoblin 2 misses bo"),
        ("bo hits HG3 for 5", "bo hits hobgoblin 3 for 5"),
        ("bo misses gbl1", "bo misses goblin 1"),
        ("HGs are prone", "hobgoblins are prone"),
        ("HG1-3 are prone", "hobgoblins 1-3 are prone"),
        ("HG 1, 2 and 4 take 8", "hobgoblins 1, 2 and 4 take 8"),
        ("the second HG misses bo", "hobgoblin 2 misses bo"),
        ("HG2 & gb3 dead", "hobgoblin 2 and goblin 3 dead"),
    ],
)
def test_letters_of_a_kind_in_their_order_with_a_number_mean_one_of_it(rules: str, line: str, plain: str) -> None:
    assert told(fight(rules), line) == told(fight(rules), plain)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("GT hits bo for 5", "Grimtooth hits bo for 5"),
        ("bo hits grm for 5", "bo hits Grimtooth for 5"),
        ("zmb misses ana", "zombie misses ana"),
        ("HD hits bo for 7", "devastator hits bo for 7"),
        ("bo hits HD for 7", "bo hits the devastator for 7"),
    ],
)
def test_letters_of_a_name_where_only_a_name_stands_mean_its_bearer(rules: str, line: str, plain: str) -> None:
    assert told(fight(rules), line) == told(fight(rules), plain)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("line", "whom"),
    [
        ("HG1 hits bo for 5", {"hobgoblin-1", "hill-giant-1"}),
        ("HG hits bo for 5", {"hill-giant-1", "hill-giant-2"}),
    ],
)
def test_letters_that_fit_two_names_are_asked_about(rules: str, line: str, whom: set[str]) -> None:
    with pytest.raises(NotUnderstood) as asked:
        fight(rules, "2 hill giants join the foes, 40 hp each").tell(line)
    assert whom <= {getattr(each.facts[0], "combatant", "") for each in asked.value.meant}


@pytest.mark.parametrize("line", ["bo hp 4", "bo ac 4", "they find 20 gp", "gt takes 5 from somewhere"])
def test_letters_that_mean_something_else_are_nobody(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight("5e", "2 acolytes join the foes, 9 hp each").tell(line)


def test_a_new_kind_may_share_an_adjective_with_one_in_the_fight() -> None:
    at = fight("5e", "2 hill giants join the foes, 40 hp each")
    heard(at, "3 giant rats join the foes, 4 hp each")
    assert "giant-rat-3" in at.context.state.combatants
