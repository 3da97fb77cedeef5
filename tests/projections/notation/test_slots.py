"""Kinds of values: what is read from a token, what is refused, and how a value is written."""

from typing import Any

import pytest

from eventstore.events import CombatantJoined
from projections.language.notation.slots import KINDS, parse_json
from projections.language.notation.tokens import NotUnderstood, Token
from projections.rulesets import keys
from tests.projections.grammar import fight, table
from tests.tables import for_each

SCENE = fight("vile-darkness").context
PLAIN = fight("plain").context


def read(kind: str, text: str, *, quoted: bool = False) -> Any:
    return KINDS[kind].read(SCENE, Token(text, 4, 4 + len(text), quoted))


def refused(kind: str, text: str, *, quoted: bool = False) -> tuple[int, str, str]:
    with pytest.raises(NotUnderstood) as caught:
        read(kind, text, quoted=quoted)
    return caught.value.column, caught.value.why, caught.value.hint


@for_each(("kind", "text", "value"), [
    ("bonus", "-3", -3),
    ("bonus", "9" * 16, int("9" * 16)),
    ("segment", "0", 0),
    ("round", "1", 1),
    ("total", "14", 14),
    ("total", "14.50", "14.50"),
    ("hit", "yes", True),
    ("hit", "no", False),
    ("word", "wall_of_fire", "wall of fire"),
    ("new", "Sir_Bo", "Sir Bo"),
    ("manner", "a_b,c", ["a b", "c"]),
    ("manner", "a,,c", ["a", "c"]),
    ("targets", "b,m", ["brand", "mira"]),
    ("sides", "foes,m", ["foes", "mira"]),
    ("rule", "declare.before-dice", "declare.before-dice"),
    ("phase", "e", "E"),
    ("allows_save", "will", {"save": "will"}),
    ("allows_save", "will/14", {"save": "will", "dc": 14}),
    ("allows_save", "will/14/half", {"save": "will", "dc": 14, "half": True}),
    ("allows_save", "will//half", {"save": "will", "half": True}),
    ("allows_save", "/14", {"dc": 14}),
])  # fmt: skip
def test_a_token_is_read_as_its_kind(kind: str, text: str, value: Any) -> None:
    assert read(kind, text) == value
    assert read(kind, KINDS[kind].show(value) or "") == value


@pytest.mark.parametrize(("kind", "text", "value"), [
    ("word", "a_b", "a_b"), ("word", "3", "3"), ("word", "-x", "-x"), ("about", "a:b", "a:b"), ("new", "a_b", "a_b"), ("manner", "a,b_c", ["a,b_c"]),
    ("rule", "no rule", "no rule"), ("phase", "Z9", "Z9"),
])  # fmt: skip
def test_a_quoted_text_is_taken_as_it_stands(kind: str, text: str, value: Any) -> None:
    assert read(kind, text, quoted=True) == value


@for_each(("kind", "text", "why"), [
    ("bonus", "x", "x is not a whole number"),
    ("bonus", "9" * 17, "9" * 17 + " is too large a number"),
    ("bonus", "9" * 50, "9" * 40 + " is too large a number"),
    ("segment", "-1", "-1 has a sign, and none belongs here"),
    ("round", "0", "there is no round 0"),
    ("total", "14.5", "14.5 is not a whole number"),
    ("hit", "maybe", "maybe is neither yes nor no"),
    ("word", "3x", "3x is not a word"), ("word", "d20", "d20 is not a word"), ("word", "@x", "@x is not a word"),
    ("group", "-4", "-4 is a number, and no name"), ("new", "1", "1 is a number, and no name"),
    ("about", "ana:3", "ana:3 is a combatant with a roll, and no word"),
    ("rule", "norule", "norule is not the id of a rule"),
    ("phase", "Z9", "Z9 is no slot of the round"),
    ("allows_save", "14", "14 is not a saving throw"),
    ("allows_save", "yes", "yes is not a saving throw"),
    ("allows_save", "will/x", "will/x is not a saving throw"),
    ("allows_save", "will/14/full", "will/14/full is not a saving throw"),
])  # fmt: skip
def test_what_a_kind_cannot_be_is_refused_where_it_stands(kind: str, text: str, why: str) -> None:
    assert refused(kind, text)[:2] == (5, why)


def test_a_quoted_number_is_none() -> None:
    assert refused("bonus", "3", quoted=True)[1] == "3 is not a whole number"
    assert refused("bonus", "9" * 17, quoted=True)[1] == "9" * 17 + " is not a whole number"


def test_the_hint_on_a_sign_is_the_number_without_it() -> None:
    assert refused("segment", "-12")[2] == "write 12"


def test_the_hint_on_a_slot_names_slots_where_the_game_has_them() -> None:
    assert refused("phase", "Z9")[2].startswith("such as ")
    with pytest.raises(NotUnderstood) as caught:
        KINDS["phase"].read(PLAIN, Token("Z9", 0, 2))
    assert caught.value.hint == ""


def test_the_parts_of_a_list_are_refused_where_they_stand() -> None:
    assert refused("targets", "brand,nobody")[0] == 11
    assert refused("targets", "brand,mira,nobody")[0] == 16


@for_each(("kind", "value", "shown"), [
    ("bonus", -3, "-3"),
    ("bonus", True, None),
    ("bonus", [1], None),
    ("segment", -1, None),
    ("round", 0, None),
    ("hit", True, "yes"),
    ("hit", False, "no"),
    ("word", 3, None),
    ("manner", [], None),
    ("manner", ["a", "b c"], "a,b_c"),
    ("manner", ["a", "3"], None),
    ("targets", [], None),
    ("targets", ["a", "b"], "a,b"),
    ("about", "a:b", '"a:b"'),
    ("about", "a b", "a_b"),
    ("phase", "a b", '"a b"'),
    ("allows_save", {"save": "3"}, None),
    ("allows_save", {"save": "a/b"}, None),
    ("allows_save", {}, None),
    ("allows_save", {"save": "will", "half": False}, "will"),
    ("new", 3, None),
    ("new", "hp=9", '"hp=9"'),
])  # fmt: skip
def test_a_value_is_written_where_it_would_be_read_back(kind: str, value: Any, shown: str | None) -> None:
    assert KINDS[kind].show(value) == shown


def test_json_that_is_malformed_is_refused_where_it_stands() -> None:
    assert parse_json(Token('{"a":[1]}', 4, 13)) == {"a": [1]}
    with pytest.raises(NotUnderstood) as caught:
        parse_json(Token('{"a":1,"a":2}', 4, 17))
    assert caught.value.column == 5


@pytest.mark.parametrize("ruleset", keys())
def test_a_field_of_the_sheet_is_no_side(ruleset: str) -> None:
    (joined,) = table(ruleset).tell("join bo hp=9").facts
    assert joined == CombatantJoined(combatant="bo", sheet={"hp": 9})
    with pytest.raises(NotUnderstood) as caught:
        table(ruleset).tell("join hp=9 party hp=9")
    assert (caught.value.why, caught.value.hint) == ("hp=9 is a field, and no name", 'as a name it is quoted: "hp=9"')


def test_a_name_has_more_in_it_than_blanks() -> None:
    with pytest.raises(NotUnderstood, match="a name has more in it than blanks"):
        table("plain").tell('join " " party hp=9')
