"""The schedule of turns by its defaults: a ruleset that says nothing but who is above whom."""

from typing import Any

import pytest
from msgspec import structs

from eventstore.events import ActionHeld, ActionTaken, DamageDealt, Fact, Moved, TurnEnded, TurnStarted
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.fight import TimelineRow
from projections.folds.order import order_of, round_rows, who_is_due
from projections.mechanics.turnlist import Beginning, TurnList
from projections.occurrence import Occurrence
from projections.replay.replay import advance, replay
from projections.ruleset.boundaries import boundaries_of_turn
from projections.rulesets import find
from projections.scheduling.turn_schedule import (
    TurnSchedule,
    boundaries_from_turns,
    boundaries_of_rounds,
    boundaries_with_waiting,
    breach_of_order,
    find_turn_move,
    move_behind_last,
    order_key,
)
from projections.state import State
from projections.time import Point
from tests.projections.logs import fact, joins, records, rolls, round_, turn, turn_ends

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


def told(*facts: str, schedule: TurnSchedule = BY_TURNS) -> State:
    """Return the state of plain after these facts, where rounds follow from turns."""
    state = replay(records(*THREE)).state
    state.rules = structs.replace(state.rules, schedule=schedule, boundaries={}, steps={})
    for record in records(*THREE, *facts)[len(THREE) + 1 :]:
        event = record.event
        assert event is not None
        advance(state, Occurrence(seq=record.seq, line=record.seq, event=event, point=Point()))
    return state


def due(state: State) -> tuple[list[str], tuple[int, ...]]:
    found = who_is_due(state)
    return found.value, found.because.flat().events


def test_before_the_first_turn_nobody_is_due_and_that_rests_on_the_opening() -> None:
    assert due(told()) == ([], (1,))


def test_a_round_opens_with_the_turn_of_the_first_and_again_after_the_last() -> None:
    state = told(turn("ana"))
    assert (state.clock.round, due(state)) == (1, (["bo", "cy"], (6, 7, 8)))
    state = told(turn("ana"), turn("bo"), turn("cy"), turn("ana"))
    assert (state.clock.round, state.clock.turn, due(state)[0]) == (2, "ana", ["bo", "cy"])


def test_a_recorded_round_opens_and_the_places_of_those_still_due_go_by() -> None:
    state = told(turn("ana"))
    found = boundaries_of_rounds(state, _fact(round_(2)))
    assert [(each.kind, each.who or each.number) for each in found] == [
        ("turn ended", "ana"),
        ("place passed", "bo"),
        ("place passed", "cy"),
        ("round closed", 1),
        ("round opened", 2),
    ]
    assert [each.kind for each in boundaries_of_rounds(told(), _fact(round_(1)))] == ["round opened"]
    assert boundaries_of_rounds(state, _fact(turn("bo"))) == boundaries_from_turns(state, _fact(turn("bo")))


def _fact(line: str) -> Any:
    event = records(line)[-1].event
    assert event is not None
    return Occurrence(seq=99, line=99, event=event, point=Point())


def test_the_rows_are_the_turns_what_was_done_in_them_and_who_is_due() -> None:
    state = told(turn("ana"), turn_ends("ana"), turn("bo"))
    found = [(row.combatant, row.action, row.status) for row in round_rows(state)]
    assert found == [("ana", "turn", "done"), ("ana", "note", "done"), ("bo", "turn", "begun"), ("cy", "turn", "due")]


def test_whoever_has_left_is_in_no_order_and_the_reason_says_so() -> None:
    state = told(turn("ana"), fact("combatant_left", combatant="cy"))
    assert [slot.combatants for slot in order_of(state)] == [("ana",), ("bo",)]
    assert BY_TURNS.why_absent(state).flat().events == (9,)
    assert BY_TURNS.why_absent(told()) == Because()


def test_a_place_that_goes_by_may_be_before_a_turn_that_is_withheld() -> None:
    found = boundaries_of_turn(TurnList(), Beginning(goes_by=("bo",)), (), 5, 1)
    assert [(each.who, each.name) for each in found] == [("bo", "")]


@pytest.mark.parametrize(
    ("line", "says"),
    [(turn("cy"), "bo is due before cy"), (turn("bo"), None), (turn("cy", together=["bo"]), None), (turn("ana"), None)],
)
def test_a_turn_that_passes_over_somebody_who_is_due_is_a_breach(line: str, says: str | None) -> None:
    breach = breach_of_order(told(turn("ana")), _fact(line))
    assert (breach and (breach.says, breach.expected, breach.found)) == (says and (says, "bo", "cy"))


# ---------------------------------------------------------------- turns that are put off

WAITING = structs.replace(BY_TURNS, crossed=boundaries_with_waiting)


def put_off(who: str) -> str:
    return fact("turn_delayed", combatant=who)


def taken_up(who: str) -> str:
    return fact("turn_resumed", combatant=who)


