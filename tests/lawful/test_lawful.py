"""Random lawful play of every ruleset that has a generator: nothing is found in it, and values agree.

With `LAWFUL_SEED` in the environment other fights are played.
"""

import os

import pytest

from eventstore.form import event_of
from tests.lawful.__main__ import KEYS, broken, lawful
from tests.lawful.judging import faults

FIRST = 10 * int(os.environ.get("LAWFUL_SEED", "0"))
FIGHTS, IN_SAMPLE = 10, 4
"""How many fights of a ruleset are played."""
each_ruleset = pytest.mark.parametrize("key", KEYS)


@pytest.mark.in_turn(7)
@pytest.mark.slow
@each_ruleset
def test_lawful_play_raises_no_finding_and_comes_to_the_same_values(key: str, whole: bool) -> None:
    for number in range(FIRST, FIRST + (FIGHTS if whole else IN_SAMPLE)):
        assert list(faults(key, lawful(key, number))) == [], number


@each_ruleset
def test_one_rule_broken_on_purpose_is_exactly_what_is_found(key: str, whole: bool) -> None:
    for number in range(FIRST, FIRST + (FIGHTS if whole else IN_SAMPLE)):
        fight = broken(key, number)
        assert fight.breaks, number
        assert list(faults(key, fight)) == [], number


@pytest.mark.in_turn(7)
@pytest.mark.slow
@each_ruleset
def test_the_same_seed_gives_the_same_fight_and_every_fact_is_well_formed(key: str) -> None:
    for play in (lawful, broken):
        for number in range(FIRST, FIRST + FIGHTS):
            fight = play(key, number)
            assert fight == play(key, number), number
            assert all(map(event_of, fight.facts)), number
