"""Blows by what becomes of the weapon and where it lands, dice with their face behind them, feelings beside deeds, and morale."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import PEOPLE
from tests.projections.test_grammar import table, told


def fight(key: str = "plain") -> Table:
    begins = ("i party 4 foes 2",) if key == "osric" else ("t ana",)
    return heard(table(key, *PEOPLE, "join ogre foes hp=59"), "r", *begins)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana brings her mace down on gob, 15, 5 damage", "ana hits gob with mace, 15, 5 damage"),
        ("ana puts an arrow in the ogre, 19 for 12", "ana hits ogre with arrow, 19 for 12"),
        ("bo drives the broadsword clean through the ogre for 9", "bo hits ogre with broadsword for 9"),
        ("ana sinks her dagger into gob's belly for 4", "ana hits gob with dagger for 4"),
        ("ana buries her axe in the ogre's left shoulder, 17, for 9", "ana hits ogre with axe, 17, for 9"),
        ("bo slashes at the ogre's legs, 17 hits, 8 damage", "bo slashes at the ogre, 17 hits, 8 damage"),
        ("bo cuts gob's throat for 9", "bo cuts gob for 9"),
        ("gob stabs ana in her left leg for 4", "gob stabs ana for 4"),
        ("gob's spear whistles past Bo's ear, a lousy 4", "gob misses Bo with spear, 4"),
        ("bo misses gob by a hair, 9", "bo misses gob, 9"),
    ],
)
def test_a_blow_is_told_by_its_weapon_and_by_what_it_meets(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize("line", ["ana puts her sword away", "ana brings gob's sword to bo", "bo sends gob flying"])
def test_what_becomes_of_a_weapon_is_no_blow_where_it_meets_nobody(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight().tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana hits gob with sword, d20 16, 6 damage", "ana hits gob with sword, rolled 16, 6 damage"),
        ("gob attacks ana, d20 shows 5, misses", "gob attacks ana, rolled 5, misses"),
        ("ana hits gob, d20 of 17, for 4", "ana hits gob, rolled 17, for 4"),
    ],
)
def test_a_number_behind_a_d20_is_its_face(line: str, plain: str) -> None:
    found, expected = (" ".join(told(fight(), each)) for each in (line, plain))
    assert found == expected


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("the ogre howls and hits ana for 8", "the ogre hits ana for 8"),
        ("the ogre roars, then hits ana for 8", "the ogre hits ana for 8"),
        ("ana hits gob for 4 and laughs", "ana hits gob for 4"),
        ("ana grins and dodges", "ana dodges"),
    ],
)
def test_what_somebody_feels_adds_nothing_to_what_they_do(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize("line", ["gob snarls", "the ogre grins, ana hits it for 4", "ana hits gob for 4, gob squeals"])
def test_what_somebody_feels_who_does_nothing_else_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight().tell(line)


@pytest.mark.parametrize(
    ("line", "succeeded"),
    [
        ("gob fails morale", "false"),
        ("gob's morale breaks", "false"),
        ("gob makes morale", "true"),
        ("morale roll for gob, 2d6: 6 and 5, they hold", "true"),
    ],
)
def test_of_morale_the_outcome_may_be_all_that_is_said(line: str, succeeded: str) -> None:
    (fact,) = told(fight("osric"), line)
    assert '"combatant":"gob"' in fact
    assert f'"succeeded":{succeeded}' in fact


def test_who_fails_morale_and_flees_leaves() -> None:
    checked, *left = told(fight("osric"), "the foes fail morale and flee")
    assert '"side":"foes"' in checked
    assert sum('"kind":"flee"' in each for each in left) > 1


def test_points_on_somebody_from_somebody_are_damage_where_no_attack_is_rolled() -> None:
    assert told(fight(), "7 on the ogre from Ana") == told(fight(), "ana hits the ogre for 7")
    assert told(fight(), "0 from Ana, missed gob") == told(fight(), "ana misses gob")
    with pytest.raises(NotUnderstood):
        fight("5e").tell("7 on the ogre from Ana")


@pytest.mark.parametrize(
    ("before", "line", "plain"),
    [
        ("bo is unconscious", "ana wakes bo up", "bo is not unconscious"),
        ("bo -3", "ana picks bo up with healing word for 5", "ana casts healing word on bo for 5"),
        ("bo -3", "ana brings bo back up, 6 hp", "ana heals bo for 6"),
        ("bo -3", "ana lays on hands for 5, healing bo", "ana heals bo for 5"),
        ("r", "ana runs gob through for 8", "ana hits gob for 8"),
    ],
)
def test_a_verb_of_two_words_may_enclose_whom_it_befalls(before: str, line: str, plain: str) -> None:
    assert told(heard(fight("5e"), before), line) == told(heard(fight("5e"), before), plain)


def test_where_all_of_several_hit_the_points_behind_are_in_their_order() -> None:
    line = "gob and the ogre go on ana, both hit, 4 and 3 damage"
    assert told(fight(), line) == told(fight(), "gob and the ogre hit ana for 4 and 3")


def test_who_is_struck_as_somebody_comes_nearer_is_whoever_came() -> None:
    moved, *blow = told(fight(), "gob moves 20 feet and bo hits for 5")
    assert '"combatant":"gob"' in moved
    assert blow == told(fight(), "bo hits gob for 5")


@pytest.mark.parametrize(
    "line",
    [
        "the ogre is down to half",
        "bo is healed",
        "ana looses two arrows at gob, 14 and 9, first hits for 5",
    ],
)
def test_what_may_be_no_deed_or_another_one_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight().tell(line)


@pytest.mark.parametrize(
    "line", ["ana puts the sword in bo's hand", "gob hits ana's horse for 5", "those who failed are burning"]
)
def test_what_is_somebodys_is_no_part_of_them_and_some_are_no_question(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight().tell(line)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana charges gob and swings her warhammer, 19, 9 damage", "ana hits gob with her warhammer, 19, 9 damage"),
        ("ana shoots an arrow at gob with her longbow, 15 for 4", "ana hits gob with longbow, 15 for 4"),
        ("ana stabs gob twice for 3 and 4", "ana hits gob twice for 3 and 4"),
    ],
)
def test_one_blow_is_told_once_with_its_weapon(line: str, plain: str) -> None:
    assert told(fight("5e"), line) == told(fight("5e"), plain)


@pytest.mark.parametrize(
    "line", ["ana attacks gob with her axe, then hits with her dagger for 3", "ana on gob, bo casts bless"]
)
def test_a_second_weapon_and_a_second_deed_are_not_lost(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight("5e").tell(line)


def test_a_list_of_who_is_on_whom_declares_attacks_where_sides_declare() -> None:
    at = heard(table("osric", *PEOPLE), "r")
    assert told(at, "ana on gob, bo waits") == told(heard(table("osric", *PEOPLE), "r"), "ana attacks gob, bo waits")


@pytest.mark.parametrize("line", ["let's go", "go!", "Let's go!"])
def test_once_there_is_an_order_a_call_begins_the_first_round(line: str) -> None:
    assert told(heard(table("plain", *PEOPLE), "i ana=15 bo=12 gob=9"), line) == ['{"type":"round_started","round":1}']
    with pytest.raises(NotUnderstood):
        table("plain", *PEOPLE).tell(line)
