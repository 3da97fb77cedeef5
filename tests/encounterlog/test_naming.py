"""Names on pages for people: short, never two alike, and never in the way of what is said of them."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from encounterlog.log import given as examples
from encounterlog.words.facts import shorten_fact
from encounterlog.words.layout import width
from encounterlog.words.naming import Labels, label_combatants
from eventstore.events import EVENT_TYPES
from eventstore.form import event_of
from tests.encounterlog.support import calls, encounter
from tests.tables import for_each

LONG = (
    "Bartholomew the Unready, Keeper of the Second Gate and Warden of the Northern Marches, called by his friends Bart"
)


def joins(who: str, name: str, side: str = "heroes", hp: int = 9) -> dict[str, Any]:
    return {"type": "combatant_joined", "combatant": who, "name": name, "side": side, "sheet": {"hp": hp}}


def attack(who: str, whom: str) -> dict[str, Any]:
    return {"type": "action_taken", "combatant": who, "action": {"kind": "attack", "name": "axe", "targets": [whom]}}


def lines(*words: object) -> list[str]:
    done = encounter(*words)
    assert (done.exit_code, done.stderr) == (0, "")
    assert max(map(width, done.stdout.splitlines())) < 100, "under 100 columns"
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ({"ada": "Ada", "bo": "Bo"}, ["Ada", "Bo"]),
        ({"orc-1": "Orc", "orc-2": "Orc", "bo": "Bo"}, ["Orc (orc-1)", "Orc (orc-2)", "Bo"]),
        ({"a": LONG, "b": LONG + " II"}, [f"{LONG[:23]}… (a)", f"{LONG[:23]}… (b)"]),
        ({"ada": "bo", "bo": "Bo"}, ["bo (ada)", "Bo"]),
        ({"orc-1": "Orc", "x": "Orc (orc-1)", "y": "Orc"}, ["orc-1", "x", "Orc (y)"]),
        ({"orc-" + "1" * 60: "Orc", "orc-" + "1" * 59 + "2": "Orc"}, ["orc-" + "1" * 60, "orc-" + "1" * 59 + "2"]),
    ],
)
def test_a_name_that_would_be_taken_for_another_has_its_id_beside_it_or_is_the_id(
    names: dict[str, str], wanted: Sequence[str]
) -> None:
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
