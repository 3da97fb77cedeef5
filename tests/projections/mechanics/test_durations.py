"""Durations: what counts which boundaries, what is over when, and how many boundaries that takes."""

from types import SimpleNamespace

import pytest

from eventstore.shapes import Duration
from projections.mechanics import durations
from projections.mechanics.conditions import Effect
from projections.mechanics.durations import Passed, Side, Timer, Timers, timer_on_turns, until
from projections.state import Clock

KEY = (3, "bo")
START, END = Passed("ana", "start"), Passed("ana", "end")


def running(left: int, **fields: int) -> tuple[Timers, Effect]:
    """Return the timer of one effect on the turns of ana."""
    effect, found = Effect(3, "haze", "bo", left=left), Timers()
    durations.start(found, KEY, Timer(effect, "ana", "start", **fields))
    return found, effect


def test_a_timer_counts_the_boundaries_of_its_owner_alone_whoever_bears_the_effect() -> None:
    found, effect = running(2)
    assert durations.count(found, Passed("bo", "start"), 5) == []
    assert durations.count(found, END, 6) == []
    assert effect.left == 2
    assert durations.count(found, START, 7) == []
    assert durations.count(found, Passed("ana"), 8) == [KEY]
    assert effect.left == 0


def test_the_records_that_counted_are_kept() -> None:
    found, effect = running(2)
    for seq in (7, 9):
        durations.count(found, START, seq)
    assert effect.ticked_by == (7, 9)


@pytest.mark.parametrize(
    ("left", "step", "least", "boundaries"),
    [(10, 5, 1, 2), (7, 5, 1, 2), (3, 5, 1, 1), (10, 5, 5, 2), (7, 5, 5, 1), (3, 5, 5, 1), (4, 1, 1, 4)],
)
def test_as_many_boundaries_as_are_foretold_end_an_effect(left: int, step: int, least: int, boundaries: int) -> None:
    found, _ = running(left, step=step, least=least)
    assert found[KEY].boundaries == boundaries
    over = [bool(durations.count(found, START, seq)) for seq in range(boundaries)]
    assert over == [False] * (boundaries - 1) + [True]


def test_boundaries_that_are_skipped_count_nothing() -> None:
    found, effect = running(1, skip=1)
    assert found[KEY].boundaries == 2
    assert durations.count(found, START, 7) == []
    assert (effect.left, effect.ticked_by) == (1, ())
    assert durations.count(found, START, 8) == [KEY]


def test_several_boundaries_can_go_by_at_once_for_everybody() -> None:
    found, effect = running(5)
    assert durations.count(found, Passed(None, None, 3), 7) == []
    assert effect.left == 2
    assert durations.count(found, Passed(None, None, 0), 8) == []
    assert durations.count(found, Passed(None, None, 3), 9) == [KEY]


def test_a_new_timer_takes_the_place_of_the_one_before() -> None:
    found, effect = running(5)
    durations.start(found, KEY, Timer(effect, "bo"))
    assert list(durations.owners(found)) == ["bo"]
    assert durations.stop(found, KEY)
    assert durations.stop(found, KEY) is None
    assert list(durations.owners(found)) == []


def test_what_never_said_how_long_it_lasts_is_over_with_the_first_boundary() -> None:
    effect, found = Effect(3, "haze", "bo"), Timers()
    durations.start(found, KEY, Timer(effect, "ana", "start", least=0))
    assert found[KEY].boundaries == 1
    assert durations.count(found, START, 7) == [KEY]
    assert effect.left == -1


@pytest.mark.parametrize(
    ("said", "owner", "at"),
    [
        (until("cy", "end", 2), "cy", "end"),
        (until("cy"), "cy", "start"),
        (Duration(amount=1, unit="round", at="End"), "bo", "end"),
        (Duration(amount=1, unit="round"), "bo", "start"),
    ],
)
def test_turns_that_are_said_count_else_those_of_the_first_who_is_anybody(said: Duration, owner: str, at: str) -> None:
    effect = Effect(3, "haze", "bo")
    timer = timer_on_turns(effect, said, "", "bo", "ana", skip=1)
    assert (timer.owner, timer.at, timer.skip) == (owner, at, 1)
    assert timer_on_turns(effect, Duration(amount=1, unit="round"), "").owner == ""


@pytest.mark.parametrize(
    ("turn", "at", "skip"), [("ana", "end", 1), ("cy", "end", 1), ("ana", "start", 0), ("bo", "end", 0)]
)
def test_the_end_of_the_next_turn_is_not_that_of_the_turn_that_runs(turn: str, at: Side, skip: int) -> None:
    state = SimpleNamespace(clock=Clock(turn=turn, together=("ana",) if turn == "cy" else ()))
    timer = durations.timer_of_next_turn(state, Effect(3, "haze", "bo"), until("ana", at))  # type: ignore[arg-type]
    assert (timer.owner, timer.at, timer.skip) == ("ana", at, skip)


def test_what_is_nobodys_does_not_wait_for_the_end_of_a_turn_while_there_is_none() -> None:
    state = SimpleNamespace(clock=Clock())
    timer = durations.timer_of_next_turn(state, Effect(3, "haze", ""), Duration(amount=1, unit="round", at="end"))  # type: ignore[arg-type]
    assert (timer.owner, timer.skip) == ("", 0)
