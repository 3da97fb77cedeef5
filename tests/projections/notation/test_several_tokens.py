"""Slots of several tokens: texts, combatants, sheets, stated values, actions, and those who roll against each other."""

from typing import Any

import pytest

from projections.language.notation.several_tokens import format_plain
from projections.language.notation.table import Table
from tests.projections.grammar import refusal, table
from tests.projections.notation.filling import action, facts
from tests.projections.notation.line_context import heard, types
from tests.tables import for_each


@pytest.fixture
def ford() -> Table:
    return heard(
        table(
            "osric",
            *(
                f"join {who} hp=9"
                for who in ("Mira party", "Brand party", "urk foes", "goblin*2 foes", "foes-lord foes")
            ),
        ),
        "r",
    )


# ---------------------------------------------------------------- texts and people


@pytest.mark.parametrize(
    ("line", "text"),
    [("note a  b ", "a  b"), ('note "a b"', "a b"), ('note "a" b', '"a" b'), ('note a "b"', 'a "b"'), ("note a_b", "a_b")],
)  # fmt: skip
def test_the_rest_of_a_line_is_a_text_and_one_quotation_what_is_in_it(ford: Table, line: str, text: str) -> None:
    assert facts(ford, line)[0]["text"] == text


@pytest.mark.parametrize(("line", "targets"), [
    ("urk is prone", ["urk"]),
    ("urk,mira urk b is prone", ["urk", "mira", "brand"]),
    ("all goblins urk is prone", ["goblin-1", "goblin-2", "urk"]),
    ("urk all goblins is prone", ["urk", "goblin-1", "goblin-2"]),
    ("‘urk’ is prone", ["urk"]),
])  # fmt: skip
def test_several_are_named_one_after_the_other_or_as_groups(ford: Table, line: str, targets: list[str]) -> None:
    assert facts(ford, line)[0]["targets"] == targets


def test_one_who_is_named_several_times_is_meant_once(ford: Table) -> None:
    assert facts(ford, "damage b,m 3")[1]["target"] == "mira"
    assert refusal(ford, "damage ‘b,m’ 3")[0] == 8
    assert refusal(ford, "damage")[0] == 7
    assert refusal(ford, "damage all")[0] == 8
    assert refusal(ford, "damage ‘all’ 3")[0] == 8


# ---------------------------------------------------------------- sheets and stated values


def test_a_sheet_is_fields_and_json_up_to_an_option(ford: Table) -> None:
    (joined,) = facts(ford, 'join bo foes hp=9 {"ac":5} weapon=long_sword')
    assert joined["sheet"] == {"hp": 9, "ac": 5, "weapon": "long sword"}
    assert refusal(ford, "sheet b hp=9 .luck=1") == (14, "nothing here has a field luck; such as: sheet b hp=9")
    assert refusal(ford, "sheet b hp=9 ‘ac=1’")[0] == 14
    assert refusal(ford, "sheet b hp=9 ‘{}’")[0] == 14


@pytest.mark.parametrize(
    ("text", "value"),
    [("-3", -3), ("9" * 15, int("9" * 15)), ("yes", True), ("no", False), ("a_b", "a b"), ('"a_b"', "a_b"), ("[1]", [1]), ("3x", "3x")],
)  # fmt: skip
def test_a_value_of_no_fixed_kind_is_a_number_json_yes_or_no_or_a_word(ford: Table, text: str, value: Any) -> None:
    assert facts(ford, f"check mira.hp={text}")[0]["values"] == {"mira.hp": value}


@for_each(("value", "shown"), [
    (True, "yes"), (False, "no"), (3, "3"), ("long sword", "long_sword"), ("yes", '"yes"'), ("no", '"no"'), ("a_b", '"a_b"'), ("3x", '"3x"'),
    ("a  b", '"a  b"'), ("a ", '"a "'), ("a!", '"a!"'), ("", '""'), ([1, "ö"], '[1,"ö"]'), ({"a": 1}, '{"a":1}'),
])  # fmt: skip
def test_a_value_of_no_fixed_kind_is_written_so_that_it_is_read_back(value: Any, shown: str) -> None:
    assert format_plain(value) == shown


@pytest.mark.parametrize(("line", "values"), [
    ("check b.hp=9 m.hp=8", {"brand.hp": 9, "mira.hp": 8}),
    ("check turn=b", {"turn": "b"}),
    ("check b=9", {"b": 9}),
    ("check party.luck=1", {"party.luck": 1}),
    ("check zed.hp=9", {"zed.hp": 9}),
    ("check g.hp=9", {"g.hp": 9}),
    ("check b.left.quick_action=1", {"brand.left.quick action": 1}),
])  # fmt: skip
def test_an_address_is_that_of_whoever_is_named_at_its_beginning(
    ford: Table, line: str, values: dict[str, Any]
) -> None:
    assert facts(ford, line)[0]["values"] == values


