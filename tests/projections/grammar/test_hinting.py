"""Hints: what was meant by a line that cannot be told, as far as its words show it."""

import pytest

from projections.grammar.table import Table
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import fight, refusal, table


@pytest.fixture
def ford() -> Table:
    return heard(fight(), "r")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("b -6; g frobs 3 wide", "write a line for each"),
        ("‘b;’ 3", "there are mira, brand, ogre, goblin"),
        ("b o 14 6 x", 'words that belong together are joined by _, or quoted: on_fire, "on fire"'),
        ("atack b", ""),
        ("  strik 3", "write `strike 3`"),
        ("b atack", "write `b attack`"),
        ("‘strike’ 3", ""),
        ("zzz", "there are mira, brand, ogre, goblin"),
        ("damage b 6 luck", "such as: damage b 6 object=shield"),
        ("strike x", "such as: strike 12 wrong target"),
        ("place", "such as: place b 3,4 by o"),
        ("rule waive x", "the words are fact, grant, override, reveal, tie, waiver"),
        ("rule tie", "such as: rule tie b,o Brand is quicker."),
        ("b hp=10", "sheet b hp=10 changes the sheet; rule override rules a value"),
        ("b hp=10 3", "such as: brand orc-1 14 6"),
        ("b luck=10", "such as: brand attack, or brand cast sleep"),
        ("b 5ft", "a move is written with goes: b goes 5ft"),
        ("b xox 12", 'by its name an action is quoted: b "xox"; a state stands behind is: b is prone'),
        ("Show b", "encounter show FILE in a shell; here ?order and ?b ask for the same"),
        ("b -6 cause=", "what cause is stands right behind cause="),
        ("join zed hp=", "such as hp=9"),
        ("join zed foes hp=5 monster=true", "write `join zed foes hp=5 notes=monster`"),
        ("join zed foes monster=yes hp=5", "write `join zed foes notes=monster hp=5`"),
        ("b 🎉", 'a remark stands on a line of its own, behind a quotation mark: " The bridge creaks.'),
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
        ("jion x foes", ""),
        ("brnd attacks", "write `brand attacks`"),
        ("L.D9", ""),
        ("zzz", "there are mira, brand, ogre, goblin"),
    ],
)
def test_the_first_word_of_a_line_may_be_a_name_a_word_of_the_grammar_or_a_slot_of_the_round(
    line: str, hint: str
) -> None:
    assert refusal(heard(fight("vile-darkness"), "r"), line)[1].endswith(f"; {hint}")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("zounds", ""),
        ("zounds ogre", ""),
        ("zzz", "there are mira, brand, ogre, goblin"),
        ("charge ogre", "who does it stands first: mira charge"),
        ("cast sleep on ogre", "who does it stands first: mira cast"),
    ],
)
def test_a_word_that_begins_no_line_is_called_that_before_a_name_and_alone(line: str, hint: str) -> None:
    word = line.partition(" ")[0]
    says = refusal(heard(fight("osric"), "r"), line)[1]
    assert says == f"{word} is no word that begins a line, and nobody's name; {hint}"
    assert refusal(heard(fight("osric"), "r"), "ogres -3")[1].startswith("there is no combatant ogres")


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
    for line, column in (("wolf 2 gloats", 8), ("ana gloats at wolf 2", 5)):
        where, words = refusal(at, line)
        assert (where, words.partition(";")[0]) == (column, "gloats is no word for what a combatant does here")


def test_a_line_that_a_name_written_whole_makes_right_is_read_so() -> None:
    at = table("plain", *(f"join {who} foes hp=9" for who in ("ana", "wolf-1", "wolf-2")))
    assert at.tell("place wolf 2 3,4").facts == at.tell("place wolf-2 3,4").facts


@pytest.mark.parametrize("line", [",", " ,, ", "."])
def test_a_line_of_nothing_but_marks_is_refused(ford: Table, line: str) -> None:
    assert refusal(ford, line)[1]
