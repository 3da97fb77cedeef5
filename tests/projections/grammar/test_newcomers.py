"""Lines that newcomers typed who knew only help, and lines in the manner of other programs: they mean what they say, or are refused."""

import pytest

from projections.grammar.table import Table
from tests.projections.grammar.test_cautions import offered, types
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import fight, table


def means(at: Table, line: str, *lines: str) -> bool:
    """Say whether a line says what these lines of the forms say together."""
    return said(at, line) == [fact for each in lines for fact in said(at, each)]


def declaring() -> Table:
    """Return the fight of OSRIC at its declarations."""
    return heard(fight("osric"), "r")


def acting() -> Table:
    """Return the fight of OSRIC after the dice, with two attacks and a spell declared."""
    return heard(fight("osric"), "r", "d b attack o", "d o attack b", "d m web 3 o", "p5 f3")


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("b 9 misses", "b misses attack o 9"),
        ("b misses too", "b misses attack o"),
        ("b hits o for 4 with a roll of 16", "b attack o 16 4 hit=yes"),
        ("foes morale 8 - hold", "dice morale 8 succeeded=yes side=foes"),
        ("g runs for the door", 'place g "for the door"'),
        ("m drops web", "m drops web"),
    ],
)
def test_what_a_newcomer_typed_in_osric_means_what_its_form_says(line: str, form: str) -> None:
    assert means(acting(), line, form)


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("party wins initiative 6 to 1", "i party:6 foes:1"),
        ("g will heal o", "d g other heal o"),
        ("b retreats", "d b flee"),
    ],
)
def test_what_a_newcomer_typed_at_the_declarations_means_what_its_form_says(line: str, form: str) -> None:
    assert means(declaring(), line, form)


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("o at 5,3", ["place o 5,3"]),
        ("o and g at 5,3 and 5,4", ["place o 5,3", "place g 5,4"]),
        ("o 7,3", ["place o 7,3"]),
        ("init b 15+4, all foes 11+1", ["i b15+4", "i all_foes:11+1"]),
        ("initiative: b 14+3, all foes 12", ["i b14+3", "i all_foes=12"]),
    ],
)
def test_what_a_newcomer_typed_before_the_fight_means_what_its_forms_say(line: str, forms: list[str]) -> None:
    at = table("definition-master", "join Brand party hp=9", "join Ogre foes hp=9", "join Goblin foes hp=9")
    assert means(at, line, *(each.replace("all_foes", "o,g") for each in forms))


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("b saves vs paralysis: fort 14, made it", ["save b fort 14 succeeded=yes purpose=paralysis"]),
        ("b casts remove paralysis on o", ["b cast remove_paralysis o"]),
        ("b full attacks o: 19 miss, 14 hit for 4", ["b attack o 19 hit=no", "b attack o 14 4 hit=yes"]),
        ("b shoots o 17 for 9, 16 for 5", ["b attack shot o 17 9 name=shot", "b attack shot o 16 5 name=shot"]),
        ("o is knocked down", ["o is prone"]),
        ("o cowers for 3 rounds", ["o is cowering for 3r"]),
        ("ac of o is 14", ["sheet o ac=14"]),
        ("b fires an arrow at o: 15 to hit, 6 damage", ["b attack arrow o 15 6 name=arrow"]),
        ("o hp: 20 -> 11", ["o -9"]),
        ("o 6 nl", ["o -6n"]),
        ("o shoots b with his pistol, 14 hits, 9 damage", ["o attack pistol b 14 9 hit=yes name=pistol"]),
        ("ooc: back in 10", ["note back_in_10"]),
        ("b axe o [16] [7]", ["b attack axe o 16 7 name=axe"]),
    ],
)
def test_what_a_newcomer_typed_in_a_fight_of_turns_means_what_its_forms_say(line: str, forms: list[str]) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "r", "t b")
    told = [{key: item for key, item in fact.items() if key != "text"} for fact in said(at, line)]
    due = [{key: item for key, item in fact.items() if key != "text"} for each in forms for fact in said(at, each)]
    assert told == due


def test_a_roll_of_which_nobody_says_whether_it_hits_is_no_damage() -> None:
    at = acting()
    forms = ("ogre attack brand 1 hit=yes", "ogre attack brand 1 hit=no")
    assert [said(at, each) for each in offered(at, "o rolls a 1")] == [said(at, each) for each in forms]
    assert all(" -1" not in each for each in offered(heard(fight("plain"), "b=14", "r", "t b"), "b nat 1"))


def test_dice_of_two_sides_that_are_not_named_are_offered_both_ways() -> None:
    at = declaring()
    rolled = [sorted((fact["side"], fact["die"]) for fact in said(at, each)) for each in offered(at, "init 3 vs 5")]
    assert rolled == [[("foes", 5), ("party", 3)], [("foes", 3), ("party", 5)]]


@pytest.mark.parametrize("key", ["plain", "osric", "definition-master"])
def test_a_verb_that_says_nothing_here_is_offered_as_a_remark(key: str) -> None:
    assert offered(fight(key), "o snarls") == ("note o snarls",)


def test_dice_for_everybody_are_offered_where_they_can_be_rolled() -> None:
    for key, line in (("plain", "i brand:d20 ogre:d20"), ("osric", "i party:d6 foes:d6")):
        at = table(key, "join Brand party hp=9", "join Ogre foes hp=9")
        at.roll = lambda dice: f"{dice}:3"
        assert offered(at, "roll initiative!") == offered(at, "everyone rolls for initiative") == (line,)


def test_who_drops_dead_is_dead_and_nobody_gives_up_what_nobody_declared() -> None:
    assert types(acting(), "o drops dead") == ["RulingMade"]
    assert offered(acting(), "o drops his_guard")[-1] == "note o drops his_guard"


@pytest.mark.parametrize("key", ["plain", "osric", "definition-master", "vile-darkness"])
def test_who_hides_is_revealed_as_who_is_withheld_is(key: str) -> None:
    at = heard(fight(key), "hide o")
    assert types(at, "reveal o") == types(at, "o reveals itself") == ["ConditionLost"]
    assert types(heard(at, "secret join Urk foes hp=9"), "reveal urk") == ["RulingMade"]


def test_squares_are_those_of_as_many_as_there_are() -> None:
    joined = ("join Ana party hp=9", "join orc*2 orcs hp=5", "join Urk orcs hp=9")
    at = table("definition-master", *joined)
    assert means(at, "orcs at 6,1 and 6,2", "place orc-1 6,1", "place orc-2 6,2")
