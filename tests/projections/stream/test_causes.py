"""Causes: the chain of facts from which a fact follows."""

import pytest

from projections.stream.causes import cause_chain, is_uncaused
from tests.projections.logs import act, bears, fact, hit, joins, play


def test_a_cycle_of_causes_ends_where_it_closes() -> None:
    looped = play(joins("ana"), hit("ana", 1, cause=4), hit("ana", 1, cause=3)).moments
    assert [each.seq for each in cause_chain(looped, 4)] == [4, 3]


@pytest.mark.parametrize(("said", "uncaused"), [
    (hit("ana", 1), True),
    (hit("ana", 1, cause=3), False),
    (fact("healed", target="ana", amount=1), True),
    (bears("haze", "ana"), True),
    (bears("haze", "ana", cause=3), False),
    (bears("haze", "ana", source="ana"), False),
    (fact("condition_gained", condition="prone", targets=["ana"]), True),
    (fact("condition_gained", condition="prone", targets=["ana"], source="ana"), False),
    (act("ana"), False),
])  # fmt: skip
def test_harm_healing_and_what_has_no_source_are_uncaused_without_a_cause(said: str, uncaused: bool) -> None:
    assert is_uncaused(play(joins("ana"), act("ana"), said).moments[4]) == uncaused
