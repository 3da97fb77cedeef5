"""The clock: clock facts move it, a fact may have a moment of its own, outcomes belong to what they came out of."""

from typing import Any

from msgspec import structs

from projections.fight import Clock, Ruled
from projections.folds import clock, rulings as overrides
from projections.folds.addresses import value_of
from projections.occurrence import Occurrence
from projections.stream.placing import slot_number
from projections.time import Boundary, Point
from tests.projections.logs import act, bears, fact, hit, joins, override, play, round_, rules, turn, turn_ends, value

ANA, BO = joins("ana"), joins("bo")  # records 2 and 3 in each log here


def segment(number: int, **more: object) -> str:
    return fact("segment_reached", segment=number, **more)


def told(*facts: str) -> dict[int, Occurrence[Any]]:
    return play(ANA, BO, *facts).moments


def test_a_phase_forgets_the_segment() -> None:
    state = play(ANA, round_(1), segment(4), fact("phase_reached", phase="E"))
    assert (state.clock.point, state.clock.phase) == (Point(1), "E")
    assert [value(each, "phase") for each in (state, play(ANA, round_(1)))] == ["E", "none"]


def test_in_a_round_a_segment_may_be_one_of_surprise() -> None:
    assert play(ANA, round_(1), segment(2, surprise=True)).clock.point == Point(0, segment=2)


def test_a_segment_that_is_ruled_none_is_none() -> None:
    assert play(ANA, round_(1), segment(2), override(segment="none")).clock.point == Point(1)


def test_an_encounter_that_is_closed_says_by_which_record() -> None:
    assert play(ANA, fact("encounter_closed")).closed == 3
    assert play(ANA, fact("encounter_closed"), fact("encounter_closed")).closed == 3


def test_phases_are_counted_by_the_ruleset_and_can_be_overridden() -> None:
    state = play(ANA, round_(1))
    phases = structs.replace(state.rules.schedule, phases=lambda _state: ("A", "B"))
    state.rules = structs.replace(state.rules, schedule=phases)
    assert [slot_number(state, name) for name in ("A", "B", "C")] == [1, 2, 0]
    assert overrides.refusal_of_ruling(state, "phase", "C") == "one of A, B, none"
    overrides.assign_value(state, "phase", "B", 9)
    assert (state.clock.point, state.clock.phase, state.clock.events) == (Point(1, phase=2), "B", (3, 9))
    overrides.assign_value(state, "phase", "none", 9)
    assert (state.clock.point, state.clock.phase) == (Point(1), "")


# moments


def test_a_fact_has_its_own_segment_and_what_names_it_as_cause_has_it_too() -> None:
    moments = told(round_(1), act("ana", segment=4), hit("bo", 3, cause=-1), hit("bo", 1))
    assert [moments[seq].point.segment for seq in (5, 6, 7)] == [4, 4, 0]


def test_what_comes_out_of_an_act_without_a_moment_of_its_own_happens_now() -> None:
    moments = told(round_(1), segment(4), act("ana"), segment(6), bears("bolt", "bo", cause=6))
    assert moments[6].point.segment == 4
    assert moments[8].point.segment == 6


def test_a_moment_may_name_a_phase() -> None:
    assert told(round_(1), act("ana", phase="nowhere", segment=2))[5].point == Point(round=1, segment=2)


# causes


def test_a_move_without_cause_is_a_move_as_such() -> None:
    assert told(round_(1), act("ana"), fact("moved", combatant="ana", path=[[0, 0], [1, 0]]))[6].cause == 0


# turns


def test_it_is_the_turn_of_whose_turn_began_last_until_it_ends() -> None:
    assert value(play(ANA, BO, turn("ana"), turn("bo")), "turn") == "bo"
    assert value(play(ANA, BO, turn("ana"), turn_ends("ana")), "turn") == "none"


def crossed(*boundaries: Boundary) -> Clock:
    state = play(ANA, BO, joins("cy"))
    for each in boundaries:
        clock.cross_boundary(state, each)
    return state.clock


def test_turns_that_begin_by_one_fact_are_shared_and_others_are_alone() -> None:
    both = Boundary("turn began", 5, "ana"), Boundary("turn began", 5, "bo")
    found = crossed(*both)
    assert (found.turn, found.together, found.point.turn) == ("ana", ("bo",), 1)
    found = crossed(*both, Boundary("turn began", 6, "cy"))
    assert (found.turn, found.together, found.point.turn, found.turn_event) == ("cy", (), 2, 6)


def test_a_turn_that_ends_for_one_of_three_is_had_by_the_others() -> None:
    three = tuple(Boundary("turn began", 5, who) for who in ("ana", "bo", "cy"))
    found = crossed(*three, Boundary("turn ended", 6, "ana"))
    assert (found.turn, found.together, found.turn_event) == ("bo", ("cy",), 6)
    found = crossed(*three, Boundary("turn ended", 6, "bo"))
    assert (found.turn, found.together, found.turn_event) == ("ana", ("cy",), 5)


def test_rulings_lapse_with_the_turn_or_the_round_for_which_they_stood() -> None:
    state = play(ANA, BO)
    state.ruled = {scope: Ruled(1, 4, scope) for scope in ("turn", "round", "fight")}
    clock.cross_boundary(state, Boundary("turn began", 5, "ana"))
    assert list(state.ruled) == ["round", "fight"]
    clock.cross_boundary(state, Boundary("round opened", 6, number=1))
    assert list(state.ruled) == ["fight"]


def test_log_turn_a_turn_that_ends_had_begun() -> None:
    assert rules(ANA, BO, turn("ana"), turn_ends("ana"), turn("bo", together=["ana"]), turn_ends("ana")) == []
    assert rules(ANA, BO, turn("ana"), turn_ends("bo")) == [("log.turn", 5)]
    assert value(play(ANA, BO, turn("ana"), turn_ends("bo")), "turn") == "ana"


def test_log_clock_the_reason_names_the_round_and_what_was_reached_last() -> None:
    assert play(ANA, round_(1), segment(2), segment(5)).clock.events == (3, 5)
    assert play(ANA, round_(1), override(round=3)).clock.events == (3, 4)
    assert play(ANA, round_(1), segment(2), fact("round_ended")).clock.events == (3, 5)
    assert play(ANA, segment(2)).clock.events == (3,)
    before = value_of(play(ANA), "round")
    assert before
    assert before.because.events == (1,)


def test_the_reason_of_the_clock_is_what_has_set_it_since_the_round_began() -> None:
    assert clock.because_clock(play(ANA)).events == (1,)
    assert clock.because_clock(play(ANA, segment(1), round_(1), segment(4))).events == (4, 5)


def test_where_a_segment_is_told_twice_in_a_row_the_reason_names_both() -> None:
    def told_by(*facts: str) -> tuple[int, ...]:
        return clock.because_of(play(ANA, BO, round_(1), *facts), "segment").flat().events  # record 4 is the round

    assert told_by(segment(3), segment(3)) == (5, 6)
    assert told_by(segment(3), segment(3), segment(3)) == (5, 6, 7)
    assert told_by(segment(3), segment(4)) == (6,)
    assert told_by(segment(3), override(segment=3), segment(3)) == (7,)
    assert told_by(segment(3), segment(3), override(segment=3)) == (7,)
