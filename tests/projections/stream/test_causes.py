"""Causes: the chain of facts from which a fact follows."""

import pytest

from projections.state import State
from projections.stream.causes import cause_chain, cause_records, causes, find_origin, is_uncaused
from tests.projections.logs import act, bears, fact, hit, joins, play

TOLD = (joins("ana"), act("ana"), hit("ana", 1, cause=3), hit("ana", 1, cause=4), act("ana"), hit("ana", 1, cause=99))
"""Records 2 to 7: 5 follows from 4, and this from 3; what 7 follows from is not there."""


@pytest.fixture
def state() -> State:
    return play(*TOLD)


def test_the_lineage_of_a_cause_goes_back_to_the_fact_that_has_none(state: State) -> None:
    assert cause_records(state, 5) == (5, 4, 3, 0)
    assert cause_records(state, 0) == (0,)
    assert cause_records(state, 7) == (7, 99)
    assert [each.seq for each in causes(state, 5)] == [5, 4, 3]


def test_a_cycle_of_causes_ends_where_it_closes() -> None:
    looped = play(joins("ana"), hit("ana", 1, cause=4), hit("ana", 1, cause=3)).moments
    assert [each.seq for each in cause_chain(looped, 4)] == [4, 3]


@pytest.mark.parametrize(
    ("cause", "among", "found"),
    [(5, {3}, 3), (5, {3, 4}, 4), (5, {5, 3}, 5), (7, {99}, 99), (5, {2, 6}, 0), (0, {3}, 0)],
)
def test_the_origin_is_the_first_in_the_lineage_that_is_looked_for(
    state: State, cause: int, among: set[int], found: int
) -> None:
    assert find_origin(state, cause, among) == found


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
