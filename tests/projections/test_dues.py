"""Dues as time passes: what is owed before a boundary is unpaid as a fact crosses it, and lapses."""

from typing import Any

from projections.because import Because
from projections.folds import dues
from projections.mechanics.dues import Due, owe
from projections.occurrence import Occurrence
from projections.replay.replay import replay
from projections.state import State
from projections.time import Boundary, Point
from tests.projections.logs import joins, records, rolls, turn, turn_ends

TOLD = (joins("ana"), joins("bo"), rolls("ana", 9), rolls("bo", 5), turn("ana"))  # records 2 to 6


def owing() -> State:
    """Return the state of the turn of ana, in which both owe something before a turn begins, and before one ends."""
    state = replay(records(*TOLD)).state
    for who in ("ana", "bo"):
        for by in ("turn began", "turn ended"):
            owe(state.dues, Due(who, f"throw as its {by}", by, Because((f"{by}.rule",), (4,)), 4))
    return state


def unpaid(line: str, **more: Any) -> list[tuple[str, ...]]:
    event = records(*TOLD, line)[-1].event
    assert event is not None
    found = [*dues.unpaid_dues(owing(), Occurrence(seq=7, line=7, event=event, point=Point()), **more)]
    assert all((each.expected[:7], each.found, each.because) == ("a throw", "none", (4,)) for each in found)
    return [(*each.rules, each.says) for each in found]


ENDS = ("turn ended.rule", "ana owes a throw as its turn ended")
BEGINS = ("turn began.rule", "bo owes a throw as its turn began")


def test_what_is_owed_before_a_boundary_is_unpaid_by_whom_it_comes_for() -> None:
    assert unpaid(turn("bo")) == [ENDS, BEGINS]
    assert unpaid(turn_ends("ana")) == [ENDS]
    assert unpaid(rolls("bo", 7)) == []


def test_what_is_owed_no_more_is_not_unpaid() -> None:
    assert unpaid(turn("bo"), holds=lambda due: due.who == "bo") == [BEGINS]


def test_what_was_owed_lapses_as_its_boundary_comes() -> None:
    state = owing()
    dues.lapse_at(state, Boundary("turn ended", 7, "ana"))
    assert [(due.who, due.by) for due in state.dues.values()] == [
        ("ana", "turn began"),
        ("bo", "turn began"),
        ("bo", "turn ended"),
    ]
    dues.lapse_at(state, Boundary("turn began", 7))
    assert [(due.who, due.by) for due in state.dues.values()] == [("bo", "turn ended")]
