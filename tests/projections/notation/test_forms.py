"""Forms as data: what a pattern consists of, and which forms a ruleset has."""

import json
from hashlib import sha256
from pathlib import Path

from projections.language.notation import forms
from projections.language.notation.forms import Form, FormSlot, Literal, Optional, Pair, Pattern, Repeated
from projections.rulesets import find

OSRIC = find("osric").rules


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


def test_the_words_that_begin_lines_are_those_of_the_patterns_and_secret() -> None:
    found = forms.first_words(OSRIC)
    assert {"join", "r", "round", "secret", "undo", "?"} <= found
    assert not {"", "with", "{who}", "?{words:word}"} & found
