"""The cursor over the steps of a log: backwards shows the same bytes as forwards, by events, turns and rounds."""

import msgspec
import pytest
from hypothesis import given, strategies as st

from eventstore.errors import Malformed
from eventstore.events import DamageDealt, Inserted, RoundStarted, Struck
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.time import Where
from projections.views.cursor import WINDOW, Cursor, Unit
from projections.views.view import show
from tests.projections.explaining.blame import hit, joined, log
from tests.projections.stage import encounters, one_in

EACH = 116
UNITS: tuple[Unit, ...] = ("event", "turn", "round")


def seen(cursor: Cursor) -> bytes:
    """Return what is seen at the place of a cursor: the step and the state, as bytes."""
    return msgspec.json.encode((cursor.place, cursor.view()))


@pytest.mark.slow
def test_backwards_shows_the_same_bytes_as_forwards(whole: bool, turn: int) -> None:
    walked = 0
    for play in one_in(1 if whole else EACH, encounters(), turn):
        records = records_of(play)
        cursor = Cursor(records)
        forwards = {0: seen(cursor)}
        while cursor.move(1):
            forwards[cursor.at] = seen(cursor)
        assert len(forwards) == len(cursor.places)
        for unit in UNITS:
            cursor.at = len(cursor.places) - 1
            while cursor.move(-1, unit):
                assert seen(cursor) == forwards[cursor.at], f"{play.source}, line {play.line}, place {cursor.at}"
            while cursor.move(1, unit):
                assert seen(cursor) == forwards[cursor.at]
            assert cursor.at == len(cursor.places) - 1
        assert msgspec.json.encode(cursor.view()) == msgspec.json.encode(show(replay(records).state))
        walked += len(forwards)
    assert walked > 2


@given(st.lists(st.tuples(st.sampled_from((1, -1)), st.sampled_from(UNITS)), max_size=40))
def test_however_one_came_to_a_place_it_shows_the_same(moves: list[tuple[int, Unit]]) -> None:
    records = log(joined(90), *(RoundStarted(round=n // 3 + 1) if n % 3 == 0 else hit(1) for n in range(3 * WINDOW)))
    cursor = Cursor(records)
    for by, unit in moves:
        cursor.move(by, unit)
    fresh = Cursor(records)
    fresh.at = cursor.at
    assert seen(cursor) == seen(fresh)


def test_turns_and_rounds_begin_where_the_clock_says_so() -> None:
    cursor = Cursor(log(joined(), RoundStarted(round=1), hit(1), hit(2), RoundStarted(round=2), hit(3)))

    def places(by: int, unit: Unit) -> list[int]:
        found = []
        while cursor.move(by, unit):
            found.append(cursor.at)
        return found

    assert places(1, "round") == [2, 5, 6]
    assert places(-1, "round") == [5, 2, 0]
    assert places(1, "event") == [1, 2, 3, 4, 5, 6]
    cursor.at = 4
    assert cursor.move(-1, "round")
    assert cursor.at == 2


def test_each_place_tells_what_its_fact_changed_and_what_was_left_out() -> None:
    records = log(joined(), hit(4), DamageDealt(target="bo", amount=1), hit(5))
    cursor = Cursor(records)
    assert [[(each.before, each.after) for each in place.changes] for place in cursor.places] == [
        [], [], [(14, 10)], [(10, 5)],
    ]  # fmt: skip
    assert [place.left_out for place in cursor.places] == [(), (), (), ((4, "bo has not joined"),)]


def test_corrections_are_applied_and_an_inserted_fact_has_its_place() -> None:
    cursor = Cursor(log(joined(), hit(4), hit(5), Struck(event=3), Inserted(after=2, fact=hit(1))))
    assert [place.fact and place.fact.seq for place in cursor.places] == [None, 2, 6, 4]
    cursor.go(Where(seq=4))
    assert (cursor.at, cursor.view().combatants["ana"].hp) == (3, 8)


def test_there_is_nothing_before_the_opening_and_after_the_last_fact() -> None:
    cursor = Cursor(log(joined()))
    assert (cursor.move(-1), cursor.move(-1, "turn"), cursor.move(-1, "round")) == (False, False, False)
    assert (cursor.move(1), cursor.move(1), cursor.move(1, "round")) == (True, False, False)
    with pytest.raises(Malformed):
        cursor.go(Where(seq=99))
    assert cursor.at == 1
