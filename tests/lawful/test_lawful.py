"""Random lawful play of every ruleset that has a generator: nothing is found in it, and values agree.

With `LAWFUL_SEED` in the environment other fights are played; `.ci/run` prints the number that it takes.
"""

import os

import pytest

from tests.lawful.__main__ import KEYS, broken, lawful
from tests.lawful.judging import faults

FIGHTS = range(first := 10 * int(os.environ.get("LAWFUL_SEED", "0")), first + 10)


@pytest.mark.parametrize("number", FIGHTS)
@pytest.mark.parametrize("key", KEYS)
def test_lawful_play_raises_no_finding_and_comes_to_the_same_values(key: str, number: int) -> None:
    assert list(faults(key, lawful(key, number))) == []


@pytest.mark.parametrize("number", FIGHTS)
@pytest.mark.parametrize("key", KEYS)
def test_one_rule_broken_on_purpose_is_exactly_what_is_found(key: str, number: int) -> None:
    fight = broken(key, number)
    assert fight.breaks
    assert list(faults(key, fight)) == []
