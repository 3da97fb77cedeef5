"""Initiative as people tell it: of each, of kinds and of sides, with words between the names and the numbers."""

import msgspec
import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import table

PEOPLE = ("join ana party hp=30", "join bo party hp=30", "join ogre*2 foes hp=30", "join ogre-chief*2 foes hp=40")


def lineup(key: str = "plain") -> Table:
    """Return a table at which initiative is still to be rolled."""
    return heard(table(key), *PEOPLE)


def dice(line: str) -> dict[str, int]:
    """Return the dice of sides that a line tells, in a round whose initiative is still to be rolled."""
    at = heard(table("osric"), *PEOPLE[:3], "r")
    return {each["side"]: each["die"] for each in said(at, line) if each["type"] == "initiative_rolled"}


@pytest.mark.parametrize(
    ("line", "totals"),
    [
        ("ogres all on 10", {"ogre-1": 10, "ogre-2": 10}),
        ("Both ogre chiefs act on 15 and all of the ogres go on 8.", {"ogre-chief-1": 15, "ogre-chief-2": 15, "ogre-1": 8, "ogre-2": 8}),
        ("ana on 17, bo on 12", {"ana": 17, "bo": 12}),
        ("ana is on 17, bo is on 12", {"ana": 17, "bo": 12}),
        ("ana rolled a 17, bo got um 12", {"ana": 17, "bo": 12}),
        ("initiative ana got seventeen bo twelve", {"ana": 17, "bo": 12}),
        ("ana goes first on 17, then bo on 12", {"ana": 17, "bo": 12}),
        ("ana will act on initiative 17", {"ana": 17}),
        ("ana and bo both on 17", {"ana": 17, "bo": 17}),
        ("inits: ana 17, bo and the ogres 12", {"ana": 17, "bo": 12, "ogre-1": 12, "ogre-2": 12}),
        ("everyone rolls: ana 17, bo 12", {"ana": 17, "bo": 12}),
        ("the ogres share an initiative of 8", {"ogre-1": 8, "ogre-2": 8}),
        ("ana 17/bo 12", {"ana": 17, "bo": 12}),
    ],
)  # fmt: skip
def test_each_has_the_initiative_that_is_told_beside_the_name(line: str, totals: dict[str, int]) -> None:
    assert {each["combatant"]: each["total"] for each in said(lineup(), line)} == totals


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("us 3 them 4", {"party": 3, "foes": 4}),
        ("we got 3, they got 5", {"party": 3, "foes": 5}),
        ("our init 3, theirs 5", {"party": 3, "foes": 5}),
        ("we lose initiative 2 to 5", {"party": 2, "foes": 5}),
        ("they win init 6-1", {"foes": 6, "party": 1}),
        ("both sides roll 4", {"party": 4, "foes": 4}),
        ("ogres got a 3 on the d6", {"foes": 3}),
        ("Rnd 2 init us 2 them 6", {"party": 2, "foes": 6}),
    ],
)
def test_each_side_has_the_die_that_is_told(line: str, told: dict[str, int]) -> None:
    assert dice(line) == told


def test_a_round_begins_by_a_line_that_tells_its_number_before_the_initiative() -> None:
    facts = said(heard(table("osric"), *PEOPLE[:3], "r"), "round 2 initiative party 3 foes 6")
    assert [each["type"] for each in facts] == ["round_ended", "round_started", *["initiative_rolled"] * 2]


@pytest.mark.parametrize(
    "line",
    ["ana has 17, bo 12", "everyone is at 10", "ana gets 5", "ana rolled 15", "init 3 to 5", "ana on turn 3"],
)  # fmt: skip
def test_what_may_be_points_or_a_check_is_no_certain_initiative(line: str) -> None:
    for at in (lineup(), heard(table("osric"), *PEOPLE[:3], "r")):
        with pytest.raises(NotUnderstood):
            at.tell(line)


def test_whoever_is_at_a_number_is_at_their_points_where_sides_roll_and_else_asked_about() -> None:
    at = heard(table("osric"), *PEOPLE[:3], "r")
    assert [each["type"] for each in said(at, "ana is at 1")] == ["damage_dealt"]
    with pytest.raises(NotUnderstood):
        lineup().tell("ana is at 10")


@pytest.mark.parametrize("line", ["ana on 3 hp", "ana rolled a 15 on stealth", "ana and bo got 5 gold each", "bo on gob 15", "ana has 3 arrows"])  # fmt: skip
def test_what_tells_of_something_else_is_no_initiative(line: str) -> None:
    try:
        facts = lineup().tell(line).facts
    except NotUnderstood as refusal:
        facts = tuple(fact for each in refusal.meant for fact in each.facts)
    assert "InitiativeRolled" not in {type(fact).__name__ for fact in facts}


@pytest.mark.parametrize("party", ["party", "pcs", "heroes"])
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("surprise: us 4, them 2", "surprise_rolled"),
        ("surprise party 4 orcs 2", "surprise_rolled"),
        ("surprise roll: party 4, orcs 2", "surprise_rolled"),
        ("we roll 4 for surprise, they roll 2", "surprise_rolled"),
        ("surprise: party 4, orcs 2, so the orcs are surprised for 2 segments", "surprise_rolled"),
        ("init 4-2 us", "initiative_rolled"),
        ("we win init 4-2", "initiative_rolled"),
        ("init 4 us 2 them", "initiative_rolled"),
        ("init party 4, orcs 2", "initiative_rolled"),
    ],
)
def test_dice_of_sides_are_ours_and_theirs_whatever_the_sides_are_called(party: str, line: str, kind: str) -> None:
    at = table("osric", f"join Ana {party} hp=20", "join orc*3 foes hp=5", *(["r"] if kind[0] == "i" else []))
    facts = [msgspec.to_builtins(fact) for fact in at.tell(line).facts]
    assert [(fact["type"], fact["side"], fact["die"]) for fact in facts] == [(kind, party, 4), (kind, "foes", 2)]
