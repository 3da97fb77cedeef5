"""The law of the hidden, over random logs: players learn nothing of a combatant whose joining is secret."""

import pytest

from tests.hidden import RULESETS, problems


@pytest.mark.in_turn(7)
@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_no_answer_for_players_names_a_hidden_combatant_or_depends_on_one(key: str, whole: bool) -> None:
    for seed in range(20 if whole else 2):
        assert [*problems(key, seed)] == [], f"python -m tests.hidden --show {key} {seed}"
