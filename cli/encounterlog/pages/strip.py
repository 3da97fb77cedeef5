"""The strip of a round: a line for each combatant or turn, a column for each tick, under 80 columns."""

from collections.abc import Iterator

from encounterlog.wording.layout import alarm, clip, name, width
from projections.views.strip import MARKS, Strip, StripRow

NARROW = 79
STRIKING = frozenset("Xe-")


def lines(strip: Strip, called: dict[str, str]) -> Iterator[str]:
    """Yield the strip with its legend; `called` are the display names."""
    names = [called.get(row.combatant, row.combatant) for row in strip.rows]
    room = max(map(width, names), default=0)
    yield f"  {' ' * room}  " + "".join(f"{number:>3}" for number in range(1, strip.count + 1))
    for title, row in zip(names, strip.rows, strict=True):
        yield f"  {title}{' ' * (room - width(title))}  {_cells(row)}{_notes(row, NARROW - room - 4 - 3 * strip.count)}"
    legend = "  ".join(f"{mark} {MARKS[mark]}" for mark in strip.marks)
    yield clip(f"  {' ' * room}  {legend}", NARROW)


def _cells(row: StripRow) -> str:
    return "".join(" " * (3 - len(cell)) + (alarm(cell) if STRIKING & set(cell) else cell) for cell in row.cells)


def _notes(row: StripRow, room: int) -> str:
    notes = "; ".join(name(note, 40) for note in row.notes if note)
    return f"  {clip(notes, room - 2)}" if notes and room > 8 else ""
