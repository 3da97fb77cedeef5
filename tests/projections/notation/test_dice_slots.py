"""What dice show, and what is made of it: read from a token, and written as one where it would be read back."""

from typing import Any

import pytest

from projections.language.notation.line_context import LineContext
from projections.language.notation.slots import KINDS
from projections.language.notation.tokens import NotUnderstood, Token
from tests.projections.grammar import fight
from tests.tables import for_each

SCENE = fight().context
D20 = {"notation": "d20", "faces": [14]}


def read(kind: str, text: str) -> Any:
    return KINDS[kind].read(SCENE, Token(text, 4, 4 + len(text)))


def refused(kind: str, text: str) -> tuple[int, str]:
    with pytest.raises(NotUnderstood) as caught:
        read(kind, text)
    return caught.value.column, caught.value.why


@for_each(("kind", "text", "value"), [
        ("die", "14", 14),
        ("die", "0", 0),
        ("die", "d20:14", D20),
        ("dice", "d20:14", D20),
        ("amount", "6", 6),
        ("modifiers", "base+6", [{"name": "base", "amount": 6}]),
        ("modifiers", "the_base+6:ogre,str-1", [{"name": "the base", "amount": 6, "to": "ogre"}, {"name": "str", "amount": -1}]),
        ("parts", "sword:6", [{"name": "sword", "amount": 6}]),
        ("parts", "long_sword:d20:14", [{"name": "long sword", "dice": D20}]),
        ("parts", "sword/weapon:6", [{"name": "sword", "kind": "weapon", "amount": 6}]),
        ("parts", "sword//cold:-6", [{"name": "sword", "damage_type": "cold", "amount": -6}]),
        ("parts", "sword/weapon/cold:d20:14+str/flat:4", [
            {"name": "sword", "kind": "weapon", "damage_type": "cold", "dice": D20}, {"name": "str", "kind": "flat", "amount": 4}]),
        ("contender", "brand:15", {"combatant": "brand", "die": 15}),
        ("contender", "brand:0", {"combatant": "brand", "die": 0}),
        ("contender", "brand/strength:15,base+6,=21", {
            "combatant": "brand", "using": "strength", "die": 15, "modifiers": [{"name": "base", "amount": 6}], "total": 21}),
        ("contender", "brand:~-5", {"combatant": "brand", "check": -5}),
        ("contender", "brand:~5,base+6,str+1", {
            "combatant": "brand", "check": 5, "modifiers": [{"name": "base", "amount": 6}, {"name": "str", "amount": 1}]}),
        ("initiative", "9", {"die": 9}),
        ("initiative", "9+3", {"die": 9, "bonus": 3}),
        ("initiative", "d20:14-2", {"die": D20, "bonus": -2}),
    ])  # fmt: skip
def test_what_is_read_from_a_token_is_written_as_it(kind: str, text: str, value: Any) -> None:
    assert read(kind, text) == value
    assert KINDS[kind].show(value) == text


@for_each(("kind", "text", "value"), [
        ("die", "d20:14+5", {"die": D20, "modifiers": [{"name": "bonus", "amount": 5}]}),
        ("amount", "d20:14", {"amount": 14, "parts": [{"name": "dice", "dice": D20}]}),
        ("amount", "d20:14+5", {"amount": 19, "parts": [{"name": "dice", "dice": D20}, {"name": "bonus", "amount": 5}]}),
        ("amount", "d20:14-20", {"amount": 0, "parts": [{"name": "dice", "dice": D20}, {"name": "bonus", "amount": -20}]}),
        ("contender", "brand:15+4", {"combatant": "brand", "die": 15, "modifiers": [{"name": "bonus", "amount": 4}]}),
        ("contender", "brand:base+6,15+4", {
            "combatant": "brand", "die": 15, "modifiers": [{"name": "base", "amount": 6}, {"name": "bonus", "amount": 4}]}),
        ("contender", "brand:=+5", {"combatant": "brand", "total": 5}),
        ("die", "2d20kh1:10x,18", {"notation": "2d20kh1", "faces": [10, 18], "dropped": [0]}),
        ("die", "2d20kh1:10,10", {"notation": "2d20kh1", "faces": [10, 10], "dropped": [1]}),
        ("die", "2d20kh1:10x,10", {"notation": "2d20kh1", "faces": [10, 10], "dropped": [0]}),
        ("die", "2d%:00,1", {"notation": "2d%", "faces": [100, 1]}),
    ])  # fmt: skip
def test_a_bonus_is_a_modifier_or_part_and_dropped_dice_do_not_count(kind: str, text: str, value: Any) -> None:
    assert read(kind, text) == value


