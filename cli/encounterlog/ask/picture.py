"""A round as a picture in text: a grid of the lanes of combatants, and the ground."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from msgspec import Struct

from encounterlog.words.layout import HANG, alarm, clip, fill, heading, joined, room, width, wrap
from encounterlog.words.phrases import word_with_text
from eventstore.wording import list_in_words
from projections.views.lane_shapes import EMPTY, LEGEND, LETTERS, POINTS, Column, Lane, Lanes, Mark, Span
from projections.views.view import Show

STRIKING = frozenset({"spoiled", "lost", "finding"})
START = "start"
LEAST, LEAST_NOTE = 3, 12
"""The least width of the column of names, and of notes that are cut."""


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
        of = tuple(every)[0 if used or _has_time(columns[0]) else 1 :]
        yield Band(of, tuple(_row(lane, columns, of, "") for lane in shown))
        return
    for turn, group in groupby(every, key=lambda number: columns[number].turn):
        of = tuple(group)
        touched = [lane for lane in shown if lane.combatant == turn or any(_crosses(each, of) for each in _items(lane))]
        if touched:
            own_first = sorted(touched, key=lambda lane: lane.combatant != turn)
            yield Band(of, tuple(_row(lane, columns, of, turn) for lane in own_first), turn)


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


def draw_lanes(
    lanes: Lanes, called: Mapping[str, str], places: Mapping[str, str] | None = None, *, brief: bool = False
) -> Iterator[str]:
    """Yield the picture with its legend; nothing if it is empty.

    A `brief` picture has one line for each lane: the last
    columns, and as much of the notes as there is room for. `called` maps ids to labels; `places` to the text before
    them, and those combatants have a line in any case, in that order.
    """
    if found := make_grid(lanes, tuple(places or ())):
        yield from _Drawing(lanes, found, called, places or {}, brief=brief).draw_lines()


class _Drawing:
    """A grid in letters: how its lanes and columns are called."""

    def __init__(
        self, lanes: Lanes, drawn: Grid, called: Mapping[str, str], places: Mapping[str, str], *, brief: bool
    ) -> None:
        self.lanes, self.grid, self.places, self.brief = lanes, drawn, places, brief
        self.numbers = {who: number for number, who in enumerate(drawn.lanes, 1)} if drawn.unit == "turn" else {}
        self.names = {who: called.get(who, who) if who else "(the table)" for who in drawn.lanes}
        self.ahead = max(map(width, places.values()), default=0)

    def draw_lines(self) -> Iterator[str]:
        """Yield the whole picture, in as many pieces side by side as there is room for."""
        bands, title = self.grid.bands, self._title()
        heads = [self._column_head(number) for number in max((band.columns for band in bands), key=len)]
        lines = [self._parts_of_line(row, band) for band in bands for row in band.rows]
        columns = zip_longest(heads, *(cells for _, cells, _ in lines), fillvalue="")
        widths = [1 + max(map(width, column)) for column in columns]
        widest = max(width(label) for label, _, _ in lines)
        wide = max(widest, width(title) - 2)
        if 4 + wide + sum(widths) > room():  # then the title does not count
            wide = min(widest, max(LEAST, room() - 6 - max(widths)))
        begin, last = 0, len(widths)
        if self.brief:
            begin = next(n for n in range(last) if n == last - 1 or 4 + wide + sum(widths[n:]) <= room())
        while begin < last:
            end = next((n for n in range(last, begin + 1, -1) if 4 + wide + sum(widths[begin:n]) <= room()), begin + 1)
            part = slice(begin, end)
            yield from self._head_line(title, wide, heads[part], widths[part])
            for label, cells, notes in lines:
                yield from self._row(clip(label, wide), wide, cells[part], widths[part], notes if end == last else "")
            begin, title = end, ""
        yield from self.legend_lines()

    def _title(self) -> str:
        unit, round_ = self.grid.unit, self.lanes.round
        before = "of surprise" if any(column.segment for column in self.lanes.columns) else "before round 1"
        when = f"of round {round_}" if round_ else before
        return f"{unit.capitalize()}s {when}" if unit else f"Round {round_}"

    def _parts_of_line(self, row: Row, band: Band) -> tuple[str, list[str], str]:
        """Return the beginning of a lane's line, its cells in letters and points, and its notes."""
        cells = []
        for cell in row.cells:
            found = "".join(LETTERS[kind] for kind in cell.kinds)
            found += "".join(f"{sum(amounts):+d}{POINTS[what].letter}" for what, amounts in cell.points.items())
            cells.append(alarm(found) if STRIKING.intersection(cell.kinds) else found or EMPTY)
        carried_out = {one.words for one in row.said if one.kind != "declares"}
        said = (one for one in row.said if one.kind != "declares" or one.words not in carried_out)
        notes = [*map(self._note_on, said), *map(self._sums_of_points, row.cells, band.columns)]
        return self._label(row, band), cells, "; ".join(dict.fromkeys(filter(None, notes)))

    def legend_lines(self) -> Iterator[str]:
        """Yield the meanings of the signs in use."""
        signs = [LEGEND[kind] for kind in self.grid.kinds]
        signs += [sign for kind, sign in POINTS.items() if kind in self.grid.points and sign.letter]
        entries = [f"{sign.letter} {sign.legend}" for sign in signs]
        indent = " " * (2 if room() < 50 else 4)
        yield from fill(entries, indent, indent) if entries else ()

    def _label(self, row: Row, band: Band) -> str:
        """Return the beginning of a line: a number where columns are turns, the place in the order, the name."""
        who = row.combatant
        if band.turn and who != band.turn:
            return f"  {self.names[who]}"
        if who not in self.numbers:
            return self.names[who]
        before = f"{self.places.get(who, ''):<{self.ahead}}  " if self.ahead else ""
        return f"{self.numbers[who]:>{len(str(len(self.numbers)))}} {before}{self.names[who]}"

    def _head_line(self, title: str, wide: int, heads: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
        """Yield the heads of the columns, on the line of the title where there is room for it."""
        row = "".join(f"{' ' * (most - width(head))}{head}" for head, most in zip(heads, widths, strict=True))
        beside = width(title) <= wide + 3
        if not beside:
            yield heading(clip(title))
        start = joined([heading(title), " " * (4 + wide - width(title))]) if title and beside else " " * (4 + wide)
        yield joined([start, row])

    def _row(self, label: str, wide: int, cells: Sequence[str], widths: Sequence[int], notes: str) -> Iterator[str]:
        """Yield the line of a lane, with its notes after the cells or, if they do not fit, below."""
        padded = (joined([" " * (most - width(cell)), cell]) for cell, most in zip(cells, widths, strict=False))
        line = joined([f"  {label}{' ' * (wide - width(label))}  ", *padded])
        if not notes or width(line) + 2 + width(notes) <= room():
            yield joined([line, "  ", notes]) if notes else line
        elif self.brief:
            yield clip(joined([line, "  ", notes])) if width(line) + LEAST_NOTE < room() else line
        else:
            yield line
            yield from wrap(notes, HANG + "  ", HANG)

    def _column_head(self, number: int) -> str:
        column = self.lanes.columns[number]
        if column.second:
            return str(column.second)
        if column.turn:
            return str(self.numbers.get(column.turn, START))
        return ".".join(str(part) for part in (column.phase, column.segment) if part) or START

    def _sums_of_points(self, cell: Cell, number: int) -> str:
        """Return in words the changes of a lane's points in a column where a sum stands for several amounts."""
        words = [
            f"{list_in_words(f'{amount:+d}' for amount in amounts)}{word_with_text('', POINTS[what].means)}"
            for what, amounts in cell.points.items()
            if len(amounts) > 1
        ]
        return f"{', '.join(words)}{self._where_words(number)}" if words else ""

    def _note_on(self, one: Mark | Span) -> str:
        if isinstance(one, Mark) and one.kind == "status":
            return f"{one.words}{self._where_words(one.column)}"
        if one.kind in ("concentration", "effect", "damage", "healing", "condition", "finding"):
            return ""
        cut = self._where_words(one.last) if isinstance(one, Span) and one.status in ("spoiled", "withdrawn") else ""
        words = ["declares"] if one.kind == "declares" else []
        words += [one.words] if one.words != "turn" else []
        words += [one.status] if one.status not in ("", "done", "begun" if not words else "", one.words) else []
        return f"{' '.join(words)}{cut}"

    def _where_words(self, number: int) -> str:
        head = self._column_head(number)
        return "" if head == START else f" in {head}"


Square = tuple[int, int]

CELL = 4
"""The width of a square, in columns."""
TALLEST = 30
"""The most rows of a map; beyond them, as beyond the width of the page, empty rows and columns are left out."""
FREE, SEVERAL, GAP = ".", "*", ":"


def draw_ground(shown: Show, called: Mapping[str, str], *, drawn: bool = True) -> Iterator[str]:
    """Yield the map with its legend, or who stands where alone if it is not `drawn`; nothing where nobody's square is known."""
    standing = {who: one.square for who, one in shown.combatants.items() if one.square and not one.left}
    if not standing:
        return
    marks = _make_marks(list(standing))
    on: dict[Square, list[str]] = {}
    for who, square in standing.items():
        on.setdefault(square, []).append(who)
    fit = max(1, (room() - 10) // CELL)
    columns = _indices_to_draw({column for column, _ in on}, fit)
    if drawn and len(columns) <= fit:
        rows = _indices_to_draw({row for _, row in on}, TALLEST)
        on_map = {square: marks[those[0]] if len(those) == 1 else SEVERAL for square, those in on.items()}
        yield from _draw_grid(columns, rows, on_map)
    named = {who: f"{f'{marks[who]} ' if drawn else ''}{called.get(who, who)}" for who in standing}
    yield from fill((f"{named[who]} at {column},{row}" for who, (column, row) in standing.items()), "  ", HANG)


def _indices_to_draw(taken: set[int], most: int) -> list[int | None]:
    """Return the columns or rows to draw; where they are too many, only those taken, with None for a gap."""
    first, last = min(taken), max(taken)
    if last - first < most:
        return list(range(first, last + 1))
    found: list[int | None] = []
    for number in sorted(taken):
        if found and found[-1] != number - 1:
            found.append(None)
        found.append(number)
    return found


def _draw_grid(columns: list[int | None], rows: list[int | None], on: dict[Square, str]) -> Iterator[str]:
    wide = max(len(str(number)) for number in rows if number is not None)
    heads = (GAP if number is None else str(number)[1 - CELL :] for number in columns)  # the last figures, which fit
    yield f"  {'':>{wide}}" + "".join(f"{head:>{CELL}}" for head in heads)
    for row in rows:
        cells = (GAP if None in (column, row) else on.get((column or 0, row or 0), FREE) for column in columns)
        yield f"  {GAP if row is None else row:>{wide}}" + "".join(f"{cell:>{CELL}}" for cell in cells)


def _make_marks(those: list[str]) -> dict[str, str]:
    """Return a mark of two or three letters for each id: its first letters, its last figure, else a number."""
    found: dict[str, str] = {}
    for who in those:
        tail = who.rpartition("-")[2]
        numbered = [f"{who[0]}{tail[-2:]}"] if tail.isdigit() else []
        for mark in (*numbered, who[:2], *(f"{who[0]}{letter}" for letter in who[2:] if letter != "-")):
            if mark not in found.values():
                found[who] = mark
                break
        else:
            found[who] = str(len(found) + 1)
    return found
