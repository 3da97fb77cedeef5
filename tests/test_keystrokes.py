"""A round and whole fights take few keystrokes, and no fact of them is lost."""

import pytest

from benchmarks.keystrokes import REFERENCE, on_the_page, typed, written
from eventstore.events import EncounterOpened, RoundStarted, TurnStarted
from projections.judging.audit import audit
from projections.language.notation.records import make_records
from projections.rulesets import RULESETS, find

MOST = {"5e": 6}
"""The most keystrokes a fact, where it is not 8."""


def test_the_reference_round_takes_at_most_75_keystrokes() -> None:
    found = typed(REFERENCE)
    assert found.keystrokes <= 75
    assert found.typed_facts == found.written


@pytest.mark.parametrize(("title", "most"), [("reference round", 45), ("damage to one", 3), ("next turn", 1)])
def test_the_controls_of_the_page_take_few_clicks_and_keys(title: str, most: int) -> None:
    assert 0 < sum(each.inputs for each in on_the_page()[title]) <= most


@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_a_fight_of_three_rounds_takes_few_keystrokes_a_fact(key: str) -> None:
    found = typed(key)
    assert found.typed_facts == found.written
    assert found.facts >= 60
    assert found.keystrokes <= MOST.get(key, 8) * found.facts
    turns = [fact.combatant for fact in found.typed_facts if isinstance(fact, TurnStarted)]
    rounds = sum(isinstance(fact, RoundStarted) for fact in found.typed_facts)
    assert max(rounds, *(turns.count(who) for who in {*turns}), 0) >= 3


@pytest.mark.parametrize("key", RULESETS)
def test_the_fights_are_lawful(key: str) -> None:
    rules = find(key)
    opening = EncounterOpened(format=1, encounter="x", title="x", ruleset=key, revision=rules.revision, options={})
    assert audit(make_records([opening, *written(key)], 1)).findings == ()
