"""Monsters that join by number and name alone, and those whose names are misspelt, or of which there are several."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import table


def joined(at: Table, line: str) -> dict[str, str]:
    """Return who joins by a line, each with the stat block."""
    return {each["combatant"]: each["sheet"].get("srd", "") for each in said(at, line)}


def refused(at: Table, line: str) -> NotUnderstood:
    with pytest.raises(NotUnderstood) as error:
        at.tell(line)
    return error.value


def opened(edition: str) -> Table:
    return heard(table("5e", options={"edition": edition}), "join ana party")


TWO = {"goblin-1": "2014:goblin", "goblin-2": "2014:goblin"}


@pytest.mark.parametrize(
    "line",
    [
        "2 goblins",
        "goblin*2",
        "goblins x2",
        "goblin x 2",
        "2x goblin",
        "join 2 goblins",
        "join two goblins",
        "add goblin*2",
    ],
)
def test_so_many_of_a_kind_join_however_their_number_is_written(line: str) -> None:
    assert joined(opened("2014"), line) == TWO


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("2 gray oozes", "gray-ooze"),
        ("2 giant octopuses", "giant-octopus"),
        ("2 octopus", "octopus"),
        ("2 mummies", "mummy"),
    ],
)
def test_the_tables_know_their_plurals(line: str, who: str) -> None:
    assert joined(opened("2014"), line) == {f"{who}-{n}": f"2014:{who}" for n in (1, 2)}


def test_several_kinds_join_in_a_line() -> None:
    found = joined(opened("2014"), "ogre*2, 1 goblin and a bandit captain")
    assert found == {
        "ogre-1": "2014:ogre",
        "ogre-2": "2014:ogre",
        "goblin": "2014:goblin",
        "bandit-captain": "2014:bandit-captain",
    }


@pytest.mark.parametrize("line", ["2 gobblins", "gobblin*2", "join 2 gobblins", "2 goblns"])
def test_a_misspelt_monster_is_asked_about(line: str) -> None:
    at = opened("2014")
    assert refused(at, line).offers == (f"reading 1: {line}",)
    assert joined(at, f"reading 1: {line}") == TWO


@pytest.mark.parametrize("line", ["2 goblins", "join 2 gobblins"])
def test_a_name_that_several_have_is_offered_with_each(line: str) -> None:
    at = opened("2024")
    offers = refused(at, line).offers
    kinds = [{*joined(at, offer).values()} for offer in offers]
    assert kinds == [{f"2024:goblin-{kind}"} for kind in ("boss", "minion", "warrior")]


@pytest.mark.parametrize("line", ["4 potions", "goblin*0", "goblin*9999", "*4", "6 kobolds and a dragon"])
def test_what_is_no_monster_joins_nobody(line: str) -> None:
    refused(opened("2014"), line)


def test_one_who_joins_in_the_notation_under_a_misspelt_name_is_noted() -> None:
    at = opened("2014")
    assert "if goblin is meant, u takes this back" in at.tell("join gobblin*3 foes").advice
    assert "werewolf-human or werewolf-hybrid" in at.tell("join werewolf foes").advice
    for line in ("join goblin*3 foes", "join gobblin*3 foes hp=7", "join Ogra party", "join gnarl*2 foes"):
        assert at.tell(line).advice == ""


def test_other_games_know_no_monsters() -> None:
    refused(heard(table("osric"), "join ana party hp=9"), "goblin*4")


@pytest.mark.parametrize(
    "line",
    [
        "they run into 3 wolves",
        "the party is ambushed by 3 wolves",
        "we come across 3 wolves",
        "3 wolves jump out of the bushes",
        "three wolves charge in",
    ],
)
def test_monsters_that_are_met_join_as_foes(line: str) -> None:
    meaning = decide(table("5e", "join ana party").context, line).meaning
    assert meaning is not None
    assert [(each.combatant, each.side) for each in meaning.facts] == [(f"wolf-{n}", "foes") for n in (1, 2, 3)]  # type: ignore[attr-defined]


def test_monsters_that_attack_whom_nobody_knows_may_be_newcomers() -> None:
    found = decide(table("5e", "join ana party").context, "2 orcs attack")
    assert found.meaning is None
    assert [each.combatant for each in found.offers[0].facts] == ["orc-1", "orc-2"]  # type: ignore[attr-defined]
