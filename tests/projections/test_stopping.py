"""Work that nobody wants any more ends between two records of a replay."""

import pytest

from projections.replay.replay import replay
from projections.stopping import Abandoned, check_wanted, stop_unless_wanted
from tests.projections.logs import hit, joins, records

LOG = records(joins("ulf"), *(hit("ulf", 1) for _ in range(5)))


def test_a_replay_ends_at_the_record_after_which_nobody_wants_it() -> None:
    seen: list[int] = []
    with pytest.raises(Abandoned), stop_unless_wanted(lambda: len(seen) < 3):
        replay(LOG, after=lambda _, fact: seen.append(fact.seq))
    assert len(seen) == 3


def test_a_replay_that_is_wanted_or_asks_nobody_comes_to_its_end() -> None:
    with stop_unless_wanted(lambda: True):
        assert replay(LOG).records == len(LOG)
    assert replay(LOG).records == len(LOG)


def test_what_is_not_wanted_says_so_only_in_its_block() -> None:
    with stop_unless_wanted(lambda: False), pytest.raises(Abandoned):
        check_wanted()
    check_wanted()
