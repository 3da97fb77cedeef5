"""The law of the clock, for a sample of the plays, fixtures and lawful fights of each ruleset."""

import os
from collections import Counter
from itertools import islice

import pytest

from projections.rulesets import RULESETS, find
from tests.clock.__main__ import ONE_IN, fights, plays, typed
from tests.clock.retyping import EXCEPTIONS
from tests.projections.stage import stage

FIRST = int(os.environ.get("LAWFUL_SEED", "0"))
each_ruleset = pytest.mark.parametrize("key", RULESETS)


@pytest.mark.in_turn(7)
@pytest.mark.slow
@each_ruleset
def test_a_line_of_a_play_moves_the_clock_as_recorded_or_says_none_moves(key: str, whole: bool) -> None:
    found, wrong = Counter[str](), []
    for place, line in typed(islice(plays(key), 0, None, 1 if whole else 6)):
        found[line.verdict] += 1
        wrong += [(place, line)] if line.verdict == "other" else []
    assert wrong == []
    assert ONE_IN * found["refused"] <= found.total()


@pytest.mark.in_turn(7)
@pytest.mark.slow
@each_ruleset
def test_in_lawful_fights_the_clock_moves_as_it_did_or_it_is_said(key: str, whole: bool) -> None:
    assert [
        (place, line) for place, line in typed(fights(key, FIRST, 10 if whole else 2)) if line.verdict == "other"
    ] == []


@pytest.mark.slow
def test_a_play_that_is_not_typed_is_a_play() -> None:
    keys = {name.partition(",")[0] for name in EXCEPTIONS}
    there = {f"{key}, {play.source}, line {play.line}" for key in keys for play in stage(find(key))}
    assert there >= EXCEPTIONS.keys()
