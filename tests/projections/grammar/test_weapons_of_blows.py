"""What a blow is struck with where its line names no weapon: by its verb, and by the weapon of before only if that is one for it; and weapons dropped and drawn."""

import pytest

from projections.grammar.table import Table
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import table

WITH_BLOWS = ["plain", "5e", "osric"]


def armed(key: str, *lines: str, sheet: str = "") -> Table:
    """Return a table with a round in which Ana acts."""
    begun = ("surprised", "r", "i p5 f3", "seg 3") if key == "osric" else ("r", "i a=15 gob=9", "t a")
    return heard(table(key), f"join ana party hp=30{sheet}", "join gob foes hp=30", *begun, *lines)


def weapon(at: Table, line: str) -> object:
    return next(each for each in said(at, line) if each["type"] == "action_taken")["action"].get("name")


@pytest.mark.parametrize("key", WITH_BLOWS)
@pytest.mark.parametrize(
    ("before", "line", "name"),
    [
        ("sword", "ana kicks gob 12 3", "kick"),
        ("sword", "ana punches gob 12 3", "fist"),
        ("sword", "ana bites gob 12 3", "bite"),
        ("sword", "ana shoots gob 12 3", "shot"),
        ("sword", "ana fires at gob 12 3", "shot"),
        ("bow", "ana stabs gob 12 3", "stab"),
        ("bow", "ana slashes gob 12 3", "slash"),
        ("crossbow", "ana throws gob 12 3", "throw"),
        ("bow", "ana shoots gob 12 3", "bow"),
        ("sword", "ana stabs gob 12 3", "sword"),
        ("dagger", "ana throws gob 12 3", "dagger"),
        ("sword", "ana attacks gob 12 3", "sword"),
    ],
)
def test_a_blow_is_struck_with_the_weapon_of_before_only_if_its_verb_allows_that(
    key: str, before: str, line: str, name: str
) -> None:
    assert weapon(armed(key, f"ana attacks gob with {before} 14 6"), line) == name


@pytest.mark.parametrize("key", WITH_BLOWS)
def test_a_part_of_the_body_and_a_verb_are_no_weapon_in_hand(key: str) -> None:
    at = armed(key, "ana attacks gob with sword 14 6", "ana kicks gob 12 3", "ana shoots gob 12 3")
    assert weapon(at, "ana attacks gob 12 3") == "sword"
    assert weapon(armed(key, "ana bites gob 12 3"), "ana attacks gob 12 3") == "bite"


def test_a_verb_takes_the_weapon_of_the_sheet_that_is_one_for_it() -> None:
    at = armed("5e", sheet=' weapons=[{"name":"mace"},{"name":"light crossbow"}]')
    assert weapon(at, "ana shoots gob 12 3") == "light crossbow"
    assert weapon(at, "ana attacks gob 12 3") == "mace"


@pytest.mark.parametrize("key", WITH_BLOWS)
def test_who_goes_back_to_an_earlier_weapon_casts_no_spell(key: str) -> None:
    at = armed(key, "ana attacks gob with bow 14 6", "ana attacks gob with sword 14 6")
    assert weapon(at, "ana attacks gob with bow 14 6") == "bow"


@pytest.mark.parametrize("key", ["plain", "osric"])
def test_what_is_done_twice_is_no_spell_the_second_time(key: str) -> None:
    at = armed(key, "ana opens the door")
    assert said(at, "ana opens the door")[0]["action"] == {"kind": "other", "name": "opens the door"}


@pytest.mark.parametrize("key", ["osric", "vile-darkness"])
@pytest.mark.parametrize("line", ["ana drops her sword", "ana draws an axe", "ana sheathes the axe", "ana stands up"])
def test_a_weapon_that_is_dropped_or_drawn_moves_no_segment_and_no_slot(key: str, line: str) -> None:
    places = ("place ana 1,1", "place gob 5,5") if key == "vile-darkness" else ()
    declared = ("phase DECLARE",) if key == "vile-darkness" else ()
    before = (*places, "surprised", "r", *declared, "d ana attack gob", "i p5 f3")
    at = heard(table(key), "join ana party hp=30", "join gob foes hp=30", *before)
    assert at.tell(line).moved == 0
    blow = said(heard(at, line), "ana 14 6")
    assert (blow[0]["combatant"], blow[0]["action"]["targets"]) == ("ana", ["gob"])


@pytest.mark.parametrize("key", ["plain", "definition-master", "nameless-journey", "5e"])
def test_whoever_drops_a_weapon_in_the_turn_of_another_begins_none(key: str) -> None:
    at = heard(table(key), "join ana party hp=30", "join gob foes hp=30", "r", "i a=15 gob=9", "t a")
    assert heard(at, "gob drops his club").done.state.clock.turn == "ana"


def test_whoever_drops_a_weapon_is_asked_nothing_where_the_game_has_an_act_for_it() -> None:
    for key in ("5e", "semiautomagic"):
        at = heard(table(key), "join ana party hp=30", "join gob foes hp=30", "r", "i a15 gob9", "t a")
        assert said(at, "ana drops her sword")[0]["action"] == {"kind": "drop", "name": "sword"}


@pytest.mark.parametrize("key", WITH_BLOWS)
@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("ana's arrow hit gob for 2", "arrow"),
        ("ana's arrow misses gob", "arrow"),
        ("ana's bolt hits gob for 2", "bolt"),
        ("ana's dagger hits gob for 2", "dagger"),
    ],
)
def test_an_arrow_is_no_kick_of_before_and_is_shot_with_what_shoots(key: str, line: str, name: str) -> None:
    assert weapon(armed(key, "ana kicks gob for 2"), line) == name
    shot = "bow" if name in ("arrow", "bolt") else name
    assert weapon(armed(key, "ana attacks gob with bow 14 6"), line) == shot
