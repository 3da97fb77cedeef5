"""A round's picture as a grid, for text: bands of columns with the lanes that they touch, and what stands in each cell."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from projections.views.lane_shapes import LETTERS, Column, Lane, Lanes, Mark, Span

UNITS = ("second", "phase", "segment", "turn")
"""What the columns of a picture count: the first of these parts that one of them has."""


class Cell(Struct, frozen=True):
    """What a lane has in a column: kinds in the order of their letters, and by how much points of each kind changed, change by change."""

    kinds: tuple[str, ...] = ()
    points: dict[str, tuple[int, ...]] = {}


class Row(Struct, frozen=True):
    """A lane within a band: whose it is, a cell for each column, and what is to be said of it in words, in order."""

    combatant: str
    cells: tuple[Cell, ...]
    said: tuple[Mark | Span, ...]


class Band(Struct, frozen=True):
    """Some columns of a picture, drawn side by side, with the lanes that they touch; `turn` is whose they are, or ""."""

    columns: tuple[int, ...]
    rows: tuple[Row, ...]
    turn: str = ""


class Grid(Struct, frozen=True):
    """The bands of a picture, all of its lanes in order, the unit of its columns; `kinds` and `points` are those in its cells, for a legend."""

    unit: str
    lanes: tuple[str, ...]
    bands: tuple[Band, ...]
    kinds: tuple[str, ...]
    points: frozenset[str]


def make_grid(lanes: Lanes, first: Sequence[str] = ()) -> Grid | None:
    """Return the grid of a picture; None if there is nothing in it.

    The combatants named `first` have a lane in any case, in that order.
    """
    shown = _sort_lanes(lanes.lanes, lanes.columns, first)
    if not shown:
        return None
    bands = tuple(_bands(lanes.columns, shown))
    cells = [cell for band in bands for row in band.rows for cell in row.cells]
    kinds = {kind for cell in cells for kind in cell.kinds}
    points = frozenset(what for cell in cells for what in cell.points)
    unit = next((part for part in UNITS if any(getattr(each, part) for each in lanes.columns)), "")
    return Grid(unit, tuple(lane.combatant for lane in shown), bands, _sort_kinds(kinds), points)


def _sort_kinds(kinds: set[str]) -> tuple[str, ...]:
    return tuple(kind for kind in LETTERS if kind in kinds)


def _sort_lanes(lanes: Sequence[Lane], columns: Sequence[Column], first: Sequence[str]) -> list[Lane]:
    """Return these lanes, and then the others with anything in them by the first thing in them; none if the picture is empty."""
    there = {lane.combatant: lane for lane in lanes}
    declared = any(mark.kind == "declares" for lane in lanes for mark in lane.marks)
    if not (declared or any(map(_has_time, columns))) or not any(map(_items, lanes)):
        return []
    placed = [there.get(who, Lane(who, (), ())) for who in first]
    rest = [lane for lane in lanes if lane.combatant not in first and _items(lane)]
    return [*placed, *sorted(rest, key=lambda lane: min(map(_first_column, _items(lane))))]


def _bands(columns: Sequence[Column], shown: list[Lane]) -> Iterator[Band]:
    """Yield all columns at once or, where seconds are counted, those of each turn with the lanes that it touches."""
    every = range(len(columns))
    if not any(column.second for column in columns):
        used = any(_crosses(each, [0]) for lane in shown for each in _items(lane))
        yield _band(columns, tuple(every)[0 if used or _has_time(columns[0]) else 1 :], shown, "")
        return
    for turn, group in groupby(every, key=lambda number: columns[number].turn):
        of = tuple(group)
        touched = [lane for lane in shown if lane.combatant == turn or any(_crosses(each, of) for each in _items(lane))]
        if touched:
            yield _band(columns, of, sorted(touched, key=lambda lane: lane.combatant != turn), turn)


def _band(columns: Sequence[Column], of: tuple[int, ...], lanes: list[Lane], turn: str) -> Band:
    return Band(of, tuple(_row(lane, columns, of, turn) for lane in lanes), turn)


def _row(lane: Lane, columns: Sequence[Column], of: tuple[int, ...], turn: str) -> Row:
    there = {mark.column for mark in lane.marks}
    there.update(number for span in lane.spans for number in (*range(span.first, span.last + 1), span.due))
    cells = tuple(
        Cell(_sort_kinds({*_kinds(lane, number, columns[number])}), _points(lane, number))
        if number in there
        else Cell()
        for number in of
    )
    is_own = lane.combatant == turn or not turn
    said = [each for each in _items(lane) if _is_in(each, of) and (is_own or _crosses(each, of))]
    return Row(lane.combatant, cells, tuple(sorted(said, key=_first_column)))


def _kinds(lane: Lane, number: int, column: Column) -> Iterator[str]:
    """Yield the kinds of what a lane has in a column; concentration where it shows nothing else that lasts."""
    yield from (mark.kind for mark in lane.marks if mark.column == number)
    yield from ("together" for those in column.together if lane.combatant in those)
    here = [span for span in lane.spans if span.first <= number <= span.last]
    for span in here:
        if span.kind in ("spoiled", "withdrawn"):
            yield span.kind if number == span.last else "work"
        elif span.kind != "concentration" or len(here) == 1:
            yield span.kind
    yield from ("overdue" for span in lane.spans if span.due == number)


def _points(lane: Lane, number: int) -> dict[str, tuple[int, ...]]:
    """Return by how much the points of each kind changed in a column, each change alone."""
    found: dict[str, tuple[int, ...]] = {}
    for mark in lane.marks:
        if mark.column == number and mark.kind in ("damage", "healing"):
            amount, _, what = mark.words.replace("−", "-").partition(" ")
            found[what] = (*found.get(what, ()), int(amount))
    return found


def _has_time(column: Column) -> bool:
    return bool(column.phase or column.turn or column.segment or column.second)


def _crosses(one: Mark | Span, columns: Sequence[int]) -> bool:
    ends = (one.column,) if isinstance(one, Mark) else (one.first if not one.from_before else -1, one.last)
    return any(columns[0] <= column <= columns[-1] for column in ends) and one.kind not in ("wait", "concentration")


def _is_in(one: Mark | Span, columns: Sequence[int]) -> bool:
    first, last = (one.column, one.column) if isinstance(one, Mark) else (one.first, one.last)
    return first <= columns[-1] and last >= columns[0]


def _items(lane: Lane) -> list[Mark | Span]:
    return [*lane.spans, *lane.marks]


def _first_column(one: Mark | Span) -> int:
    return one.column if isinstance(one, Mark) else one.first
