"""Facts in words, a sentence on one line for every type; names that are short, never two alike, and never in the way."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from encounterlog.log import appending as examples
from encounterlog.words.facts import WORDS, fact_sentence, shorten_fact
from encounterlog.words.naming import Labels, label_combatants
from eventstore.events import EVENT_TYPES, ConditionGained
from eventstore.form import event_of
from eventstore.shapes import Duration
from eventstore.wording import list_in_words
from tests.encounterlog.support import calls
from tests.tables import for_each


def test_every_type_of_fact_has_a_sentence_and_lists_their_words() -> None:
    assert set(WORDS) == set(EVENT_TYPES)
    assert [list_in_words("abc"[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


WORDED = [
    ({"type": "damage_dealt", "target": "bo", "amount": 2, "nonlethal": True}, "bo takes 2 non-lethal damage"),
    (
        {
            "type": "attack_rolled",
            "combatant": "ana",
            "target": "orc-1",
            "die": {"notation": "2d20kh1", "faces": [10, 18], "dropped": [0]},
            "total": 21,
            "ac": 14,
            "hit": True,
        },
        "ana's attack on Orc: rolls 2d20kh1 [(10), 18], total 21 against AC 14, hit",
    ),
    (
        {"type": "save_rolled", "combatant": "bo", "save": "wisdom", "die": 1, "dc": 11, "succeeded": False},
        "bo's wisdom save: rolls 1, against 11, recorded as a failure",
    ),
    (
        {
            "type": "effect_started",
            "effect": "haze",
            "source": "lum",
            "targets": ["ana", "bo"],
            "duration": {"amount": 10, "unit": "round"},
            "concentration": True,
        },
        "ana and bo: haze for 10 rounds (lum concentrates)",
    ),
    ({"type": "time_passed", "time": {"amount": 10, "unit": "day"}}, "10 days go by"),
    (
        {"type": "checked", "values": {"bo.hp": 3, "order": ["ana", ["bo", "cy"]]}},
        "stated: bo.hp 3, order ana, bo & cy",
    ),
    ({"type": "action_taken", "combatant": "bo", "action": {"kind": "other", "name": "pray"}}, "bo does pray"),
    ({"type": "action_taken", "combatant": "bo", "action": {"kind": "stand-up"}}, "bo takes the stand-up action"),
]


@for_each(("fact", "words"), WORDED)
def test_a_fact_in_words(fact: dict[str, object], words: str) -> None:
    assert fact_sentence(event_of(fact), lambda who: "Orc" if who == "orc-1" else who) == words


@pytest.mark.parametrize(("amount", "at", "expected"), [
    (0, "end", "bo becomes stunned until the end of ana's turn"),
    (1, "end", "bo becomes stunned until the end of ana's next turn"),
    (1, "start", "bo becomes stunned until the start of ana's next turn"),
    (2, "end", "bo becomes stunned for 2 rounds, until the end of ana's turn"),
    (10, "start", "bo becomes stunned for 10 rounds"),
    (1, None, "bo becomes stunned for 1 round"),
])  # fmt: skip
def test_what_lasts_until_a_turn_is_said_to(amount: int, at: str | None, expected: str) -> None:
    lasting = Duration(amount=amount, unit="round", of="ana", at=at)
    assert fact_sentence(ConditionGained(condition="stunned", targets=("bo",), duration=lasting)) == expected


LONG = (
    "Bartholomew the Unready, Keeper of the Second Gate and Warden of the Northern Marches, called by his friends Bart"
)


@pytest.mark.parametrize(("names", "wanted"), [
    ({"ada": "Ada", "bo": "Bo"}, ["Ada", "Bo"]),
    ({"orc-1": "Orc", "orc-2": "Orc", "bo": "Bo"}, ["Orc (orc-1)", "Orc (orc-2)", "Bo"]),
    ({"a": LONG, "b": LONG + " II"}, [f"{LONG[:23]}… (a)", f"{LONG[:23]}… (b)"]),
    ({"ada": "bo", "bo": "Bo"}, ["bo (ada)", "Bo"]),
    ({"orc-1": "Orc", "x": "Orc (orc-1)", "y": "Orc"}, ["orc-1", "x", "Orc (y)"]),
    ({"orc-" + "1" * 60: "Orc", "orc-" + "1" * 59 + "2": "Orc"}, ["orc-" + "1" * 60, "orc-" + "1" * 59 + "2"]),
])  # fmt: skip
def test_a_name_like_another_has_its_id_beside_it_or_is_the_id(names: dict[str, str], wanted: Sequence[str]) -> None:
    assert list(label_combatants(names.items()).values()) == list(wanted)


@for_each("kind", EVENT_TYPES)
def test_what_is_short_is_not_changed(kind: Any) -> None:
    event = event_of(json.loads(examples.example_line(kind).replace("…", "0" * 64)))
    assert shorten_fact(event) == event


IDS = st.sampled_from(("orc", "orc-1", "orc-2", "ada", "bo", "x" * 40, "x" * 41))
CALLED = st.sampled_from(
    ("Orc", "orc", "orc-1", "Orc (orc-1)", "orc (orc)", "bo", "ada (bo)", "Ada", "x" * 40, "Orc\u200b")
)


@given(names=st.lists(st.tuples(IDS, CALLED), max_size=9))
def test_no_two_labels_are_alike_and_none_is_the_id_of_another(names: list[tuple[str, str]]) -> None:
    found = label_combatants(names)
    assert len(set(found.values())) == len(found)
    assert all(label == who or label not in found for who, label in found.items())
    one_by_one = Labels()
    for who, called in names:
        one_by_one.add(who, called)
    assert {who: one_by_one(who) for who, _ in names} == found == label_combatants(dict(names).items())


def test_names_of_thousands_of_combatants_are_found_quickly() -> None:
    """The steps are counted, not the time: each label is asked for after each joining, as a listing does."""
    made = Labels()

    def works() -> None:
        for number in range(3000):
            made.add(f"orc-{number}", "Orc")
            made(f"orc-{number // 2}")

    assert calls(works) < 3000 * 30
