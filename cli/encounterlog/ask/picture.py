"""A round as a picture in text: the lanes of combatants in letters, and the ground."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from encounterlog.words.layout import HANG, alarm, clip, fill, heading, joined, room, width, wrap
from encounterlog.words.phrases import word_with_text
from eventstore.wording import list_in_words
from projections.views.lane_shapes import EMPTY, LEGEND, LETTERS, POINTS, Column, Lane, Lanes, Mark, Span
from projections.views.view import Show

STRIKING = frozenset({"spoiled", "lost", "finding"})
LEAST, LEAST_NOTE = 3, 12  # the least width of the column of names, and of notes that are cut
UNITS = ("second", "phase", "segment", "turn")
"""What the columns of a picture count: the first of these parts that one of them has."""

Band = tuple[Sequence[int], str, Iterable[Lane]]
"""Columns that are drawn side by side, whose turn they are ("": everybody's), and the lanes that have something in them."""


def draw_lanes(
    lanes: Lanes, called: Mapping[str, str], places: Mapping[str, str] | None = None, *, brief: bool = False
) -> Iterator[str]:
    """Yield the picture with its legend; nothing if it is empty. If `brief`, a line a lane: the last columns, and the notes that fit.

    `called` maps ids to labels; `places` to the text before them, and those combatants have a line in any case, in that order.
    """
    if shown := _sort_lanes(lanes, places or {}):
        yield from _Picture(lanes, shown, called, places or {}, brief=brief).draw_lines()


def _sort_lanes(lanes: Lanes, first: Collection[str]) -> list[Lane]:
    """Return the lanes of these, then the others with anything in them, by the first thing; none if the picture is empty."""
    declared = any(mark.kind == "declares" for lane in lanes.lanes for mark in lane.marks)
    used = [lane for lane in lanes.lanes if lane.spans or lane.marks]
    if not used or not (declared or any(map(_has_time, lanes.columns))):
        return []
    there = {lane.combatant: lane for lane in lanes.lanes}
    placed = [there.get(who, Lane(who, (), ())) for who in first]
    rest = [lane for lane in used if lane.combatant not in first]
    return [*placed, *sorted(rest, key=lambda lane: min(map(_ends, _items(lane)))[0])]


def _items(lane: Lane) -> list[Mark | Span]:
    return [*lane.spans, *lane.marks]


def _ends(one: Mark | Span) -> tuple[int, int]:
    return (one.column, one.column) if isinstance(one, Mark) else (one.first, one.last)


def _has_time(column: Column) -> bool:
    return bool(column.phase or column.turn or column.segment or column.second)


def _crosses(lane: Lane, columns: Sequence[int]) -> list[Mark | Span]:
    found = []
    for one in _items(lane):
        ends = _ends(one)[isinstance(one, Span) and one.from_before :]
        is_there = any(columns[0] <= column <= columns[-1] for column in ends)
        found += [one] if is_there and one.kind not in ("wait", "concentration") else []
    return found


def _cell(lane: Lane, number: int, column: Column) -> tuple[set[str], dict[str, list[int]]]:
    """Return the kinds of what a lane has in a column, concentration only alone, and by how much points changed, each change alone."""
    marks = [mark for mark in lane.marks if mark.column == number]
    here = [span for span in lane.spans if span.first <= number <= span.last]
    kinds, points = {mark.kind for mark in marks}, dict[str, list[int]]()
    for span in here:
        if span.kind != "concentration" or len(here) == 1:
            kinds.add("work" if span.kind in ("spoiled", "withdrawn") and number != span.last else span.kind)
    kinds |= {"overdue"} if any(span.due == number for span in lane.spans) else set()
    kinds |= {"together"} if any(lane.combatant in those for those in column.together) else set()
    for mark in marks:
        if mark.kind in ("damage", "healing"):
            amount, _, what = mark.words.replace("−", "-").partition(" ")
            points.setdefault(what, []).append(int(amount))
    return kinds, points


class _Picture:
    """Lanes in letters: how they and their columns are called, and the kinds and points that were drawn, for the legend."""

    def __init__(
        self, lanes: Lanes, shown: list[Lane], called: Mapping[str, str], places: Mapping[str, str], *, brief: bool
    ) -> None:
        self.lanes, self.shown, self.places, self.brief = lanes, shown, places, brief
        self.unit = next((part for part in UNITS if any(getattr(each, part) for each in lanes.columns)), "")
        ids = [lane.combatant for lane in shown]
        self.numbers = {who: number for number, who in enumerate(ids, 1)} if self.unit == "turn" else {}
        self.names = {who: called.get(who, who) if who else "(the table)" for who in ids}
        self.ahead = max(map(width, places.values()), default=0)
        self.kinds, self.points = set[str](), set[str]()

    def draw_lines(self) -> Iterator[str]:
        """Yield the whole picture, in as many pieces side by side as there is room for."""
        before = "of surprise" if any(column.segment for column in self.lanes.columns) else "before round 1"
        when = f"of round {self.lanes.round}" if self.lanes.round else before
        bands, title = (
            [*self._bands()],
            f"{self.unit.capitalize()}s {when}" if self.unit else f"Round {self.lanes.round}",
        )
        heads = [self._column_head(number) for number in max((columns for columns, _, _ in bands), key=len)]
        lines = [self._parts_of_line(lane, columns, turn) for columns, turn, lanes in bands for lane in lanes]
        widths = [1 + max(map(width, each)) for each in zip_longest(heads, *(line[1] for line in lines), fillvalue="")]
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
            beside = title if width(title) <= wide + 3 else ""
            yield from [heading(clip(title))] if title != beside else ()
            yield joined(
                [
                    *filter(None, [heading(beside)]),
                    " " * (4 + wide - width(beside)),
                    *_pad_cells(heads[part], widths[part]),
                ]
            )
            for label, cells, notes in lines:
                start = f"  {clip(label, wide)}{' ' * (wide - width(clip(label, wide)))}  "
                row = joined([start, *_pad_cells(cells[part], widths[part])])
                yield from self._with_notes(row, notes if end == last else "")
            begin, title = end, ""
        signs = [LEGEND[kind] for kind in LETTERS if kind in self.kinds]
        signs += [sign for kind, sign in POINTS.items() if kind in self.points and sign.letter]
        indent = " " * (2 if room() < 50 else 4)
        yield from fill((f"{sign.letter} {sign.legend}" for sign in signs), indent, indent) if signs else ()

    def _bands(self) -> Iterator[Band]:
        """Yield all columns at once or, where seconds are counted, those of each turn with the lanes that it touches."""
        columns = self.lanes.columns
        if not any(column.second for column in columns):
            used = _has_time(columns[0]) or any(_crosses(lane, [0]) for lane in self.shown)
            yield range(0 if used else 1, len(columns)), "", self.shown
            return
        for turn, group in groupby(range(len(columns)), key=lambda number: columns[number].turn):
            of = tuple(group)
            if touched := [lane for lane in self.shown if lane.combatant == turn or _crosses(lane, of)]:
                yield of, turn, sorted(touched, key=lambda lane: lane.combatant != turn)

    def _parts_of_line(self, lane: Lane, of: Sequence[int], turn: str) -> tuple[str, list[str], str]:
        nothing, items = (set[str](), dict[str, list[int]]()), _items(lane)
        cells, sums = list[str](), list[str]()
        there = {number for one in items for number in range(_ends(one)[0], _ends(one)[1] + 1)}
        there |= {span.due for span in lane.spans}
        for number in of:
            kinds, points = _cell(lane, number, self.lanes.columns[number]) if number in there else nothing
            self.kinds |= kinds
            self.points |= points.keys()
            found = "".join(letter for kind, letter in LETTERS.items() if kind in kinds)
            found += "".join(f"{sum(amounts):+d}{POINTS[what].letter}" for what, amounts in points.items())
            cells.append(alarm(found) if STRIKING & kinds else found or EMPTY)
            several = ((what, map("{:+d}".format, amounts)) for what, amounts in points.items() if len(amounts) > 1)
            words = [f"{list_in_words(amounts)}{word_with_text('', POINTS[what].means)}" for what, amounts in several]
            sums += [f"{', '.join(words)}{self._where_words(number)}"] if words else []  # of several amounts
        said = items if turn in ("", lane.combatant) else _crosses(lane, of)
        said = [one for one in said if _ends(one)[0] <= of[-1] and _ends(one)[1] >= of[0]]
        carried_out = {one.words for one in said if one.kind != "declares"}
        said = [one for one in said if one.kind != "declares" or one.words not in carried_out]
        notes = [*map(self._note_on, sorted(said, key=lambda one: _ends(one)[0])), *sums]
        return self._label(lane.combatant, turn), cells, "; ".join(dict.fromkeys(filter(None, notes)))

    def _label(self, who: str, turn: str) -> str:
        if turn and who != turn:
            return f"  {self.names[who]}"
        if who not in self.numbers:
            return self.names[who]
        before = f"{self.places.get(who, ''):<{self.ahead}}  " if self.ahead else ""
        return f"{self.numbers[who]:>{len(str(len(self.numbers)))}} {before}{self.names[who]}"

    def _with_notes(self, line: str, notes: str) -> Iterator[str]:
        """Yield the line of a lane, with its notes after the cells or, if they do not fit, below."""
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
            return str(self.numbers.get(column.turn, "start"))
        return ".".join(str(part) for part in (column.phase, column.segment) if part) or "start"

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
        return "" if (head := self._column_head(number)) == "start" else f" in {head}"


def _pad_cells(cells: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    return (joined([" " * (most - width(cell)), cell]) for cell, most in zip(cells, widths, strict=False))


CELL = 4  # the width of a square, in columns
TALLEST = 30
"""The most rows of a map; beyond them, as beyond the width of the page, empty rows and columns are left out."""


def draw_ground(shown: Show, called: Mapping[str, str], *, drawn: bool = True) -> Iterator[str]:
    """Yield the map with its legend, or who stands where alone if it is not `drawn`; nothing where nobody's square is known."""
    standing = {who: one.square for who, one in shown.combatants.items() if one.square and not one.left}
    if not standing:
        return
    marks, fit = _make_marks(standing), max(1, (room() - 10) // CELL)
    columns = _indices_to_draw({column for column, _ in standing.values()}, fit)
    if drawn and len(columns) <= fit:
        on: dict[tuple[int | None, int | None], str] = {}
        for who, square in standing.items():
            on[square] = "*" if square in on else marks[who]
        rows = _indices_to_draw({row for _, row in standing.values()}, TALLEST)
        wide = max(len(str(row)) for row in rows if row is not None)
        heads = [
            ":" if number is None else str(number)[1 - CELL :] for number in columns
        ]  # the last figures, which fit
        lines = [("", heads)]
        for row in rows:
            cells = [":" if None in (column, row) else on.get((column, row), ".") for column in columns]
            lines.append((":" if row is None else str(row), cells))
        yield from (f"  {start:>{wide}}{''.join(f'{cell:>{CELL}}' for cell in cells)}" for start, cells in lines)
    named = {who: f"{f'{marks[who]} ' if drawn else ''}{called.get(who, who)}" for who in standing}
    yield from fill((f"{named[who]} at {column},{row}" for who, (column, row) in standing.items()), "  ", HANG)


def _indices_to_draw(taken: set[int], most: int) -> list[int | None]:
    """Return the columns or rows to draw; where they are too many, only those taken, with None for a gap."""
    first, last = min(taken), max(taken)
    if last - first < most:
        return list(range(first, last + 1))
    return [each for at in sorted(taken) for each in ([at] if at - 1 in taken or at == first else [None, at])]


def _make_marks(those: Iterable[str]) -> dict[str, str]:
    """Return a mark of two or three letters for each id: its first letters, its last figure, else a number."""
    found: dict[str, str] = {}
    for who in those:
        tail = who.rpartition("-")[2]
        numbered = [f"{who[0]}{tail[-2:]}"] if tail.isdigit() else []
        tried = (*numbered, who[:2], *(f"{who[0]}{letter}" for letter in who[2:] if letter != "-"))
        found[who] = next((mark for mark in tried if mark not in found.values()), str(len(found) + 1))
    return found
