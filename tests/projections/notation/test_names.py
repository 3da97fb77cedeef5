"""Names: whom a word can mean, of a combatant, a side or a group, and what is said where it means nobody or several."""

import pytest

from projections.language.notation import names
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood, Token
from projections.state import State
from tests.projections.grammar import refusal, table, told
from tests.tables import for_each


def of(*lines: str) -> State:
    return table("osric", *lines).done.state


def at(*who: str) -> Table:
    return table("osric", *(f"join {name} foes hp=5" for name in who))


@pytest.mark.parametrize(("name", "found"), [
    ("Sir Bo", "sir-bo"), ("Ödön", "odon"), ("Мира", "mira"), ("Straße", "strasse"), ("a.b", "a-b"), ("😀", "guest"), ("a" * 60, "a" * 56),
    ("a" * 55 + " bo", "a" * 55),
])  # fmt: skip
def test_a_name_gives_an_id_of_letters_that_everybody_can_type(name: str, found: str) -> None:
    assert names.id_of(name, ()) == found


def test_an_id_that_is_taken_gets_a_number() -> None:
    assert names.id_of("Bo", ("bo",)) == "bo-2"
    assert names.id_of("Bo", ("bo", "bo-2")) == "bo-3"


def test_a_word_means_those_called_so_else_those_whose_name_begins_so() -> None:
    state = of('join "Big Rok" foes hp=5', "join bo foes hp=5", "join bob foes hp=5")
    assert names.combatants(state, "bo") == ["bo"]
    assert names.combatants(state, "BO") == ["bo"]
    assert names.combatants(state, "b") == ["big-rok", "bo", "bob"]
    assert names.combatants(state, "rok") == ["big-rok"]
    assert names.combatants(state, "ok") == []
    assert names.combatants(state, "") == []


def test_a_number_behind_a_beginning_is_that_of_the_name() -> None:
    state = of("join goblin*12 foes hp=5", "join gnoll-2 foes hp=5")
    assert names.combatants(state, "go2") == ["goblin-2"]
    assert names.combatants(state, "go-12") == ["goblin-12"]
    assert names.combatants(state, "g2") == ["goblin-2", "gnoll-2"]
    assert names.combatants(state, "x2") == []


def test_those_who_have_left_are_meant_where_nobody_in_the_fight_is() -> None:
    gone = at("goblin", "gorm", "bo")
    gone.hear("goblin leaves")
    gone.hear("bo leaves")
    assert names.combatants(gone.done.state, "go") == ["gorm"]
    assert names.combatants(gone.done.state, "gob") == ["goblin"]
    assert names.combatants(gone.done.state, "b") == ["bo"]


@for_each(("who", "line", "column", "says"), [
        (("ana", "orc"), "www -1", 1, '"www" is not understood; there are ana, orc'),
        (("Ödön", "Мира", '"<b>"'), "www -1", 1, '"www" is not understood; there are odon, Мира, b'),
        ((), "www -1", 1, '"www" is not understood; nobody has joined yet: join NAME SIDE hp=14 adds a combatant, ? lists the forms'),
        (("ana",), "damage zed 1", 8, "there is no combatant zed; there are ana"),
        (("goblin*6",), "g -1", 1, "g can be goblin-1, goblin-2, goblin-3, goblin-4, goblin-5 or goblin-6; write more of the name"),
        (("goblin*7",), "damage g 1", 8, "g can be 7 of them; write more of the name"),
        (("goblin*2",), "damage goblin* 1", 8, "goblin* are several; a group is named with all: all goblin"),
        (("boss*2",), "damage boss* 1", 8, "boss* are several; a group is named with all: all boss"),
        (("goblin*2", "ana"), "damage * 1", 8, "there is no combatant *; there are goblin-1, goblin-2, ana"),
        (("goblin*2", "goblet*2"), "damage all gob 1", 12, "gob can be goblet or goblin; such as: damage b 6 object=shield"),
        (("goblin*2", "ana"), "damage all zeds 1", 12, "zeds is no side, and no kind of combatant; such as: damage b 6 object=shield"),
    ])  # fmt: skip
def test_a_word_that_means_nobody_or_several_is_told_where_it_stands(
    who: tuple[str, ...], line: str, column: int, says: str
) -> None:
    assert refusal(at(*who), line) == (column, says)


