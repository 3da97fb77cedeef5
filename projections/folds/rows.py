"""Rows of the timeline that look alike in several games: a turn, an act, a combatant who is due."""

from collections.abc import Iterable
from typing import Any

from eventstore.shapes import Action
from projections.because import Because
from projections.fight import TimelineRow
from projections.mechanics.turnlist import Turn
from projections.state import State
from projections.time import Point


def row_of_turn(turn: Turn, because: Because, *order: int, name: str | None = None) -> TimelineRow:
    """Return the row of a turn, at the point where it was recorded; `order` sorts it among other rows."""
    return TimelineRow(turn.point, turn.combatant, turn.status, because, "turn", name, events=turn.events, order=order)


def row_of_act(point: Point, who: str, action: Action, status: str, because: Because, **more: Any) -> TimelineRow:
    """Return the row of an act: `more` are its cost, its facts, and the key that sorts it among other rows."""
    return TimelineRow(point, who, status, because, action.kind, action.name, targets=action.targets, **more)


def clock_reason(state: State, seq: int) -> Because:
    """Return the record that set the clock to the moment of another record, as a reason; none for one without a moment."""
    timed = state.moments[seq].timed if seq in state.moments else 0
    return Because((), (timed,) if timed else ())


def sort_rows(state: State, rows: Iterable[TimelineRow]) -> tuple[TimelineRow, ...]:
    """Return rows by the keys that sort them, those with equal keys in the order of their records."""
    return tuple(sorted(rows, key=lambda row: (row.order, tuple(map(state.place_of, row.events)))))


def row_of_due(state: State, who: str, because: Because) -> TimelineRow:
    """Return the row of a combatant whose turn of the present round is still to come."""
    return TimelineRow(Point(state.clock.round), who, "due", because, "turn")
