"""Game time: points in order, lengths with their units, and WHERE as a person types it."""

import pytest

from eventstore.errors import Malformed
from eventstore.shapes import Span
from projections.rulesets.plain.state import CALENDAR as ROUNDS
from projections.time import Calendar, Length, Point, Where
from tests.projections.logs import act, fact, hit, hp, insert, joins, play, round_, strike, turn, turn_ends
from tests.tables import for_each

SEGMENTS = Calendar(seconds={"segment": 6, "round": 60, "turn": 600}, tick="segment")


@pytest.mark.parametrize(("point", "words"), [
    (Point(), "before round 1"),
    (Point(segment=2), "surprise segment 2"),
    (Point(3), "round 3"),
    (Point(3, segment=4), "round 3 segment 4"),
    (Point(3, turn=2, second=5), "round 3 second 5"),
])  # fmt: skip
def test_a_point_says_where_it_is(point: Point, words: str) -> None:
    assert str(point) == words


def test_a_bare_number_counts_the_ticks_of_the_ruleset() -> None:
    assert ROUNDS.length(3) == Length(3, "round")
    assert SEGMENTS.length(3) == Length(3, "segment")
    assert ROUNDS.length(Span(amount=2, unit="minute")) == Length(2, "minute")
    assert ROUNDS.length(None) is None


def test_a_length_is_counted_in_units_rounded_up_but_not_in_unknown_ones() -> None:
    assert ROUNDS.count_units(Length(1, "minute"), "round") == 10
    assert ROUNDS.count_units(Length(7, "second"), "round") == 2
    assert ROUNDS.count_units(Length(1, "turn"), "round") == 10
    assert SEGMENTS.count_units(Length(1, "turn"), "round") == 10
    assert ROUNDS.count_units(Length(1, "heartbeat"), "round") is None


def test_of_a_time_that_passes_only_whole_known_units_above_0_pass() -> None:
    assert ROUNDS.whole_units(3, "round") == 3
    assert ROUNDS.whole_units(Span(amount=13, unit="Second"), "round") == 2
    assert ROUNDS.whole_units(Span(amount=-13, unit="second"), "round") == 0
    assert ROUNDS.whole_units(Span(amount=9, unit="heartbeat"), "round") == 0


@pytest.mark.parametrize(("text", "where"), [
    ("12", Where(seq=12)),
    (" r2 ", Where(round=2)),
    ("r2s5", Where(round=2, segment=5)),
    ("s2", Where(round=0, segment=2)),
    ("r3.ana", Where(round=3, turn="ana")),
    ("r2.orc-1.4", Where(round=2, turn="orc-1", second=4)),
    ("7:" + "a" * 64, Where(seq=7, hash="a" * 64)),
])  # fmt: skip
def test_where_is_read_as_a_person_types_it(text: str, where: Where) -> None:
    assert Where.parse(text) == where


@for_each("text", ["", "x", "r", "2r", "r2s", "r2.", "-1", "r2.Ana", "9" * 40, "r1s2.ana"])
def test_what_names_no_point_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(Malformed) as refused:
        Where.parse(text)
    assert "such as" in refused.value.hint


FIGHT = (
    joins("ana", 100),  # 2
    fact("segment_reached", segment=1),
    hit("ana", 1),  # 4, surprise
    round_(1),  # 5
    turn("ana"),
    hit("ana", 2, second=2),  # 7
    hit("ana", 4, second=5),  # 8
    turn_ends("ana"),  # 9
    round_(2),  # 10
    fact("segment_reached", segment=3),
    act("ana"),
    hit("ana", 8),  # 13
    fact("segment_reached", segment=6),
    hit("ana", 16),  # 15
)


@for_each(("where", "seq", "left"), [
    ("1", 1, None), ("4", 4, 99), ("s1", 4, 99), ("r1", 9, 93), ("r1.ana", 9, 93), ("r1.ana.2", 7, 97), ("r1.ana.1", 6, 99), ("r2s3", 13, 85),
    ("r2s5", 13, 85), ("r2", 15, 69), ("15", 15, 69),
])  # fmt: skip
def test_a_log_is_replayed_up_to_a_point(where: str, seq: int, left: int | None) -> None:
    state = play(*FIGHT, at=where)
    assert state.seq == seq
    assert hp(state).get("ana") == left


def test_a_point_between_two_is_reached_first_though_time_is_set_back() -> None:
    segments = (fact("segment_reached", segment=number) for number in (3, 6, 4))
    assert play(joins("ana"), round_(1), *segments, at="r1s5").seq == 4


@pytest.mark.parametrize("where", ["0", "16", "r3", "r9s1", "r2.ana", "r1.bo"])
def test_a_point_that_is_not_in_the_log_is_refused(where: str) -> None:
    with pytest.raises(Malformed):
        play(*FIGHT, at=where)


def test_the_telling_up_to_a_record_is_the_corrected_one() -> None:
    corrected = (*FIGHT, strike(4), insert(2, hit("ana", 50)))
    assert hp(play(*corrected, at="5")) == {"ana": 100 - 50}
    assert hp(play(*corrected, at="16")) == {"ana": 100 - 50 - 30 + 0}
