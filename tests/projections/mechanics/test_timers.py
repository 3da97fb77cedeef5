"""Timers: what counts which boundaries, what is over when, and how many boundaries that takes."""

import pytest

from projections.mechanics import timers
from projections.mechanics.conditions import Effect
from projections.mechanics.timers import Timer, Timers

KEY = (3, "bo")


def running(left: int, **fields: int) -> tuple[Timers, Effect]:
    """Return the timer of one effect on the turns of ana."""
    effect, found = Effect(3, "haze", "bo", left=left), Timers()
    timers.start(found, KEY, Timer(effect, "ana", "start", **fields))
    return found, effect


def test_a_timer_counts_the_boundaries_of_its_owner_alone_whoever_bears_the_effect() -> None:
    found, effect = running(2)
    assert timers.count(found, "bo", 5, "start") == []
    assert timers.count(found, "ana", 6, "end") == []
    assert effect.left == 2
    assert timers.count(found, "ana", 7, "start") == []
    assert effect.left == 1


def test_what_is_over_is_returned_and_its_timer_stopped() -> None:
    found, effect = running(1)
    assert timers.count(found, "ana", 7, "start") == [KEY]
    assert (effect.left, KEY in found) == (0, False)


def test_the_records_that_counted_are_the_reason_for_the_end() -> None:
    found, effect = running(2)
    for seq in (7, 9):
        timers.count(found, "ana", seq, "start")
    assert timers.ran_out(effect, ("a.rule",)).flat().events == (7, 9)


@pytest.mark.parametrize(
    ("left", "step", "least", "boundaries"),
    [(10, 5, 1, 2), (7, 5, 1, 2), (3, 5, 1, 1), (10, 5, 5, 2), (7, 5, 5, 1), (3, 5, 5, 1), (4, 1, 1, 4)],
)
def test_as_many_boundaries_as_are_foretold_end_an_effect(left: int, step: int, least: int, boundaries: int) -> None:
    found, _ = running(left, step=step, least=least)
    assert found[KEY].boundaries == boundaries
    over = [bool(timers.count(found, "ana", seq, "start")) for seq in range(boundaries)]
    assert over == [False] * (boundaries - 1) + [True]


def test_boundaries_that_are_skipped_count_nothing() -> None:
    found, effect = running(1, skip=1)
    assert found[KEY].boundaries == 2
    assert timers.count(found, "ana", 7, "start") == []
    assert (effect.left, effect.ticked_by) == (1, ())
    assert timers.count(found, "ana", 8, "start") == [KEY]


def test_several_boundaries_can_go_by_at_once_for_everybody() -> None:
    found, effect = running(5)
    assert timers.count_all(found, 7, 3) == []
    assert effect.left == 2
    assert timers.count_all(found, 8, 0) == []
    assert timers.count_all(found, 9, 3) == [KEY]


def test_a_new_timer_takes_the_place_of_the_one_before() -> None:
    found, effect = running(5)
    timers.start(found, KEY, Timer(effect, "bo"))
    assert list(timers.owners(found)) == ["bo"]
    assert timers.stop(found, KEY)
    assert timers.stop(found, KEY) is None
    assert list(timers.owners(found)) == []


def test_what_never_said_how_long_it_lasts_is_over_with_the_first_boundary() -> None:
    effect, found = Effect(3, "haze", "bo"), Timers()
    timers.start(found, KEY, Timer(effect, "ana", "start", least=0))
    assert found[KEY].boundaries == 1
    assert timers.count(found, "ana", 7, "start") == [KEY]
    assert effect.left == -1