def kinds(state: State, line: str) -> list[tuple[str, str]]:
    """Return the boundaries of turns that a fact crosses."""
    return [(each.kind, each.who) for each in boundaries_with_waiting(state, _fact(line))]


def test_a_turn_that_is_put_off_ends_the_turn_of_another_as_it_is_taken_up() -> None:
    state = told(turn("ana"), put_off("ana"), turn("bo"), schedule=WAITING)
    assert (list(state.turns.running), list(state.turns.in_hand)) == (["bo"], ["ana"])
    assert kinds(state, taken_up("ana")) == [("turn ended", "bo"), ("turn resumed", "ana")]
    assert kinds(state, put_off("ana")) == []
    assert kinds(state, put_off("bo")) == [("turn put off", "bo")]
    assert kinds(state, turn_ends("bo")) == [("turn ended", "bo")]


def test_whoever_takes_up_a_turn_stands_behind_the_last_who_had_one() -> None:
    state = told(turn("ana"), put_off("ana"), turn("bo"), taken_up("ana"), schedule=WAITING)
    of_ana, of_bo = (Derived({"who": who}, Because((), (seq,))) for who, seq in (("ana", 5), ("bo", 6)))
    assert order_key(state, "ana", of_ana) is of_ana
    move_behind_last(state, _fact(taken_up("ana")))
    assert [slot.combatants for slot in order_of(state)] == [("bo",), ("ana",), ("cy",)]
    found = order_key(state, "ana", of_ana)
    assert (found.value, found.because.flat().events) == ({"who": "ana"}, (5, 9, 99))
    assert order_key(state, "bo", of_bo) is of_bo


def test_a_turn_that_was_not_put_off_is_not_taken_up() -> None:
    assert kinds(told(turn("ana"), schedule=WAITING), taken_up("bo")) == []


@pytest.mark.parametrize("facts", [(turn("ana"), put_off("ana"), taken_up("ana")), (turn("ana"), turn("bo"))])
def test_nobody_is_moved_who_is_alone_or_has_no_turn(facts: tuple[str, ...]) -> None:
    state = told(*facts, schedule=WAITING)
    move_behind_last(state, _fact(taken_up("ana")))
    assert [slot.combatants for slot in order_of(state)] == [("ana",), ("bo",), ("cy",)]


# ---------------------------------------------------------------- how the clock moves


def moved(state: State, event: Fact) -> str:
    """Return whose turn an act begins, else why it begins none; "" for neither."""
    move = find_turn_move(state, Occurrence(seq=99, line=99, event=event, point=Point()))
    return " ".join(each.combatant for each in move.facts if isinstance(each, TurnStarted)) or move.stays


STRIKES = Action(kind="attack", targets=("cy",))


@pytest.mark.parametrize("event", [
    ActionTaken(combatant="bo", action=STRIKES),
    Moved(combatant="bo"),
    ActionHeld(combatant="bo", action=STRIKES),
    TurnEnded(combatant="bo"),
])  # fmt: skip
def test_an_act_begins_the_turn_of_its_doer_if_that_comes_next(event: Fact) -> None:
    assert moved(told(turn("ana")), event) == "bo"
    assert moved(told(turn("ana"), turn("bo")), event) == ""
    assert moved(told(turn("cy"), turn("ana")), event) == "bo"


@pytest.mark.parametrize("event", [
    ActionTaken(combatant="bo", action=STRIKES, trigger=8),
    Moved(combatant="bo", forced=True),
    Moved(combatant="bo", cause=8),
    DamageDealt(target="bo", amount=3),
])  # fmt: skip
def test_an_answer_and_what_befalls_somebody_begin_no_turn(event: Fact) -> None:
    assert moved(told(turn("ana")), event) == ""


def test_what_is_spent_outside_the_own_turn_begins_no_turn() -> None:
    state = told(turn("ana"))
    state.rules = structs.replace(find("nameless-journey"), schedule=BY_TURNS, boundaries={}, steps={})
    spends = structs.replace(STRIKES, cost="reaction")
    assert moved(state, ActionTaken(combatant="bo", action=STRIKES)) == "bo"
    assert moved(state, ActionTaken(combatant="bo", action=spends)) == ""


def without_order(*facts: str) -> State:
    state = replay(records(*THREE[:3], *facts)).state
    state.rules = structs.replace(state.rules, schedule=BY_TURNS, boundaries={}, steps={})
    return state


def test_an_act_begins_the_first_turn_of_all_but_not_without_order() -> None:
    strikes = ActionTaken(combatant="ana", action=STRIKES)
    assert moved(told(), strikes) == "ana"
    assert moved(without_order(), strikes) == ""
    assert moved(without_order(turn("bo")), strikes).startswith("nothing says who is next")


def test_whoever_is_down_is_not_due_and_the_reason_says_by_what() -> None:
    state = told(turn("ana"), fact("damage_dealt", target="bo", amount=20))
    waiting, events = due(state)
    assert (waiting, 9 in events) == (["cy"], True)
