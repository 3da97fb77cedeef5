"""Fights of the fifth edition, each by itself, as witnesses of what is changed in its functions (tests/tools/unnoticed.py)."""

import pytest

from tests.lawful.__main__ import broken, lawful
from tests.lawful.judging import faults


@pytest.mark.in_turn(4)
@pytest.mark.slow
@pytest.mark.parametrize("number", range(100, 125))
def test_lawful_play_raises_no_finding_and_comes_to_the_same_values(number: int) -> None:
    assert list(faults("5e", lawful("5e", number))) == []


@pytest.mark.parametrize("number", range(100, 160))
def test_one_rule_broken_on_purpose_is_exactly_what_is_found(number: int) -> None:
    assert list(faults("5e", broken("5e", number))) == []
