"""An event of a long log in which nobody counts rounds is judged by as many calls of functions as one of a short log."""

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from benchmarks.rules import OF_ROUNDS, in_memory
from projections.judging.audit import audit
from projections.rulesets import RULESETS

SOME, MANY = 300, 2_400


def calls(work: Callable[[], object]) -> int:
    """Return how many functions work calls."""
    found = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal found
        found += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def taken(key: str, last: int) -> int:
    """Return how many functions are called for the last SOME of so many events."""
    records = in_memory(key, last, left_out=OF_ROUNDS)
    return calls(lambda: audit(records)) - calls(lambda: audit(records[:-SOME]))


@pytest.mark.parametrize("key", RULESETS)
def test_an_event_without_any_round_takes_no_more_calls_however_many_there_are(key: str) -> None:
    assert taken(key, MANY) <= 1.25 * taken(key, 2 * SOME)
