"""Names on pages for people: short, never two alike, and never in the way of what is said of them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from encounterlog.log import given as examples
from encounterlog.words.facts import brief, shortened
from encounterlog.words.layout import width
from encounterlog.words.naming import Labels, labels
from eventstore.events import EVENT_TYPES
from eventstore.form import event_of
from tests.encounterlog.support import append, calls, encounter, log_of
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
    assert list(labels(names.items()).values()) == list(wanted)


def test_namesakes_can_be_told_apart_in_order_strip_and_timeline(folder: Path) -> None:
    facts = [
        joins("orc-1", "Orc", "orcs"),
        joins("orc-2", "Orc", "orcs"),
        joins("ada", "Ada"),
        {"type": "round_started", "round": 1},
        {"type": "initiative_rolled", "side": "heroes", "die": 3},
        {"type": "initiative_rolled", "side": "orcs", "die": 2},
        {"type": "segment_reached", "segment": 2},
        {"type": "action_taken", "combatant": "ada", "action": {"kind": "attack", "targets": ["orc-2"]}},
        {"type": "segment_reached", "segment": 3},
        attack("orc-1", "ada"),
        attack("orc-2", "ada"),
    ]
    log = log_of(folder / "orcs.jsonl", facts)
    page = "\n".join(lines("show", log))
    every = "\n".join(lines("show", log, "--all"))
    assert "Orc (orc-1) & Orc (orc-2)" in page
    for who in ("orc-1", "orc-2"):
        assert f"  Orc ({who})         . . . A&" in page
        assert f"  Orc ({who})  orcs    [#" in page
        assert f"segment 3  Orc ({who})  attack axe  done" in every
    assert "Orc (orc-2) attacks Ada with an axe" in "\n".join(lines("log", log))


def test_a_long_name_stands_in_no_verbs_way(folder: Path) -> None:
    log = log_of(folder / "a.jsonl", [joins("bart", LONG), joins("ulf", "Ulf", "orcs")], "plain")
    append(log, [{"type": "damage_dealt", "target": "bart", "amount": 7, "source": "ulf"}, attack("bart", "ulf")])
    for verb in ("log", "replay"):
        told = "\n".join(lines(verb, log))
        assert "Bartholomew the Unready, Ke… (bart) joins the heroes with 9 hp" in told
        assert "Bartholomew the Unready… takes 7 damage from Ulf" in told
        assert "Bartholomew the Unready… attacks Ulf with an axe" in told
        whole = [json.loads(line) for line in encounter(verb, log, "--json").stdout.splitlines()]
        assert whole[3]["words"] == f"{LONG} takes 7 damage from Ulf"


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (
            {"type": "ruling_made", "ruling": "waiver", "event": 7, "rule": "a.b", "decision": "so be it " * 99},
            "ruling (waiver, on 7, a.b): so be it",
        ),
        (
            {"type": "attack_rolled", "combatant": "ana", "name": "x" * 99, "die": 9, "total": 12, "hit": True},
            f"ana's attack with {'x' * 27}…: rolls 9, total 12, hit",
        ),
        (
            {"type": "condition_gained", "condition": "y" * 99, "targets": ["a", "b", "c", "d", "e"]},
            f"a, b, c and 2 more become {'y' * 27}…",
        ),
        (
            {"type": "inserted", "after": 3, "fact": {"type": "effect_ended", "effect": "z" * 99, "reason": "w" * 99}},
            f"put in after event 3: {'z' * 27}… ends (www",
        ),
    ],
)
def test_where_a_sentence_gets_long_its_words_are_clipped_and_free_text_comes_last(
    fact: dict[str, Any], words: str
) -> None:
    assert brief(event_of(fact)).startswith(words)


def test_modifiers_stand_behind_what_they_come_to() -> None:
    fact = {"type": "save_rolled", "combatant": "bo", "die": 9, "total": 12, "dc": 11, "succeeded": True}
    fact["modifiers"] = [{"name": "wisdom", "amount": 2}, {"name": "bless", "amount": 1}]
    assert (
        brief(event_of(fact))
        == "bo's saving throw: rolls 9, total 12 against 11, recorded as a success (+2 wisdom, +1 bless)"
    )


@for_each("kind", EVENT_TYPES)
def test_what_is_short_is_not_changed(kind: Any) -> None:
    event = event_of(json.loads(examples.example(kind).replace("…", "0" * 64)))
    assert shortened(event) == event


IDS = st.sampled_from(("orc", "orc-1", "orc-2", "ada", "bo", "x" * 40, "x" * 41))
CALLED = st.sampled_from(
    ("Orc", "orc", "orc-1", "Orc (orc-1)", "orc (orc)", "bo", "ada (bo)", "Ada", "x" * 40, "Orc\u200b")
)


@given(names=st.lists(st.tuples(IDS, CALLED), max_size=9))
def test_no_two_labels_are_alike_and_none_is_the_id_of_another(names: list[tuple[str, str]]) -> None:
    found = labels(names)
    assert len(set(found.values())) == len(found)
    assert all(label == who or label not in found for who, label in found.items())
    one_by_one = Labels()
    for who, called in names:
        one_by_one.add(who, called)
    assert {who: one_by_one(who) for who, _ in names} == found == labels(dict(names).items())


def test_names_of_thousands_of_combatants_are_found_quickly() -> None:
    """The steps are counted, not the time: each label is asked for after each joining, as a listing does."""
    made = Labels()

    def works() -> None:
        for number in range(3000):
            made.add(f"orc-{number}", "Orc")
            made(f"orc-{number // 2}")

    assert calls(works) < 3000 * 30


def test_who_joins_again_under_another_name_is_called_by_that(folder: Path) -> None:
    hurt = {"type": "damage_dealt", "target": "a", "amount": 1}
    log = log_of(folder / "a.jsonl", [joins("a", "Ada"), hurt, joins("a", "Eve"), joins("b", "Ada"), hurt], "plain")
    told = "\n".join(lines("log", log))
    assert "Ada takes 1 damage" in told
    assert "Eve takes 1 damage" in told
