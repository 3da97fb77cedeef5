"""A round and whole fights take few keystrokes, and no fact of them is lost."""

import pytest

from benchmarks.keystrokes import REFERENCE, typed
from eventstore.events import RoundStarted, TurnStarted
from projections.rulesets import RULESETS


def test_the_reference_round_takes_at_most_75_keystrokes() -> None:
    found = typed(REFERENCE)
    assert found.keystrokes <= 75
    assert found.told == found.written


@pytest.mark.parametrize("key", RULESETS)
def test_a_fight_of_three_rounds_takes_at_most_8_keystrokes_a_fact(key: str) -> None:
    found = typed(key)
    assert found.told == found.written
    assert found.facts >= 60
    assert found.keystrokes <= 8 * found.facts
    turns = [fact.combatant for fact in found.told if isinstance(fact, TurnStarted)]
    rounds = sum(isinstance(fact, RoundStarted) for fact in found.told)
    assert max(rounds, *(turns.count(who) for who in {*turns}), 0) >= 3
