"""Those who are meant by how their saves went, contests that are won in words, and what adds nothing beside a deed."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import PEOPLE
from tests.projections.test_grammar import table, told

SAVES = "dex saves DC 13: ana 15, bo 8, gob 11"


def fight(*lines: str) -> Table:
    return heard(table("5e", *PEOPLE), "r", "t ana", *lines)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("those who failed take 14 fire damage", "bo and gob take 14 fire damage"),
        ("whoever failed takes 14 fire damage", "bo and gob take 14 fire damage"),
        ("anyone who made it takes 7", "ana takes 7"),
        ("those who failed their save are prone", "bo and gob are prone"),
        ("the ones who failed take 8, those who saved 4", "bo and gob take 8, ana takes 4"),
    ],
)
def test_those_who_failed_are_those_whose_last_saves_did(line: str, plain: str) -> None:
    assert told(fight(SAVES), line) == told(fight(SAVES), plain)


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ((), "those who failed take 5"),
        ((SAVES, "ana takes 7"), "those who failed take 14"),  # something else was told since
        (("ana saves dex 15",), "those who failed take 14"),  # without an outcome
        ((SAVES,), "everyone who was hit takes 3"),
        ((SAVES,), "all who stood there take 5"),
    ],
)
def test_some_of_whom_nothing_says_who_they_are_are_asked_about(before: tuple[str, ...], line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight(*before).tell(line)


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        ("gob tries to grapple Ana, 14 vs 11, and succeeds", "gob"),
        ("gob grapples ana, 9 vs 11, fails", "ana"),
    ],
)
def test_a_contest_may_be_won_in_words(line: str, winner: str) -> None:
    assert f'"winner":"{winner}"' in " ".join(told(fight(), line))


def test_words_against_the_numbers_of_a_contest_are_asked_about() -> None:
    with pytest.raises(NotUnderstood):
        fight().tell("gob grapples ana, 9 vs 11, succeeds")


def test_who_is_shoved_prone_is_prone_where_the_shove_succeeds() -> None:
    assert '"condition":"prone","targets":["gob"]' in " ".join(told(fight(), "ana shoves gob prone, 17 to 12"))
    with pytest.raises(NotUnderstood):
        fight().tell("ana shoves gob prone, 7 to 12")


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        (
            "ana takes an opportunity attack on gob as it leaves: 16, 9 damage",
            "ana opportunity attack gob 16, 9 damage",
        ),
        ("ana stays where she is and shoots gob, 21, 8 piercing", "ana shoots gob, 21, 8 piercing"),
        ("ana stays put and shoots gob, 21, 8 piercing", "ana shoots gob, 21, 8 piercing"),
    ],
)
def test_where_somebody_stays_or_why_a_blow_is_struck_adds_nothing(line: str, plain: str) -> None:
    assert told(fight(), line) == told(fight(), plain)


@pytest.mark.parametrize(
    ("before", "line", "plain"),
    [
        ("ana casts bless on bo", "ana con save 6 failed bless gone", "ana con save 6 fails, bless ends"),
        ("ana casts spirit guardians", "ana fails her con save, and the guardians end", "ana fails her con save, spirit guardians ends"),
        ("r", "ana looses an arrow from her longbow at gob, 15, for 9", "ana hits gob with longbow, 15, for 9"),
        ("r", "gob gets ana w a spear 19 for 4", "gob hits ana with a spear 19 for 4"),
        ("r", "bo casts false life on himself and gains 7 temporary hit points", "bo casts false life on bo, bo gains 7 temporary hit points"),
        ("gob is prone", "the last gob stands up", "gob stands up"),
    ],
)  # fmt: skip
def test_short_ways_of_people_mean_what_a_full_sentence_does(before: str, line: str, plain: str) -> None:
    assert told(fight(before), line) == told(fight(before), plain)


def test_a_declared_spell_that_is_off_may_go_off() -> None:
    at = heard(table("osric", *PEOPLE), "r", "d ana cast sleep 1 gob", "i party 4 foes 2", "seg 4")
    with pytest.raises(NotUnderstood):
        at.tell("Sleep off")


def test_points_for_each_behind_several_saves_are_of_all_who_rolled() -> None:
    line = "ana casts fireball on gob and orc, gob fails, orc fails, 20 fire each"
    hurt = [each for each in told(fight("join orc foes hp=15"), line) if "damage_dealt" in each]
    assert [f'"target":"{who}"' in each for who, each in zip(("gob", "orc"), hurt, strict=True)] == [True, True]
