"""The schedule of turns by its defaults: a ruleset that says nothing but who is above whom."""

from typing import Any

import pytest
from msgspec import structs

from projections.because import Because, Derived
from projections.folds.order import order_of, rows_of, who_is_due
from projections.folds.replay import advance, replay
from projections.occurrence import Occurrence
from projections.scheduling.boundaries import turn_comes_up
from projections.scheduling.schedule import out_when
from projections.scheduling.turn_schedule import (
    TurnSchedule,
    breach_of_order,
    rounds_from_turns,
    rounds_recorded_or_from_turns,
)
from projections.scheduling.turnlist import Beginning, TurnList
from projections.state import State, TimelineRow
from projections.time import Point
from tests.projections.logs import fact, hit, joins, records, rolls, round_, turn, turn_ends

RANKED = ("order.recorded-totals",)


def key(state: Any, who: str) -> Derived[dict[str, Any] | None]:
    return Derived({"total": state.totals[who].hundredths}, Because(RANKED, state.totals[who].events))


def noted(state: Any) -> list[TimelineRow]:
    return [TimelineRow(Point(state.clock.round), "ana", "done", Because(), "note", order=(1, 1))]


BY_TURNS = TurnSchedule(
    ranked=lambda state: [(who,) for who in sorted(state.totals, key=lambda who: -state.totals[who].hundredths)],
    key=key,
    rules=RANKED,
    acts=noted,
)
THREE = (
    *(joins(who, 9) for who in ("ana", "bo", "cy")),  # records 2 to 4
    *(rolls(who, total) for who, total in (("ana", 15), ("bo", 12), ("cy", 9))),  # records 5 to 7
)


def told(*facts: str) -> State:
    """Return the state of plain after these facts, where rounds follow from turns."""
    state = replay(records(*THREE)).state
    state.rules = structs.replace(state.rules, schedule=BY_TURNS, boundaries={}, steps={})
    return advanced(state, *facts)


def advanced(state: State, *facts: str) -> State:
    for record in records(*THREE, *facts)[len(THREE) + 1 :]:
        event = record.event
        assert event is not None
        advance(state, Occurrence(seq=record.seq, line=record.seq, event=event, point=Point()))
    return state


def due(state: State) -> tuple[list[str], tuple[int, ...]]:
    found = who_is_due(state)
    return found.value, found.because.flat().events


def test_the_order_is_that_of_the_ranks_with_their_reasons() -> None:
    assert [(slot.combatants, slot.key, slot.because.events) for slot in order_of(told())] == [
        (("ana",), {"total": 1500}, (5,)),
        (("bo",), {"total": 1200}, (6,)),
        (("cy",), {"total": 900}, (7,)),
    ]


def test_before_the_first_turn_nobody_is_due_and_that_rests_on_the_opening() -> None:
    assert due(told()) == ([], (1,))


def test_a_round_opens_with_the_turn_of_the_first_and_again_after_the_last() -> None:
    state = told(turn("ana"))
    assert (state.clock.round, due(state)) == (1, (["bo", "cy"], (6, 7, 8)))
    state = told(turn("ana"), turn("bo"), turn("cy"), turn("ana"))
    assert (state.clock.round, state.clock.turn, due(state)[0]) == (2, "ana", ["bo", "cy"])


def test_turns_that_begin_together_leave_the_rest_due_and_strangers_out() -> None:
    state = told(turn("ana", together=["bo", "zoe"]))
    assert (due(state)[0], list(state.turns.running)) == (["cy"], ["ana", "bo"])


def test_whoever_is_down_is_not_due_and_the_reason_says_by_what() -> None:
    state = told(turn("ana"), fact("damage_dealt", target="bo", amount=20))
    waiting, events = due(state)
    assert (waiting, 9 in events) == (["cy"], True)


def test_the_end_of_a_turn_counts_for_whose_it_is() -> None:
    state = told(turn("ana"), turn_ends("bo"))
    assert list(state.turns.running) == ["ana"]
    assert rounds_from_turns(state, _fact(turn_ends("ana"))) != ()
    assert rounds_from_turns(state, _fact(turn_ends("bo"))) == ()
    assert rounds_from_turns(state, _fact(round_(2))) == ()


def test_a_round_that_is_recorded_opens_and_the_places_of_those_still_due_go_by() -> None:
    state = told(turn("ana"))
    found = rounds_recorded_or_from_turns(state, _fact(round_(2)))
    assert [(each.kind, each.who or each.number) for each in found] == [
        ("turn ended", "ana"),
        ("place passed", "bo"),
        ("place passed", "cy"),
        ("round closed", 1),
        ("round opened", 2),
    ]
    assert [each.kind for each in rounds_recorded_or_from_turns(told(), _fact(round_(1)))] == ["round opened"]
    assert rounds_recorded_or_from_turns(state, _fact(turn("bo"))) == rounds_from_turns(state, _fact(turn("bo")))


def _fact(line: str) -> Any:
    event = records(line)[-1].event
    assert event is not None
    return Occurrence(seq=99, line=99, event=event, point=Point())


def test_the_rows_are_the_turns_what_was_done_in_them_and_who_is_due() -> None:
    state = told(turn("ana"), turn_ends("ana"), turn("bo"))
    found = [(row.combatant, row.action, row.status) for row in rows_of(state)]
    assert found == [("ana", "turn", "done"), ("ana", "note", "done"), ("bo", "turn", "begun"), ("cy", "turn", "due")]


def test_whoever_has_left_is_in_no_order_and_the_reason_says_so() -> None:
    state = told(turn("ana"), fact("combatant_left", combatant="cy"))
    assert [slot.combatants for slot in order_of(state)] == [("ana",), ("bo",)]
    assert BY_TURNS.absent(state).flat().events == (9,)
    assert BY_TURNS.absent(told()) == Because()


def test_the_place_of_somebody_down_between_those_who_share_a_turn_goes_by() -> None:
    state = told(fact("damage_dealt", target="bo", amount=20), turn("ana", together=["cy"]))
    assert state.turns.progress.passed == {"bo": 9}


def test_a_place_that_goes_by_says_before_whose_turn() -> None:
    found = Beginning(goes_by=("bo",))
    names = [each.name for each in turn_comes_up(TurnList(), found, ("ana", "cy"), 5, 1)]
    assert names == ["ana", "", ""]
    assert [each.name for each in turn_comes_up(TurnList(), found, (), 5, 1)] == [""]


def test_who_has_left_or_has_one_of_some_statuses_has_no_turns_to_come() -> None:
    state = told(turn("ana"), fact("combatant_left", combatant="ana"), hit("bo", 20))
    assert [who for who in ("ana", "bo", "cy") if out_when("dead")(state)(who)] == ["ana"]
    assert [who for who in ("ana", "bo", "cy") if out_when("dead", "down")(state)(who)] == ["ana", "bo"]


@pytest.mark.parametrize(
    ("line", "says"),
    [(turn("cy"), "bo is due before"), (turn("bo"), None), (turn("cy", together=["bo"]), None), (turn("ana"), None)],
)
def test_a_turn_that_passes_over_somebody_who_is_due_is_a_breach(line: str, says: str | None) -> None:
    breach = breach_of_order(told(turn("ana")), _fact(line))
    assert (breach and (breach.says, breach.expected, breach.found)) == (says and (says, "bo", "cy"))


def test_whoever_is_out_is_passed_over_by_nobody() -> None:
    assert breach_of_order(told(turn("ana"), hit("bo", 20)), _fact(turn("cy"))) is None