def test_a_check_has_an_address_and_what_is_quoted_is_none(ford: Table) -> None:
    assert refusal(ford, "check b")[0] == 7
    assert facts(ford, "check b.hp=9 .reason=x")[0]["reason"] == "x"
    assert facts(ford, "check b.hp=9 ‘m.hp=8’")[0]["values"] == {"brand.hp": 9}
    assert refusal(ford, 'check b.hp="a')[0] == 12
    assert refusal(ford, 'check b.hp={"a":1,"a":2}')[0] == 12


# ---------------------------------------------------------------- actions


def test_an_action_is_a_kind_name_time_and_targets_each_optional(ford: Table) -> None:
    whole = {"kind": "cast", "name": "wall of fire", "time": 3, "targets": ["urk"]}
    assert action(ford, "m cast wall_of_fire 3 urk") == whole
    assert action(ford, "m casts wall_of_fire 3 urk") == whole
    assert action(ford, 'm c "wall of fire" 3 urk') == whole
    assert action(ford, "m cast 3 urk") == {"kind": "cast", "time": 3, "targets": ["urk"]}
    assert action(ford, "m cast") == {"kind": "cast"}
    assert action(ford, "m cast urk") == {"kind": "cast", "targets": ["urk"]}
    assert action(ford, 'm cast "a_b"')["name"] == "a_b"


def test_a_word_in_the_third_person_is_the_kind_without_its_ending(ford: Table) -> None:
    for typed, kind in (("attacks", "attack"), ("charges", "charge"), ("flees", "flee"), ("flee", "flee")):
        assert action(ford, f"d b {typed}")["kind"] == kind
    assert "no kind of action" in refusal(ford, "d b fleeses")[1]


def test_the_whole_word_for_a_kind_is_it_whatever_somebody_is_called(ford: Table) -> None:
    heard(ford, "join talker foes hp=9")
    assert action(ford, "d b talk") == {"kind": "talk"}


def test_a_short_word_for_a_kind_that_is_a_name_asks_if_a_target_follows(ford: Table) -> None:
    heard(ford, "join ana party hp=9", "join cy foes hp=9")
    assert refusal(ford, "b a all goblins -3")[0] == 3
    assert refusal(ford, "d b c")[1].startswith("c can be the kind cast, or cy")
    assert action(ford, "b a 14 6")["targets"] == ["ana"]
    assert action(ford, "b attack a 14 6")["targets"] == ["ana"]


def test_a_quoted_word_is_a_name_and_no_kind(ford: Table) -> None:
    assert action(ford, 'm cast "attack"') == {"kind": "cast", "name": "attack"}
    assert action(ford, "m cast ‘attacks’")["name"] == "attacks"
    assert action(ford, "m cast ‘urk’")["targets"] == ["urk"]


def test_a_time_is_a_number_or_an_amount_with_its_unit(ford: Table) -> None:
    assert action(ford, "d m cast web 999")["time"] == 999
    assert action(ford, "d m cast web 3r")["time"] == {"amount": 3, "unit": "round"}
    assert refusal(ford, "d m cast web 1000")[0] == 14
    assert refusal(ford, "d m cast web 3bananas")[0] == 14
    assert refusal(ford, "d m attack urk 3")[0] == 16


# ---------------------------------------------------------------- contests


def test_those_who_roll_against_each_other_stand_up_to_an_option(ford: Table) -> None:
    (contest,) = facts(ford, "contest trip b:15 urk:9 m:3 winner=b")
    assert [each["combatant"] for each in contest["contenders"]] == ["brand", "urk", "mira"]
    assert (contest["about"], contest["winner"]) == ("trip", "brand")
    assert refusal(ford, "contest trip")[0] == 9
    assert refusal(ford, "contest b:15 urk")[0] == 14
    assert types(ford, "contest b:15 urk:9") == ["contest_rolled"]


def test_nobody_rolls_twice_in_a_contest(ford: Table) -> None:
    assert refusal(ford, "contest trip b:15 urk:9 Brand:3") == (
        25,
        "brand rolls twice in one contest; a repeated contest is written on a line of its own",
    )


def test_an_unknown_name_is_that_of_a_spell_with_its_time(ford: Table) -> None:
    assert action(ford, "m web 3 urk") == {"kind": "cast", "name": "web", "targets": ["urk"], "time": 3}
    assert action(ford, "d m web 3") == {"kind": "cast", "name": "web", "time": 3}
    for line in ("m zed 12", "m zed 12 4", "m zed 12 -4", "m zed 12 hit"):
        assert refusal(ford, line)[1].startswith('"zed" is not understood')
    assert refusal(ford, "m urkk 3 b")[1].startswith('"urkk" is not understood')
    ford.hear("d m web 3")
    assert action(ford, "m web 3")["kind"] == "cast"
