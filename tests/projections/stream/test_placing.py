"""Placing facts in game time: the parts of a moment, what a cause brings with it, and what is kept of a fact."""

from functools import partial
from typing import Any

from msgspec import structs

from projections.occurrence import Occurrence
from projections.replay.replay import replay
from projections.stream.placing import point_reached
from projections.time import Point
from tests.projections.logs import act, bears, fact, hit, joins, play, records, round_, strike, turn

FIRST = (joins("ana"), joins("bo"), round_(1))  # records 2 to 4 in each log here


def told(*facts: str, ruleset: str = "plain") -> dict[int, Occurrence[Any]]:
    return play(*FIRST, *facts, ruleset=ruleset).moments


def segment(number: int) -> str:
    return fact("segment_reached", segment=number)


# the parts of a moment


def test_of_the_moment_of_a_cause_in_an_earlier_turn_a_fact_keeps_nothing() -> None:
    moments = told(turn("ana"), act("ana", segment=4), turn("bo"), hit("bo", 1, cause=6, second=7))
    assert moments[8].point == Point(1, 0, 2, 0, 7)


def test_a_fact_may_give_its_slot_alone_and_another_keeps_it() -> None:
    moments = told(
        act("ana", phase="E"), hit("bo", 1, cause=5), hit("bo", 1, cause=5, segment=3), ruleset="vile-darkness"
    )
    assert moments[5].point.phase > 0
    assert moments[5].own
    assert moments[6].point == moments[5].point
    assert moments[7].point == structs.replace(moments[5].point, segment=3)


def test_what_gives_no_moment_is_told_in_the_segment_that_a_record_set() -> None:
    moments = told(
        act("ana"), segment(3), act("ana"), act("ana", segment=5), hit("bo", 1, cause=8), fact("moved", combatant="bo")
    )
    assert [moments[seq].timed for seq in (5, 7, 8, 9, 10)] == [0, 6, 0, 0, 6]
    assert told(fact("phase_reached", phase="E"), act("ana"))[6].timed == 0


def test_a_fact_is_at_the_point_that_the_rules_give_it_or_it_set() -> None:
    reached_at: list[Point] = []
    grabs = fact("action_taken", combatant="ana", action={"kind": "grab"})
    told_in_seconds = records(*FIRST, turn("ana"), grabs, grabs, turn("bo"), ruleset="semiautomagic")
    replay(told_in_seconds, after=lambda state, one: reached_at.append(point_reached(state, one)))
    assert [(each.turn, each.second) for each in reached_at[-4:]] == [(1, 0), (1, 1), (1, 3), (2, 0)]


def test_what_has_no_moment_is_kept_as_no_cause() -> None:
    assert list(told(fact("noted", text="it rains"), act("ana"))) == [6]


# causes


def test_an_effect_happens_now_though_its_cause_was_at_another_moment() -> None:
    haze = fact("action_taken", combatant="ana", action={"kind": "cast", "name": "haze", "targets": ["bo"]}, segment=4)
    came = [
        told(turn("ana"), haze, outcome(source="ana"))[7]
        for outcome in (partial(bears, "haze", "bo"), partial(hit, "bo", 1))
    ]
    assert [(each.cause, each.point.segment) for each in came] == [(6, 0), (6, 4)]


def test_only_an_effect_comes_of_what_the_act_right_before_it_answers() -> None:
    answered = (turn("ana"), cast("ana", "fuse", "bo"), act("bo", "counters", trigger=6))
    assert together(3, *answered, bears("fuse")).cause == 6
    assert together(3, *answered, hit("bo", 1)).cause == 0


def test_of_an_effect_of_doubtful_origin_it_is_not_certain_whose_it_is() -> None:
    haze, mist = (cast("ana", name, "bo") for name in ("haze", "mist"))
    assert play(*FIRST, bears("Haze", "bo")).doubtful == {"haze"}
    assert play(*FIRST, haze, bears("haze", "bo", cause=5)).doubtful == set()
    assert play(*FIRST, bears("haze", "bo", source="ana")).doubtful == set()
    assert play(*FIRST, turn("ana"), haze, bears("haze", "bo", source="ana")).doubtful == set()
    assert play(*FIRST, turn("ana"), mist, bears("haze", "bo", source="ana")).doubtful == {"haze"}


def test_harm_that_was_struck_leaves_its_blow_open() -> None:
    blow = (cast("ana", "bolt", "bo"), hit("bo", 1, cause=6), hit("bo", 2, source="ana"))
    assert [told(turn("ana"), *blow, *struck)[8].cause for struck in ((), (strike(7),))] == [0, 6]


def cast(who: str, name: str, *targets: str) -> str:
    return fact("action_taken", combatant=who, action={"kind": "cast", "name": name, "targets": targets})


def together(count: int, *facts: str) -> Occurrence[Any]:
    """Return the last of these facts, so many of which are appended together."""
    log = records(*FIRST, *facts)
    first = len(log) - count
    batched = [structs.replace(one, batch=(one.seq - first, count)) for one in log[first:]]
    return replay([*log[:first], *batched]).state.moments[len(log)]
