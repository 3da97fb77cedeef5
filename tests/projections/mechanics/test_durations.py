"""Durations: what counts which boundaries, what is over when, and how many boundaries that takes."""

from types import SimpleNamespace

import pytest

from projections.because import Because, Derived
from projections.fight import Clock
from projections.mechanics import timers
from projections.mechanics.conditions import Effect
from projections.mechanics.timers import Passed, Side, Timer, Timers, until
from projections.ruleset.durations import origin_of_effect, timer_of_next_turn, until_next_turn
from tests.projections.logs import joins, play, turn

KEY = (3, "bo")
START, END = Passed("ana", "start"), Passed("ana", "end")


def running(left: int, step: int = 1, least: int = 1, skip: int = 0) -> tuple[Timers, Effect]:
    """Return the timer of one effect on the turns of ana."""
    effect, found = Effect(3, "haze", "bo", left=left), Timers()
    timers.start_timer(found, KEY, Timer(effect, "ana", "start", step, least, skip))
    return found, effect


@pytest.mark.parametrize(
    ("left", "step", "least", "boundaries"),
    [(10, 5, 1, 2), (7, 5, 1, 2), (3, 5, 1, 1), (10, 5, 5, 2), (7, 5, 5, 1), (3, 5, 5, 1), (4, 1, 1, 4)],
)
def test_as_many_boundaries_as_are_foretold_end_an_effect(left: int, step: int, least: int, boundaries: int) -> None:
    found, _ = running(left, step=step, least=least)
    assert found[KEY].boundaries == boundaries
    over = [bool(timers.count_down(found, START, seq)) for seq in range(boundaries)]
    assert over == [False] * (boundaries - 1) + [True]


@pytest.mark.parametrize(
    ("turn", "at", "skip"), [("ana", "end", 1), ("cy", "end", 1), ("ana", "start", 0), ("bo", "end", 0)]
)
def test_the_end_of_the_next_turn_is_not_that_of_the_turn_that_runs(turn: str, at: Side, skip: int) -> None:
    state = SimpleNamespace(clock=Clock(turn=turn, together=("ana",) if turn == "cy" else ()))
    timer = timer_of_next_turn(state, Effect(3, "haze", "bo"), until("ana", at))  # type: ignore[arg-type]
    assert (timer.owner, timer.at, timer.skip) == ("ana", at, skip)


# ---------------------------------------------------------------- whom an effect comes from


@pytest.mark.parametrize(
    ("source", "author", "found", "cited"),
    [("ana", None, "ana", ()), ("", "cy", "cy", (5,)), ("", None, "bo", (4,)), ("ana", "cy", "ana", ())],
)
def test_an_effect_comes_from_source_or_author_or_whoever_has_the_turn(
    source: str, author: str | None, found: str, cited: tuple[int, ...]
) -> None:
    state = play(*(joins(who) for who in ("ana", "bo")), turn("bo"))
    effect = Effect(6, "haze", "ana", source)
    effect.author = Derived(author, Because((), (5,))) if author else None
    assert origin_of_effect(state, effect) == found
    assert Because(of=effect.of).flat().events == cited


@pytest.mark.parametrize(("ruleset", "who", "at", "amount"), [
    ("plain", "ana", "end", 2), ("plain", "ana", "start", 1), ("plain", "bo", "end", 1), ("5e", "ana", "end", 1), ("vile-darkness", "ana", "end", 1),
])  # fmt: skip
def test_until_the_end_of_the_next_turn_is_not_ended_by_the_turn_that_runs(
    ruleset: str, who: str, at: Side, amount: int
) -> None:
    state = play(joins("ana"), joins("bo"), turn("ana"), ruleset=ruleset)
    assert until_next_turn(state, who, at) == until(who, at, amount)


def test_what_never_said_how_long_it_lasts_is_over_with_the_first_boundary() -> None:
    effect, found = Effect(3, "haze", "bo"), Timers()
    timers.start_timer(found, KEY, Timer(effect, "ana", "start", least=0))
    assert found[KEY].boundaries == 1
    assert timers.count_down(found, START, 7) == [KEY]
    assert effect.left == -1
