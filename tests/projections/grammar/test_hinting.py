"""Hints: what was meant by a line that cannot be told, as far as its words show it."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import fight, refusal, table


@pytest.fixture
def ford() -> Table:
    return heard(fight(), "r")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("b -6; g frobs 3 wide", 'an action is quoted by its name: g "frobs"; a state stands after is: g is prone'),
        ("‘b;’ 3", "there are mira, brand, ogre, goblin"),
        ("b o 14 6 x", "write `reading 1: b o 14 6 x`"),
        ("atack b", "there are mira, brand, ogre, goblin"),
        ("  strik 3", "write `strike 3`"),
        ("b atack", "write `b attack`"),
        ("‘strike’ 3", "there are mira, brand, ogre, goblin"),
        ("zzz", "there are mira, brand, ogre, goblin"),
        ("damage b 6 luck", "such as: damage b 6 object=shield"),
        ("strike x", "such as: strike 12 wrong target"),
        ("place", "such as: place b 3,4 by o"),
        ("rule waive x", "the words are fact, grant, override, reveal, tie, waiver"),
        ("rule tie", "such as: rule tie b,o Brand is quicker."),
        ("b hp=10", "write `sheet b hp=10`"),
        ("b hp=10 3", "such as: brand orc-1 14 6"),
        ("b luck=10", "such as: brand attack, or brand cast sleep"),
        ("b 5ft", "write `b goes 5ft`"),
        ("b xox 12", 'an action is quoted by its name: b "xox"; a state stands after is: b is prone'),
        ("Show b", "encounter show FILE in a shell; here ?order and ?b ask for the same"),
        ("b -6 cause=", "the value stands right after cause="),
        ("join zed hp=", "such as hp=9"),
        ("join zed foes hp=5 monster=true", "write `join zed foes hp=5 notes=monster`"),
        ("join zed foes monster=yes hp=5", "write `join zed foes notes=monster hp=5`"),
        ("b 🎉", 'a remark stands on a line of its own, after a quotation mark: " The bridge creaks.'),
    ],
)
def test_a_line_that_cannot_be_told_gets_the_hint_that_fits_it(ford: Table, line: str, hint: str) -> None:
    assert refusal(ford, line)[1].endswith(f"; {hint}")


@pytest.mark.parametrize(
    ("line", "column", "why"),
    [
        ("i b14 o=12", 7, "dice and totals for initiative do not stand in one line"),
        ("i g=12 o14", 8, "dice and totals for initiative do not stand in one line"),
        ("b14 o=12", 5, "dice and totals for initiative do not stand in one line"),
        ("i b-5", 4, "-5 has a sign, and none belongs here"),
        ("i f-5", 4, "-5 has a sign, and none belongs here"),
        ("i b12345678901234567", 4, "12345678901234567 is too large a number"),
        ("i zzz-5", 3, "there is no side zzz-"),
    ],
)
def test_what_is_wrong_with_an_initiative_is_said_of_what_is_wrong(line: str, column: int, why: str) -> None:
    at = heard(fight("plain"), "r")
    found, says = refusal(at, line)
    assert (found, says.partition("; ")[0]) == (column, why)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("jion x foes", "there are mira, brand, ogre, goblin"),
        ("brnd attacks", "write `brand attacks`"),
        ("L.D9", "there are mira, brand, ogre, goblin"),
        ("zzz", "there are mira, brand, ogre, goblin"),
    ],
)
def test_the_first_word_of_a_line_may_be_a_name_a_word_of_the_grammar_or_a_slot_of_the_round(
    line: str, hint: str
) -> None:
    assert refusal(heard(fight("vile-darkness"), "r"), line)[1].endswith(f"; {hint}")


def test_a_word_that_begins_no_line_is_called_that_and_a_deed_alone_asks_who_does_it() -> None:
    at = heard(fight("osric"), "r")
    there = "there are mira, brand, ogre, goblin"
    assert refusal(at, "zzz") == (1, f"zzz is no word that begins a line, and nobody's name; {there}")
    assert refusal(at, "zounds") == (1, f"there is no combatant zounds; {there}")
    for line in ("charge ogre", "cast sleep on ogre"):
        word = line.partition(" ")[0]
        assert refusal(at, line) == (1, f"this does not say who does it; who does it stands first: mira {word}")
    assert refusal(at, "ogres -3")[1].startswith("there is no combatant ogres")


def test_whose_name_begins_with_a_word_of_the_grammar_is_told_how_to_be_named() -> None:
    at = table("osric", "join round foes hp=3", "join goblin*2 foes hp=3", "join bo party hp=3")
    assert refusal(at, "round bo")[1].endswith(
        "; round is a word of the grammar; for round write more of the name, or :round"
    )
    assert refusal(at, "r d20:33")[1] == "33 is no face of d20; such as d20:4"
    assert refusal(at, "g -1")[1] == "g can be goblin-1 or goblin-2; write more of the name"
    assert refusal(at, "g hp=1")[1] == "g can be goblin-1 or goblin-2; write more of the name"


def test_where_no_attack_is_rolled_a_number_of_one_or_two_digits_is_taken_for_a_die() -> None:
    at = heard(fight("nameless-journey"), "b14 o9 m3 g2")
    assert refusal(at, "b o 14 5")[1].endswith("such as b attack, with -5 for the damage")
    assert refusal(at, "b o 123")[1] == "expected an amount, such as -6; "


@pytest.mark.parametrize("line", ["amend b -3", "insert b -3", "amend", "insert b"])
def test_a_correction_without_a_number_is_told_where_numbers_are(ford: Table, line: str) -> None:
    assert "; a record is named by its number, as in " in refusal(ford, line)[1]


def test_a_name_with_a_blank_before_its_number_hides_no_other_mistake() -> None:
    at = table("plain", *(f"join {who} foes hp=9" for who in ("ana", "wolf-1", "wolf-2")))
    for line, column in (("wolf 2 frobs", 8), ("ana frobs at wolf 2", 5)):
        where, words = refusal(at, line)
        assert (where, words.partition(";")[0]) == (column, "frobs is no word for what a combatant does here")


def test_a_line_that_a_name_written_whole_makes_right_is_read_so() -> None:
    at = table("plain", *(f"join {who} foes hp=9" for who in ("ana", "wolf-1", "wolf-2")))
    assert at.tell("place wolf 2 3,4").facts == at.tell("place wolf-2 3,4").facts


@pytest.mark.parametrize("line", [",", " ,, ", "."])
def test_a_line_of_nothing_but_marks_is_refused(ford: Table, line: str) -> None:
    assert refusal(ford, line)[1]


@pytest.mark.parametrize(
    ("line", "column", "why"),
    [
        ("m takes", 1, "this does not say how much damage"),
        ("m casts on b", 1, "this does not say which spell"),
        ("b runs to the ogre and swngs", 24, '"swngs" is not understood'),
        ("m atacks o for 5", 3, '"atacks" is not understood'),
        ("m takes 5 from the bewilderment, g frobs", 36, "frobs is no word for what a combatant does here"),
    ],
)
def test_the_words_that_are_named_are_those_that_were_not_understood_and_a_frame_says_what_it_lacks(
    line: str, column: int, why: str
) -> None:
    where, says = refusal(fight("plain"), line)
    assert (where, says.partition("; ")[0]) == (column, why)


def test_a_respelt_line_is_offered_only_where_it_would_be_recorded(ford: Table) -> None:
    for line in ("b driks a potion", "m hitts o for 5", "strik 3", "b atack o"):
        with pytest.raises(NotUnderstood) as caught:
            ford.tell(line)
        assert caught.value.offers
        for each in caught.value.offers:
            assert ford.tell(each).facts
