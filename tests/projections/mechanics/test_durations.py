"""Durations: what counts which boundaries, what is over when, and how many boundaries that takes."""

from types import SimpleNamespace

import pytest

from eventstore.shapes import Duration
from projections.because import Because, Derived
from projections.fight import Clock
from projections.mechanics import timers
from projections.mechanics.conditions import Effect
from projections.mechanics.timers import Passed, Side, Timer, Timers, timer_on_turns, until
from projections.ruleset.durations import from_whom, timer_of_next_turn, until_next_turn
from tests.projections.logs import joins, play, turn

KEY = (3, "bo")
START, END = Passed("ana", "start"), Passed("ana", "end")


def running(left: int, step: int = 1, least: int = 1, skip: int = 0) -> tuple[Timers, Effect]:
    """Return the timer of one effect on the turns of ana."""
    effect, found = Effect(3, "haze", "bo", left=left), Timers()
    timers.start(found, KEY, Timer(effect, "ana", "start", step, least, skip))
    return found, effect


def test_a_timer_counts_the_boundaries_of_its_owner_alone_whoever_bears_the_effect() -> None:
    found, effect = running(2)
    assert timers.count(found, Passed("bo", "start"), 5) == []
    assert timers.count(found, END, 6) == []
    assert effect.left == 2
    assert timers.count(found, START, 7) == []
    assert timers.count(found, Passed("ana"), 8) == [KEY]
    assert effect.left == 0


@pytest.mark.parametrize(
    ("left", "step", "least", "boundaries"),
    [(10, 5, 1, 2), (7, 5, 1, 2), (3, 5, 1, 1), (10, 5, 5, 2), (7, 5, 5, 1), (3, 5, 5, 1), (4, 1, 1, 4)],
)
def test_as_many_boundaries_as_are_foretold_end_an_effect(left: int, step: int, least: int, boundaries: int) -> None:
    found, _ = running(left, step=step, least=least)
    assert found[KEY].boundaries == boundaries
    over = [bool(timers.count(found, START, seq)) for seq in range(boundaries)]
    assert over == [False] * (boundaries - 1) + [True]


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
    timer = timer_of_next_turn(state, Effect(3, "haze", "bo"), until("ana", at))  # type: ignore[arg-type]
    assert (timer.owner, timer.at, timer.skip) == ("ana", at, skip)


# ---------------------------------------------------------------- what goes on after the end


def over(left: int, *seqs: int, **fields: int) -> Timers:
    """Return the timer of an effect that goes on after turns of ana by these records have ended it."""
    found, _ = running(left, **fields)
    timer = found[KEY]
    assert [bool(timers.count(found, START, seq)) for seq in seqs] == [False] * (len(seqs) - 1) + [True]
    timers.stop(found, KEY)
    found.past[KEY] = timer
    return found


@pytest.mark.parametrize(
    ("left", "seqs", "fields", "more"),
    [
        (1, (7,), {}, 1),
        (2, (7, 8), {}, 1),
        (2, (7, 7), {}, 2),
        (3, (7, 7, 9), {}, 2),
        (10, (7, 8), {"step": 5}, 1),
        (7, (7,), {"step": 5, "least": 5}, 1),
        (1, (7, 8), {"skip": 1}, 1),
    ],
)
def test_an_effect_is_long_over_once_it_would_be_so_without_any_one_record(
    left: int, seqs: tuple[int, ...], fields: dict[str, int], more: int
) -> None:
    found = over(left, *seqs, **fields)
    ended = [bool(timers.long_over(found, START, 20 + each)) for each in range(more)]
    assert ended == [False] * (more - 1) + [True]
    assert not found.past


@pytest.mark.parametrize("before", [True, False])
def test_what_counted_a_boundary_for_want_of_a_turn_is_never_long_over(before: bool) -> None:
    gone = Passed("ana", absent=True)
    found, _ = running(1)
    timer = found[KEY]
    timers.count(found, gone if before else START, 7)
    timers.stop(found, KEY)
    found.past[KEY] = timer
    assert timers.long_over(found, START if before else gone, 8) == []
    assert [timers.long_over(found, START, seq) for seq in (9, 10)] == [[], []]


def test_a_record_that_is_counted_back_makes_nothing_long_over() -> None:
    found = over(1, 7)
    (timer,) = timers.long_over(found, START, 20)
    assert timers.count_back(found, "bo", 20) == []
    assert timers.count_back(found, "ana", 20) == [timer]
    assert found.past == {KEY: timer}
    assert timers.long_over(found, START, 21) == [timer]
    assert timers.count_back(found, "ana", 20) == []
    assert not found.past


@pytest.mark.parametrize(("owner", "seq", "more"), [("ana", 20, 2), ("bo", 20, 1), ("ana", 19, 1)])
def test_only_what_a_record_of_this_owner_counted_is_counted_back(owner: str, seq: int, more: int) -> None:
    found = over(2, 7, 7)
    assert timers.long_over(found, START, 20) == []
    assert timers.count_back(found, owner, seq) == []
    ended = [bool(timers.long_over(found, START, 21 + each)) for each in range(more)]
    assert ended == [False] * (more - 1) + [True]


def test_what_one_record_took_off_beyond_the_end_counts_towards_that() -> None:
    found, _ = running(1)
    timer = found[KEY]
    assert timers.count(found, Passed(None, times=3), 7) == [KEY]
    timers.stop(found, KEY)
    found.past[KEY] = timer
    assert timers.long_over(found, START, 8) == [timer]


# ---------------------------------------------------------------- whom an effect comes from


@pytest.mark.parametrize(
    ("source", "author", "found", "cited"),
    [("ana", None, "ana", ()), ("", "cy", "cy", (5,)), ("", None, "bo", (4,)), ("ana", "cy", "ana", ())],
)
def test_an_effect_comes_from_its_source_else_its_author_else_whoever_has_the_turn(
    source: str, author: str | None, found: str, cited: tuple[int, ...]
) -> None:
    state = play(*(joins(who) for who in ("ana", "bo")), turn("bo"))
    effect = Effect(6, "haze", "ana", source)
    effect.author = Derived(author, Because((), (5,))) if author else None
    assert from_whom(state, effect) == found
    assert Because(of=effect.of).flat().events == cited


def test_the_turn_of_its_bearer_is_a_reason_for_whose_turns_count_as_without_it_nobody_is_known() -> None:
    state, effect = play(joins("ana"), turn("ana")), Effect(6, "haze", "ana")
    assert from_whom(state, effect) == "ana"
    assert Because(of=effect.of).flat().events == (3,)
    assert from_whom(play(joins("ana")), effect) == ""


@pytest.mark.parametrize(
    ("ruleset", "who", "at", "amount"),
    [
        ("plain", "ana", "end", 2),
        ("plain", "ana", "start", 1),
        ("plain", "bo", "end", 1),
        ("5e", "ana", "end", 1),
        ("vile-darkness", "ana", "end", 1),
    ],
)
def test_until_the_end_of_the_next_turn_is_said_so_that_the_turn_that_runs_does_not_end_it(
    ruleset: str, who: str, at: Side, amount: int
) -> None:
    state = play(joins("ana"), joins("bo"), turn("ana"), ruleset=ruleset)
    assert until_next_turn(state, who, at) == until(who, at, amount)


def test_what_never_said_how_long_it_lasts_is_over_with_the_first_boundary() -> None:
    effect, found = Effect(3, "haze", "bo"), Timers()
    timers.start(found, KEY, Timer(effect, "ana", "start", least=0))
    assert found[KEY].boundaries == 1
    assert timers.count(found, START, 7) == [KEY]
    assert effect.left == -1