@for_each(("kind", "text", "column", "why"), [
    ("dice", "14", 5, "14 is a face"),
    ("amount", "-6", 5, "-6 has a sign, and none belongs here"),
    ("modifiers", "base", 5, "base is not a modifier"),
    ("modifiers", "base+6,str,dex", 12, "str is not a modifier"),
    ("modifiers", "base+6,str+1,dex", 18, "dex is not a modifier"),
    ("parts", "sword", 5, "sword is not a part of an amount"),
    ("parts", "sword:6+shield", 5, "shield is not a part of an amount"),
    ("parts", "sword:d6", 5, "sword:d6 is not a part of an amount"),
    ("contender", "brand", 5, "brand is not a combatant with a roll"),
    ("contender", "nobody:15", 5, "there is no combatant nobody"),
    ("contender", "brand:15,x", 14, "x is not a modifier"),
    ("contender", "brand:=x", 11, "=x is not a modifier"),
    ("contender", "brand:15,3", 14, "15 and 3 are two dice"),
    ("contender", "brand:15,16+4,17", 14, "15 and 16 are two dice"),
    ("contender", "brand:15,=18,=19", 18, "18 and 19 are two totals"),
    ("contender", "brand:~5,base+6,~6", 21, "5 and 6 are two checks"),
    ("contender", "brand:x5", 11, "x5 is not a modifier"),
    ("die", "d20:21", 9, "21 is no face of d20"),
    ("die", "d%:0", 8, "0 is no face of d%"),
    ("die", "2d%:00,0", 9, "0 is no face of 2d%"),
    ("die", "d1000:00", 11, "00 is no face of d1000"),
    ("die", "d20:00", 9, "00 is no face of d20"),
    ("die", "3d6:1,2", 9, "3d6 shows 3, and here are 2"),
    ("initiative", "x", 5, "x is not a die"),
])  # fmt: skip
def test_what_is_none_is_refused_where_it_stands(kind: str, text: str, column: int, why: str) -> None:
    assert refused(kind, text) == (column, why)


def test_a_quoted_sum_is_no_die() -> None:
    with pytest.raises(NotUnderstood):
        KINDS["die"].read(SCENE, Token("d20:14+5", 0, 10, quoted=True))
    with pytest.raises(NotUnderstood):
        KINDS["die"].read(SCENE, Token("14", 0, 4, quoted=True))


def test_dice_without_faces_are_thrown_once_for_a_place_in_the_line() -> None:
    thrown = iter(("d20:14", "d20:3"))
    context = LineContext(SCENE.state, roll=lambda _: next(thrown))
    for start, face in ((4, 14), (4, 14), (9, 3)):
        assert KINDS["die"].read(context, Token("d20", start, start + 3)) == {"notation": "d20", "faces": [face]}


@for_each(("kind", "value"), [
    ("die", -1),
    ("die", {"notation": "Fate", "faces": [1]}),
    ("die", {"notation": "d20", "faces": []}),
    ("dice", 14),
    ("amount", -1),
    ("amount", {"amount": 3}),
    ("modifiers", []),
    ("modifiers", [{"name": "3", "amount": 1}]),
    ("modifiers", [{"name": "base", "amount": 1, "to": "3"}]),
    ("parts", []),
    ("parts", [{"name": "sword"}]),
    ("parts", [{"name": "sword", "amount": 3, "dice": D20}]),
    ("parts", [{"name": "sword", "dice": {"notation": "Fate", "faces": [1]}}]),
    ("parts", [{"name": "3", "amount": 3}]),
    ("parts", [{"name": "sword", "kind": "3", "amount": 3}]),
    ("parts", [{"name": "a+b", "amount": 3}]),
    ("parts", [{"name": "sword", "damage_type": "a+b", "amount": 3}]),
    ("contender", {"combatant": "brand", "die": -1}),
    ("contender", {"combatant": "brand", "die": D20}),
    ("contender", {"combatant": "brand", "die": D20, "total": 3}),
    ("contender", {"combatant": "brand", "die": 3, "modifiers": [{"name": "3", "amount": 1}]}),
    ("contender", {"combatant": "brand", "die": 3, "using": "3"}),
    ("contender", {"combatant": "brand"}),
    ("initiative", {"bonus": 3}),
    ("initiative", {}),
    ("initiative", {"die": -1, "bonus": 3}),
])  # fmt: skip
def test_what_would_not_be_read_back_is_not_written(kind: str, value: Any) -> None:
    assert KINDS[kind].show(value) is None


def test_an_amount_and_a_die_of_0_are_written() -> None:
    assert (KINDS["amount"].show(0), KINDS["die"].show(0)) == ("0", "0")
