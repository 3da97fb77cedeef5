"""The picture of a round in text: a line for each combatant, a column for each tick; long notes go on a line below."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, zip_longest

from msgspec import Struct, structs

from encounterlog.text.layout import HANG, alarm, clip, fill, heading, joined, room, width, wrap
from encounterlog.text.phrases import after, listed
from projections.views.lanes import Column, Lane, Lanes, Mark, Span

SIGNS = {
    "act": ("A", "acts"),
    "work": ("C", "busy"),
    "effect": ("E", "effect"),
    "overdue": ("e", "was due"),
    "spoiled": ("X", "spoiled"),
    "withdrawn": ("W", "given up"),
    "held": ("h", "holds"),
    "due": ("d", "due"),
    "wait": ("~", "waits"),
    "lost": ("-", "lost"),
    "declares": ("D", "declares"),
    "condition": ("c", "condition"),
    "concentration": ("=", "concentrates"),
    "together": ("&", "at once"),
    "finding": ("!", "finding"),
}
"""The signs of a cell and their meanings, in the order in which they stand in it; points, as -3 or +4, follow."""
POINTS = {"": ("", ""), "temporary": ("t", "temporary points"), "non-lethal": ("n", "non-lethal damage")}
"""The suffix of a number of points, by kind, and its meaning."""
STRIKING = frozenset({"spoiled", "lost", "finding"})
DONE = frozenset({"act", "work", "spoiled", "withdrawn", "held", "lost"})
"""The kinds of marks that follow from a declaration."""
EMPTY, START = ".", "-"
LEAST, LEAST_NOTE = 3, 12
"""The least width of the column of names, and of notes that are cut."""


class Band(Struct, frozen=True):
    """Some columns of a picture, drawn side by side, with a line for each of these lanes; `turn` is whose they are."""

    columns: tuple[int, ...]
    lanes: tuple[Lane, ...]
    turn: str = ""


def lines(
    lanes: Lanes, called: Mapping[str, str], places: Mapping[str, str] | None = None, *, brief: bool = False
) -> Iterator[str]:
    """Yield the picture with its legend; nothing if it is empty. A declaration is drawn only if nothing followed from it.

    One that is `brief` has one line for each lane: the last columns, and as much of the notes as there is room for.

    `called` maps ids to labels; `places` to what precedes them, and those combatants have a line in any case, in that order.
    """
    before, lanes = places or {}, _without_declarations(lanes)
    shown = _sorted(lanes, before)
    if not shown:
        return
    yield from _Drawing(lanes, called, before, shown, brief=brief).lines()


def _title(lanes: Lanes) -> str:
    before = "of surprise" if any(column.segment for column in lanes.columns) else "before round 1"
    return f"{_unit(lanes)} {f'of round {lanes.round}' if lanes.round else before}"


def _unit(lanes: Lanes) -> str:
    units = {"Seconds": "second", "Phases": "phase", "Segments": "segment", "Turns": "turn"}
    return next(name for name, part in units.items() if any(getattr(each, part) for each in lanes.columns))


def _without_declarations(lanes: Lanes) -> Lanes:
    """Return the picture without the declarations of combatants who then did something."""
    return structs.replace(lanes, lanes=tuple(map(_carried_out, lanes.lanes)))


def _carried_out(lane: Lane) -> Lane:
    if not any(each.kind in DONE for each in _all(lane)):
        return lane
    return structs.replace(lane, marks=tuple(mark for mark in lane.marks if mark.kind != "declares"))


def _sorted(lanes: Lanes, places: Mapping[str, str]) -> list[Lane]:
    """Return the lanes with anything in them or with a place; in the order of the places, then of the first thing in them."""
    there = {lane.combatant: lane for lane in lanes.lanes}
    if not any(map(_counts, lanes.columns)) or not any(map(_all, lanes.lanes)):
        return []
    placed = [there.get(who, Lane(who, (), ())) for who in places]
    rest = [lane for lane in lanes.lanes if lane.combatant not in places and (lane.marks or lane.spans)]
    return [*placed, *sorted(rest, key=_first)]


def _first(lane: Lane) -> int:
    return min([*(mark.column for mark in lane.marks), *(span.first for span in lane.spans)])


def _bands(lanes: Lanes, shown: list[Lane]) -> list[Band]:
    """Return all columns at once or, where seconds are counted, those of each turn with the lanes that it touches."""
    every = range(len(lanes.columns))
    if not any(column.second for column in lanes.columns):
        used = any(_meets(each, [0]) for lane in shown for each in _all(lane))
        return [Band(tuple(every)[0 if used or _counts(lanes.columns[0]) else 1 :], tuple(shown))]
    found = []
    for turn, group in groupby(every, key=lambda number: lanes.columns[number].turn):
        columns = tuple(group)
        touched = (
            lane for lane in shown if lane.combatant == turn or any(_meets(each, columns) for each in _all(lane))
        )
        found.append(Band(columns, tuple(sorted(touched, key=lambda lane: lane.combatant != turn)), turn))
    return [band for band in found if band.lanes]


def _counts(column: Column) -> bool:
    """Say whether a column stands for anything but the beginning of the round."""
    return bool(column.phase or column.turn or column.segment or column.second)


def _meets(one: Mark | Span, columns: Sequence[int]) -> bool:
    """Say whether something happens, begins or ends in these columns."""
    ends = (one.column,) if isinstance(one, Mark) else (one.first if not one.from_before else -1, one.last)
    return any(columns[0] <= column <= columns[-1] for column in ends) and one.kind not in ("wait", "concentration")


def _all(lane: Lane) -> list[Mark | Span]:
    return [*lane.spans, *lane.marks]


def _in(one: Mark | Span, columns: Sequence[int]) -> bool:
    first, last = (one.column, one.column) if isinstance(one, Mark) else (one.first, one.last)
    return first <= columns[-1] and last >= columns[0]


class _Drawing:
    """A picture being drawn: how lanes and columns are called, and which signs were used."""

    def __init__(
        self, lanes: Lanes, called: Mapping[str, str], places: Mapping[str, str], shown: list[Lane], *, brief: bool
    ) -> None:
        self.brief, order = brief, [lane.combatant for lane in shown]
        self.lanes, self.places, self.bands = lanes, places, _bands(lanes, shown)
        self.numbers = {who: number for number, who in enumerate(order, 1)} if _unit(lanes) == "Turns" else {}
        self.names = {who: called.get(who, who) if who else "(the table)" for who in order}
        self.used, self.points = set[str](), set[str]()
        self.ahead = max(map(width, places.values()), default=0)
        self.wide = max(width(self._label(lane, band)) for band in self.bands for lane in band.lanes)

    def lines(self) -> Iterator[str]:
        """Yield the whole picture, in as many pieces side by side as there is room for."""
        heads = [self._head(number) for number in max((band.columns for band in self.bands), key=len)]
        cells = [[self._cells(lane, band) for lane in band.lanes] for band in self.bands]
        rows = [heads, *(row for band in cells for row in band)]
        widths = [1 + max(map(width, column)) for column in zip_longest(*rows, fillvalue="")]
        wide, title = self._room(widths), _title(self.lanes)
        begin, last = 0, len(widths)
        if self.brief:
            begin = next(n for n in range(last) if n == last - 1 or 4 + wide + sum(widths[n:]) <= room())
        while begin < last:
            end = next((n for n in range(last, begin + 1, -1) if 4 + wide + sum(widths[begin:n]) <= room()), begin + 1)
            part = slice(begin, end)
            yield from self._top(title, wide, heads[part], widths[part])
            for band, drawn in zip(self.bands, cells, strict=True):
                for lane, row in zip(band.lanes, drawn, strict=True):
                    notes = self._notes(lane, band) if end == last else ""
                    yield from self._row(clip(self._label(lane, band), wide), wide, row[part], widths[part], notes)
            begin, title = end, ""
        yield from self.legend()

    def _room(self, widths: list[int]) -> int:
        """Return the width of the column of names; the title counts, too, if both fit beside the cells."""
        most = max(LEAST, room() - 6 - max(widths))
        whole = max(self.wide, width(_title(self.lanes)) - 2)
        return whole if 4 + whole + sum(widths) <= room() else min(self.wide, most)

    def legend(self) -> Iterator[str]:
        """Yield what the signs mean that were used."""
        entries = [f"{sign} {says}" for kind, (sign, says) in SIGNS.items() if kind in self.used]
        entries += [f"{sign} {says}" for kind, (sign, says) in POINTS.items() if kind in self.points and sign]
        yield from fill(entries, " " * (2 if room() < 50 else 4), " " * (2 if room() < 50 else 4)) if entries else ()

    def _label(self, lane: Lane, band: Band) -> str:
        """Return what a line begins with: a number where columns are turns, the place in the order, the name."""
        who = lane.combatant
        if band.turn and who != band.turn:
            return f"  {self.names[who]}"
        if who not in self.numbers:
            return self.names[who]
        before = f"{self.places.get(who, ''):<{self.ahead}}  " if self.ahead else ""
        return f"{self.numbers[who]:>{len(str(len(self.numbers)))}} {before}{self.names[who]}"

    def _top(self, title: str, wide: int, heads: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
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

    def _head(self, number: int) -> str:
        column = self.lanes.columns[number]
        if column.second:
            return str(column.second)
        if column.turn:
            return str(self.numbers.get(column.turn, START))
        return ".".join(str(part) for part in (column.phase, column.segment) if part) or START

    def _cells(self, lane: Lane, band: Band) -> list[str]:
        """Return what a lane has in the columns of a band."""
        there = {mark.column for mark in lane.marks}
        there.update(number for span in lane.spans for number in (*range(span.first, span.last + 1), span.due))
        return [self._cell(lane, number) if number in there else EMPTY for number in band.columns]

    def _cell(self, lane: Lane, number: int) -> str:
        """Return what a lane has in a column: signs, and points."""
        kinds = dict.fromkeys(_kinds(lane, number, self.lanes.columns[number]))
        found = [kind for kind in SIGNS if kind in kinds]
        self.used.update(found)
        signs = "".join(SIGNS[kind][0] for kind in found)
        sums = {what: sum(amounts) for what, amounts in _points(lane, number).items()}
        self.points.update(sums)
        signs += "".join(f"{amount:+d}{POINTS[what][0]}" for what, amount in sums.items())
        return alarm(signs) if STRIKING & kinds.keys() else signs or EMPTY

    def _notes(self, lane: Lane, band: Band) -> str:
        """Return what a lane does in the columns of a band, in words."""
        mine = lane.combatant == band.turn or not band.turn
        marked = sorted(
            (e for e in _all(lane) if _in(e, band.columns) and (mine or _meets(e, band.columns))), key=_begins
        )
        notes = [*map(self._note, marked), *(self._sums(lane, number) for number in band.columns)]
        return "; ".join(dict.fromkeys(filter(None, notes)))

    def _sums(self, lane: Lane, number: int) -> str:
        """Return in words what befell the points of a lane in a column where a sum stands for several amounts."""
        words = [
            f"{listed(f'{amount:+d}' for amount in amounts)}{after('', POINTS[what][1])}"
            for what, amounts in _points(lane, number).items()
            if len(amounts) > 1
        ]
        return f"{', '.join(words)}{self._where(number)}" if words else ""

    def _note(self, one: Mark | Span) -> str:
        if isinstance(one, Mark) and one.kind == "status":
            return f"{one.words}{self._where(one.column)}"
        if one.kind in ("concentration", "effect", "damage", "healing", "condition", "finding", "declares"):
            return ""
        cut = self._where(one.last) if isinstance(one, Span) and one.status in ("spoiled", "withdrawn") else ""
        words = [one.words] if one.words != "turn" else []
        words += [one.status] if one.status not in ("", "done", "begun" if not words else "", one.words) else []
        return f"{' '.join(words)}{cut}"

    def _where(self, number: int) -> str:
        head = self._head(number)
        return "" if head == START else f" in {head}"


def _begins(one: Mark | Span) -> int:
    return one.column if isinstance(one, Mark) else one.first


def _points(lane: Lane, number: int) -> dict[str, list[int]]:
    """Return by how much the points of each kind changed in a column, each change alone."""
    found: dict[str, list[int]] = {}
    for mark in lane.marks:
        if mark.column == number and mark.kind in ("damage", "healing"):
            amount, _, what = mark.words.replace("−", "-").partition(" ")
            found.setdefault(what, []).append(int(amount))
    return found


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


__all__ = ["lines"]