def test_of_a_long_word_no_more_is_repeated_than_there_is_room_for() -> None:
    with pytest.raises(NotUnderstood, match="no combatant " + "z" * 60 + "$"):
        names.read_combatant(of("join ana foes hp=5"), Token("z" * 61, 0, 61))


def test_a_quoted_name_begins_with_its_first_character() -> None:
    state = of("join ana foes hp=5")
    assert names.read_combatant(state, Token(":ana", 0, 4)) == "ana"
    with pytest.raises(NotUnderstood, match="no combatant :ana"):
        names.read_combatant(state, Token(":ana", 0, 6, quoted=True))


def side(state: State, word: str) -> str:
    return names.read_side(state, Token(word, 0, len(word)))


def party(state: State, word: str) -> str:
    return names.read_party(state, Token(word, 0, len(word)))


def test_a_side_is_meant_by_the_beginning_of_its_name_a_lone_one_is_not() -> None:
    alone = '{"type":"combatant_joined","combatant":"zed","sheet":{"hp":5}}'
    state = of("join ana party-two hp=5", "join bo party hp=5", alone, "join goblin*2 foes hp=5")
    assert side(state, "party") == "party"
    assert side(state, "Party_T") == "party-two"
    assert side(state, "f") == "foes"
    assert side(state, "zed") == "zed"
    for word in ("z", "pa"):
        with pytest.raises(NotUnderstood):
            side(state, word)


def test_a_side_or_combatant_is_meant_by_its_very_name_first() -> None:
    state = of("join foes*2 foes hp=5", "join bo party hp=5", "join bob party-two hp=5")
    assert party(state, "foes") == "foes"
    assert party(state, "bo") == "bo"
    assert party(state, "foes-1") == "foes-1"
    assert party(of("join bo bob hp=5"), "bo") == "bo"
    assert party(state, "party-t") == "party-two"
    with pytest.raises(NotUnderstood, match="f can be foes, foes-1 or foes-2"):
        party(state, "f")


def group(word: str, *lines: str) -> list[str]:
    return names.members_of_group(of(*lines), Token(word, 0, len(word)))


def test_a_group_is_a_side_or_a_kind_with_several_in_the_fight() -> None:
    lines = ("join boss*2 foes hp=5", "join orc*2 foes hp=5", "join bo party hp=5", "join ana party hp=5")
    assert group("party", *lines) == ["bo", "ana"]
    assert group("par", *lines) == ["bo", "ana"]
    assert group("boss", *lines) == ["boss-1", "boss-2"]
    assert group("orcs", *lines) == ["orc-1", "orc-2"]
    assert group("orc*", *lines) == ["orc-1", "orc-2"]
    assert group("orcs", *lines, "orc-1 leaves") == ["orc-2"]
    assert group("boss", "join bos*2 foes hp=5", *lines) == ["boss-1", "boss-2"]


def test_a_word_is_near_a_name_or_more_loosely_one_with_its_first_letter() -> None:
    state = of("join goblin*2 foes hp=5", "join orc foes hp=5")
    assert names.near(state, "gobln") == "goblin-1"
    assert names.near(state, "gobx") == ""
    assert names.near(state, "gobx", loosely=True) == "goblin-1"
    assert names.near(state, "hoblix", loosely=True) == ""
    assert names.near(state, "oblin", loosely=True) == "goblin-1"


def test_a_quoted_text_is_a_very_name_and_an_id_is_before_a_name() -> None:
    again = '{"type":"combatant_joined","combatant":"sir-bo-2","name":"Sir Bo","side":"foes","sheet":{"hp":5}}'
    state = of('join "Sir Bo" foes hp=5', "join bo foes hp=5", again)
    assert names.read_quoted(state, Token("bo", 0, 4, quoted=True)) == "bo"
    assert names.read_quoted(state, Token("sir-bo", 0, 8, quoted=True)) == "sir-bo"
    assert names.read_quoted(state, Token("b", 0, 3, quoted=True)) is None
    with pytest.raises(NotUnderstood, match="Sir Bo can be sir-bo or sir-bo-2"):
        names.read_quoted(state, Token("Sir Bo", 0, 8, quoted=True))


def test_initiative_of_a_side_whose_combatants_begin_like_it_is_the_sides() -> None:
    assert told(at("foes*2"), "init foes 4")[-1:] == ['{"type":"initiative_rolled","side":"foes","die":4}']
