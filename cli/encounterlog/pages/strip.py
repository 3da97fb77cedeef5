"""The strip of a round: a line for each combatant or turn, a column for each tick; long notes go on a line below."""

from collections.abc import Iterator, Mapping

from encounterlog.wording.layout import HANG, alarm, clip, fill, joined, room, width, wrap
from projections.views.strip import MARKS, Strip, StripRow

CELL = 3
"""The width of a tick, in columns."""
STRIKING = frozenset("Xe-")


def lines(strip: Strip, called: Mapping[str, str], title: str = "") -> Iterator[str]:
    """Yield the strip with its legend; `called` maps ids to labels. A title stands on the line of the numbers."""
    names = [called.get(row.combatant, row.combatant) for row in strip.rows]
    wide = max(max(map(width, names), default=0), width(title) - 2)
    wide = min(wide, max(CELL, room() - 4 - CELL * strip.count))
    title = clip(title or "  ", wide + 2)
    top = "".join(f"{number:>{CELL}}" for number in range(1, strip.count + 1))
    legend = "  ".join(f"{mark} {MARKS[mark]}" for mark in strip.marks)
    first = joined([title, " " * (wide + 4 - width(title)), top])
    beside = legend if title.strip() and width(first) + 2 + width(legend) <= room() else ""
    yield joined([first, "  ", beside]) if beside else first
    for title, row in zip(names, strip.rows, strict=True):
        yield from _row(clip(title, wide), wide, row)
    if strip.marks and not beside:
        yield from fill((f"{mark} {MARKS[mark]}" for mark in strip.marks), f"  {' ' * wide}  ", f"  {' ' * wide}  ")


def _row(title: str, wide: int, row: StripRow) -> Iterator[str]:
    """Yield the line of a row, with its notes after the cells or, if they do not fit, below."""
    line = joined([f"  {title}{' ' * (wide - width(title))}  ", *map(_cell, row.cells)])
    notes = "; ".join(note for note in row.notes if note)
    if width(line) + 2 + width(notes) <= room():
        yield joined([line, "  ", notes]) if notes else line
    else:
        yield line
        yield from wrap(notes, HANG + "  ", HANG)


def _cell(cell: str) -> str:
    return joined([" " * (CELL - len(cell)), alarm(cell) if STRIKING & set(cell) else cell])
