"""The lexicon: each verb of a sense calls a frame, in all its forms, and every kind of word is of use."""

import tomllib
from pathlib import Path

import pytest

from projections.reader import frames
from projections.reader.inflection import forms
from projections.reader.lexicon import INFLECTED, VERBS, lexicon, listed

TABLES = tomllib.loads(Path(VERBS).read_text(encoding="utf-8"))
IRREGULAR = tomllib.loads(Path(INFLECTED).read_text(encoding="utf-8"))
WHOLE = frozenset({"join", "add", "begin", "resume", "react", "reveal", "note", "check", "place", "gain", "dodged"})
"""Senses that call no frame of a clause: they are read with the whole line, or stand beside another word."""


@pytest.mark.parametrize("sense", sorted(TABLES))
def test_each_verb_of_a_sense_has_it_in_every_form(sense: str) -> None:
    table = TABLES[sense]
    verbs = listed(table["verbs"]) if "verbs" in table else list(table)
    doubled, single = (frozenset(IRREGULAR["doubled"][each]) for each in ("yes", "no"))
    lost = [
        form
        for verb in verbs
        for form in forms(verb, IRREGULAR["past"], doubled, single)
        if not any(each.kind == sense and each.is_verb for each in lexicon().senses(form))
    ]
    assert verbs
    assert lost == []


def test_each_sense_of_verbs_calls_a_frame() -> None:
    called = {kind for frame in frames.table() for kind in frame.calls}
    assert {sense for sense in TABLES if sense not in called and sense not in WHOLE} <= {
        "concentrate", "regain", "give", "succeed", "spend", "begin_it", "spoil", "pushed", "finish", "wake",
    }  # fmt: skip


def test_each_frame_has_a_function_and_an_example() -> None:
    assert {frame.name for frame in frames.table()} == set(frames.fills())
    assert all(frame.example and frame.tells and frame.slots for frame in frames.table())


@pytest.mark.parametrize("text", ["", " ", "\x1c \x85"])
def test_what_holds_no_word_says_nothing(text: str) -> None:
    assert lexicon().senses(text) == ()


@pytest.mark.parametrize(
    ("verb", "expected"),
    [
        ("stab", {"stab", "stabs", "stabbed", "stabbing"}),
        ("strike", {"strike", "strikes", "struck", "stricken", "striking"}),
        ("run away", {"run away", "runs away", "ran away", "running away"}),
        ("turn and run", {"turn and run", "turns and runs", "turned and ran", "turning and running"}),
        ("bull-rush", {"bull-rush", "bull-rushes", "bull-rushed", "bull-rushing"}),
        ("die", {"die", "dies", "died", "dying"}),
    ],
)
def test_a_verb_is_known_in_all_its_forms(verb: str, expected: set[str]) -> None:
    doubled, single = (frozenset(IRREGULAR["doubled"][each]) for each in ("yes", "no"))
    assert expected <= set(forms(verb, IRREGULAR["past"], doubled, single))
