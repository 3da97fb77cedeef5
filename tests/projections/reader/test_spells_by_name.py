"""Spells that are cast by their names: by whom, at whom, and who fails the save."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import table


def goblins(*lines: str) -> Table:
    """Return a table at which it is the turn of Ana, with bare sheets, against three goblins."""
    return heard(table("5e"), "join ana party", "join bo party", "join goblin*3 foes", "t ana", *lines)


def cast(at: Table, line: str) -> tuple[object, ...]:
    """Return who casts what at whom by a line."""
    act = said(at, line)[0]
    assert (act["type"], act["action"]["kind"]) == ("action_taken", "cast")
    return act["combatant"], act["action"]["name"], act["action"].get("targets", [])


THREE = ["goblin-1", "goblin-2", "goblin-3"]


@pytest.mark.parametrize(
    "line",
    [
        "ana casts fireball on g1-g3: 28",
        "casts fireball on g1-3 for 28",
        "fireball on g1..g3: 28",
        "fireball on goblins: 28 fire",
        "fireball at goblin-1-goblin-3: 28 damage",
    ],
)
def test_a_spell_is_cast_by_the_one_on_turn_at_all_of_a_range(line: str) -> None:
    assert cast(goblins(), line) == ("ana", "fireball", THREE)


def test_a_spell_of_nobody_that_was_cast_in_this_turn_is_not_cast_again() -> None:
    facts = said(goblins("ana casts fireball"), "fireball on goblins: 28")
    assert [(each["type"], each["target"]) for each in facts] == [("damage_dealt", who) for who in THREE]


@pytest.mark.parametrize("line", ["g3-g1 are prone", "g1-b3 are prone", "g1-g9 are prone"])
def test_what_is_no_range_of_those_who_are_here_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        goblins().tell(line)


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("ana casts web on goblins, g1 and g2 fail", {"goblin-1": False, "goblin-2": False}),
        ("ana casts web on goblins, g1 fails and g2 saves", {"goblin-1": False, "goblin-2": True}),
        ("ana casts hold person on g1, g1 fails", {"goblin-1": False}),
        ("fireball on g1-g3: 28, g1 saves", {"goblin-1": True}),
    ],
)
def test_who_fails_behind_a_spell_fails_the_save_that_it_allows(line: str, made: dict[str, bool]) -> None:
    at = goblins()
    assert cast(at, line)[0] == "ana"
    saves = [each for each in said(at, line) if each["type"] == "save_rolled"]
    assert {each["combatant"]: each["succeeded"] for each in saves} == made


@pytest.mark.parametrize("line", ["casts aside his shield", "casts bless", "casts gloom on g1"])
def test_a_caster_is_supplied_for_a_known_spell_alone(line: str) -> None:
    at = goblins()
    if line == "casts bless":
        assert cast(at, line) == ("ana", "bless", [])
    else:
        with pytest.raises(NotUnderstood):
            at.tell(line)
