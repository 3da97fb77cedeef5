"""The check of histories: one order explains every answer, or it says which two answers no order has both."""

from dataclasses import replace

import pytest

from eventstore.events import Noted
from eventstore.record import Recorded
from tests.eventstore.logs import OPENING, drafts, log_of, read
from tests.faults.history import History, Operation, Shown
from tests.tables import for_each


def log(*batches: str) -> list[Recorded]:
    """Return a log with an opening, then appends; "bb" is one of two facts."""
    return read(log_of(drafts(OPENING), *(drafts(*[Noted(text=text[0])] * len(text)) for text in batches)))


def done(name: str, start: float, end: float, first: int, last: int | None = None) -> Operation:
    return Operation("ana", name, start, end, "done", first, last or first)


def looked(start: float, end: float, last: int) -> Operation:
    return Operation("bo", "", start, end, "seen", 0, last)


THERE = log("a", "bb", "c")
A, B, C = done("a", 1, 2, 2), done("b", 1, 4, 3, 4), done("c", 3, 5, 5)


@pytest.mark.parametrize(
    "operations",
    [
        [A, B, C],
        [A, B, C, looked(0, 9, 1), looked(0, 9, 5)],
        [A, replace(B, end=float("inf"), answer="unknown", first=0, last=0), C],
        [A, B, C, replace(B, start=6, end=7, answer="again")],
        [A, B, C, Operation("bo", "d", 6, 7, "conflict", 0, 5, after=4)],
        [A, B, C, Operation("bo", "d", 6)],  # begun, and never written
    ],
)
def test_what_an_order_explains_is_no_fault(operations: list[Operation]) -> None:
    shown = [Shown("cy", record.seq, record.hash, 4.5) for record in THERE]
    assert History(operations, shown).faults(THERE) == []


@for_each(
    ("operations", "there", "says"),
    [
        ([A, B, C], log("a", "bb"), "lost: ana: append c, 3.000000 to 5.000000: done 5-5; there stands no such append"),
        ([A, B, C], log("a", "bb", "c", "a"), "doubled: a is in the log 2 times"),
        ([A, B, replace(C, answer="refused")], THERE, "invented: c is in the log, and nobody appended it"),
        ([A, B, C, looked(1, 9, 3)], THERE, "no end of an append"),
        ([A, B, C, Operation("bo", "d", 6, 7, "conflict", 0, 5, after=5)], THERE, "the condition held"),
        ([A, B, C, looked(5.5, 6, 4)], THERE, "no order has both: [bo: look, 5.500000 to 6.000000: seen at 4] and"),
        (
            [A, replace(B, start=6, end=7), C],
            THERE,
            "no order has both: [ana: append b, 6.000000 to 7.000000: done 3-4]",
        ),
        ([A, B, replace(C, hash="0" * 64)], THERE, "another record: ana: append c"),
    ],
)
def test_what_no_order_explains_is_said_with_both_answers(
    operations: list[Operation], there: list[Recorded], says: str
) -> None:
    assert [why for why in History(operations).faults(there) if says in why]


def test_a_follower_is_shown_each_record_once_and_none_that_is_not_there() -> None:
    def faults(*shown: tuple[int, str, float]) -> list[str]:
        return History([A, B, C], [Shown("cy", *each) for each in shown]).faults(THERE)

    one, two, three, *_ = (record.hash for record in THERE)
    assert faults((1, one, 9), (2, two, 9)) == []
    assert faults((1, one, 9), (3, three, 9)) == ["cy was shown record 3 after 1"]
    assert faults((1, one, 9), (1, one, 9)) == ["cy was shown record 1 after 1"]
    assert faults((1, two, 9)) == ["cy was shown another record 1 than is there"]
    assert "no order has both: [ana: append a, 1.000000 to 2.000000: done 2-2]" in faults((2, two, 0.5))[0]
