"""Durations as a ruleset uses them, on plain: what one of its own rules lets last, and what is still said to run."""

from typing import Any

import pytest

from eventstore.events import EffectEnded, TurnEnded, TurnStarted
from projections.because import Explained
from projections.folds.addresses import value_of
from projections.folds.durations import running_effect, set_duration
from projections.folds.effects import end_in_words, gain_condition
from projections.mechanics.timers import Side, until
from projections.occurrence import Occurrence
from projections.replay.replay import advance
from projections.state import State
from projections.time import Point
from tests.projections.logs import bears, fact, joins, play, round_, turn, value

FOUR = (joins("ana"), joins("bo"), round_(1), turn("ana"))


def stunned(at: Side) -> State:
    """Return a fight in which bo is stunned until ana's next turn begins or ends."""
    state = play(*FOUR)
    set_duration(state, gain_condition(state, "bo", "stunned", 5), until("ana", at))
    return state


def takes(state: State, seq: int, who: str) -> list[bool]:
    """Let somebody have a turn; return whether bo is stunned as it runs and once it is over."""
    seen = []
    for more, event in enumerate((TurnStarted(combatant=who), TurnEnded(combatant=who))):
        advance(state, Occurrence(seq + more, seq + more, event, Point(1)))
        seen.append(bool(state.conditions))
    return seen


def test_a_rule_says_until_the_end_of_somebodys_next_turn_in_two_lines() -> None:
    state = stunned("end")
    advance(state, Occurrence(6, 6, TurnStarted(combatant="bo"), Point(1)))
    set_duration(state, gain_condition(state, "bo", "stunned", 6), until("ana", "end"))
    assert takes(state, 7, "ana") == [True, False]
    assert state.freed_by["bo"]["stunned"].flat().events == (6, 7, 8)


def test_a_rule_says_until_the_start_of_somebodys_next_turn() -> None:
    state = stunned("start")
    assert takes(state, 6, "bo") == [True, True]
    found = end_in_words(state, (5, "bo"))
    assert found is not None
    assert (found.value, found.because.flat().events) == ("ana in round 2", (5,))
    assert takes(state, 8, "ana") == [False, False]


def test_what_expired_by_a_record_runs_unless_one_on_its_bearer_ran_out() -> None:
    short, long = ({"amount": amount, "unit": "round"} for amount in (1, 5))
    told = (*FOUR, bears("haze", "bo", duration=short))
    runs = play(*told, turn("ana"))
    claim = EffectEnded(effect="haze", targets=("bo",))
    running = running_effect(runs, claim)
    assert running is not None
    assert running.left == 1
    both = play(*told, bears("haze", "bo", duration=long), options={"same-effect": "stacks"})
    takes(both, 8, "bo")
    assert running_effect(both, claim) is None


@pytest.mark.parametrize(("ruleset", "left"), [("plain", 2), ("definition-master", 1)])
def test_a_round_without_turns_counts_for_nobody_s_where_a_ruleset_says_so(ruleset: str, left: int) -> None:
    state = play(joins("ana"), bears("fog", duration={"amount": 2, "unit": "round"}), round_(1), ruleset=ruleset)
    assert [effect.left for effect in state.effects.values()] == [left]


def test_what_is_renewed_on_nobody_leaves_what_somebody_bears() -> None:
    state = play(*FOUR, bears("haze", "ana"), bears("haze"), bears("haze"))
    assert sorted(state.effects) == [(6, "ana"), (8, "")]


def test_time_that_passes_ends_what_has_run_out_with_its_reason() -> None:
    state = play(*FOUR, bears("haze", "ana", duration={"amount": 2, "unit": "round"}), fact("time_passed", time=2))
    assert value(state, "ana.effects") == []
    assert state.rid_by["ana"]["haze"].flat().events == (6, 7)


# by what is over for how long somebody bears it no more


ROUND = {"amount": 1, "unit": "round"}
HAZE = bears("haze", "bo", duration=ROUND)  # record 6, over as bo's turn begins


def behind(*facts: str, address: str = "bo.effects", **more: Any) -> set[int]:
    """Return the records behind a value but those by which combatants joined."""
    found = value_of(play(*FOUR, *facts, **more), address)
    assert isinstance(found, Explained)
    return {*found.because.events} - {2, 3}


def test_of_several_conditions_that_have_run_out_each_is_a_reason() -> None:
    dazed = fact("condition_gained", condition="dazed", targets=["bo"], duration=ROUND | {"amount": 2})
    shaken = fact("condition_gained", condition="shaken", targets=["bo"], duration=ROUND)
    told = (dazed, shaken, turn("bo"), turn("ana"), turn("bo"))
    assert behind(*told, address="bo.conditions") == {6, 7, 8, 10}


def test_a_turn_that_is_put_off_counts_back_what_it_had_ended() -> None:
    told = (fact("initiative_rolled", combatant="ana", total=9), fact("initiative_rolled", combatant="bo", total=8))
    put_off = fact("turn_delayed", combatant="bo")
    dazed = fact("condition_gained", condition="dazed", targets=["ana"], duration=ROUND | {"of": "bo"})
    state = play(
        joins("ana"),
        joins("bo"),
        *told,
        round_(1),
        turn("ana"),
        dazed,
        turn("bo"),
        put_off,
        ruleset="definition-master",
    )
    assert value(state, "ana.conditions") == ["dazed"]
