"""An event of a long log in which nobody counts rounds is judged by as many calls of functions as one of a short log."""

import sys
from types import FrameType

import pytest

from benchmarks.rules import OF_ROUNDS, in_memory
from projections.judging.audit import audit
from projections.rulesets import RULESETS

SOME, MANY = 300, 2_400


def taken(key: str, events: int) -> tuple[int, int]:
    """Return how many functions an audit of so many events calls for the last SOME of them, and once it has seen all."""
    records = in_memory(key, events, left_out=OF_ROUNDS)
    found, before = 0, list[int]()
    uncounted = events - 1 - SOME  # the opening is judged by nobody, and to count makes what is counted slow

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal found
        found += event in ("call", "c_call")

    def look(_state: object, _fact: object) -> None:
        before.append(found)
        if len(before) == uncounted:
            sys.setprofile(count)

    try:
        audit(records, before=look)
    finally:
        sys.setprofile(None)
    assert len(before) == events - 1
    return before[-1] - before[-SOME], found - before[-1]


@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_an_event_without_any_round_takes_no_more_calls_among_many(key: str) -> None:
    few, few_at_the_end = taken(key, 2 * SOME)
    many, many_at_the_end = taken(key, MANY)
    assert many <= 1.25 * few
    assert many_at_the_end <= 1.25 * few_at_the_end * MANY / (2 * SOME)
