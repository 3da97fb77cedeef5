"""Forms as data: what a pattern consists of, which lines can be of it, and which forms a ruleset has."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from projections.language.notation import forms
from projections.language.notation.forms import Form, FormSlot, Literal, Optional, Pair, Pattern, Repeated, flat
from projections.rulesets import find
from tests.tables import for_each

OSRIC, NAMELESS = (find(key).rules for key in ("osric", "nameless-journey"))


def pattern(text: str) -> Pattern:
    return Form("x", (text,), "X.", "x").compiled_patterns[0]


def test_a_pattern_consists_of_words_slots_pairs_and_optional_parts() -> None:
    assert pattern("hit|hits {who} [by {source:word}] -{amount}n ({side:party}={die:dice})+").nodes == (
        Literal(("hit", "hits")),
        FormSlot("who", "who"),
        Optional((Literal(("by",)), FormSlot("source", "word"))),
        FormSlot("amount", "amount", "-", "n"),
        Repeated((Pair(FormSlot("side", "party"), "=", FormSlot("die", "dice")),)),
    )
    assert pattern("{who}{die}").nodes == (Pair(FormSlot("who", "who"), "", FormSlot("die", "die")),)


def test_the_slots_of_a_pattern_are_those_of_all_its_parts() -> None:
    names = [slot.name for slot in flat(pattern("a {who} [{source}] ({side}{die})+").nodes)]
    assert names == ["who", "source", "side", "die"]


@pytest.mark.parametrize(("text", "least"), [
    ("a {who}", 2), ("a [{who}]", 1), ("join {new} {sheet}", 2), ("join {new} {group}", 3), ("({side}{die} {who})+", 2),
])  # fmt: skip
def test_a_line_has_at_least_the_tokens_that_may_not_be_left_out(text: str, least: int) -> None:
    assert pattern(text).least == least


@for_each(("text", "fitting", "others"), [
    ("{who} moves {path}", ["b moves x"], ["b moves", "b goes x", 'b "moves x']),
    ("a|b {who}", ["a x", "b x"], ["c x"]),
    ("{who} [hard] {mode}", ["b x"], ["b"]),
    ("{who} -{amount}n", ["b -3n", "b -n", "b -xn"], ["b -3", "b 3n", "b n"]),
    ("{who} -{amount}", ["b -3"], ["b 3"]),
    ("{who} {amount}n", ["b 3n", "b xn"], ["b 3"]),
    ("{who} {die}", ["b 14", "b d6", "b D6", "b {", "b [", 'b "4'], ["b x"]),
    ("{who} {die:dice}", ["b d20", "b 2D6:1,2", "b {", 'b "4'], ["b x", "b 14", "bod 14"]),
    ("{who} {amount}", ["b 14"], ["b x"]),
    ("{who} [{die}]", ["b x"], []),
    ("{who} {word}", ["b x"], []),
    ("(go {who})+", ["go b"], ["b b"]),
    ("({who} {die})+", ["b 14"], ["b x"]),
    ("{who}", ["b", "b @4", "b ^", "b by=gm"], ["b x"]),
    ("{who} go [{die}]", ["b go", "b go 14 @4"], ["b go 14 x"]),
    ("{who} [{word}]", ["b x y"], []),
    ("({who}{die})+", ["b14", "b14 o3", "b~", "bd%", "@4 b14", "x=y b14"], ["b", "b o3"]),
    ("[{who}{die}] {word}", ["b"], []),
])  # fmt: skip
def test_a_line_can_be_of_a_pattern_if_it_has_what_all_its_lines_have(
    text: str, fitting: list[str], others: list[str]
) -> None:
    assert [line for line in (*fitting, *others) if pattern(text).fits(line.split())] == fitting


@pytest.mark.parametrize(
    ("text", "free"),
    [("a {values}", True), ("a [{sheet}]", True), ("({who}={total})+", True), ("({who}{die})+", False), ("a {who}", False)],
)  # fmt: skip
def test_a_pattern_is_free_where_words_of_the_form_key_value_are_its_own(text: str, free: bool) -> None:
    assert pattern(text).free is free


def test_a_table_is_read_from_its_file_or_from_the_copy_of_it(tmp_path: Path) -> None:
    text = 'clock = "turn"\n[kinds]\na = "attack"\n'
    for name in ("alone.toml", "copied.toml"):
        (tmp_path / name).write_text(text, "utf-8")
    copy = {"of": sha256(text.encode()).hexdigest(), "data": {"clock": "phase"}}
    (tmp_path / "copied.json").write_text(json.dumps(copy), "utf-8")
    assert forms.read_forms(tmp_path / "alone.toml") == forms.Forms(clock="turn", kinds={"a": "attack"})
    assert forms.read_forms(tmp_path / "copied.toml") == forms.Forms(clock="phase")


def test_a_form_of_a_ruleset_takes_the_place_of_one_of_its_name() -> None:
    common = {form.name: form for form in forms.read_forms(forms.COMMON).form}
    found = forms.of(OSRIC).form
    assert len(found) == len({form.name for form in found})
    changed = next(form for form in found if form.name == "round")
    assert (changed.closes, common["round"].closes) == (True, False)


def test_where_nothing_is_rolled_no_form_rolls() -> None:
    assert any(form.rolls for form in forms.of(OSRIC).form)
    assert not any(form.rolls for form in forms.of(NAMELESS).form)


def test_a_ruleset_without_a_table_has_the_common_forms(tmp_path: Path) -> None:
    assert forms.of(tmp_path / "rules.toml") == forms.read_forms(forms.COMMON)


def test_the_words_that_begin_lines_are_those_of_the_patterns_and_secret() -> None:
    found = forms.first_words(OSRIC)
    assert {"join", "r", "round", "secret", "undo", "?"} <= found
    assert not {"", "with", "{who}", "?{words:word}"} & found


def names(word: str) -> set[str]:
    return {form.name for form in forms.forms_beginning(OSRIC, word)}


def test_a_line_can_have_forms_of_its_first_word_else_those_with_a_slot() -> None:
    assert names("strike") == {"strike"}
    assert names("?m") == {"ask"}
    assert "damage" in names("brand")
    assert not {"strike", "ask", "round"} & names("brand")
    assert "initiative of sides by themselves" in names("p5")
    assert names("") == names("brand")


def test_forms_that_print_a_fact_are_those_that_make_it_longest_first() -> None:
    found = forms.forms_making(OSRIC, "action_taken")
    assert {form.makes[0]["type"] for form in found} == {"action_taken"}
    assert [len(form.makes) for form in found] == sorted((len(form.makes) for form in found), reverse=True)
    assert forms.forms_making(OSRIC, "amended") == ()


def test_the_words_of_a_pattern_are_those_of_all_its_parts() -> None:
    assert forms.fixed_words(pattern("a|b {who} [c {x:word}] (d {y:word})+").nodes) == {"a", "b", "c", "d"}
