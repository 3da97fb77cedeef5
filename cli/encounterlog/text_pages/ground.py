"""A battle map in plain text: the squares on which combatants stand, in the game's own columns and rows."""

from collections.abc import Iterator, Mapping

from encounterlog.text.layout import HANG, fill, room
from projections.views.view import Show

Square = tuple[int, int]

CELL = 4
"""The width of a square, in columns."""
TALLEST = 30
"""The most rows of a map; beyond them, as beyond the width of the page, empty rows and columns are left out."""
FREE, SEVERAL, GAP = ".", "*", ":"


def lines(shown: Show, called: Mapping[str, str], *, drawn: bool = True) -> Iterator[str]:
    """Yield the map with its legend, or who stands where alone if it is not `drawn`; nothing where nobody's square is known."""
    standing = {who: one.square for who, one in shown.combatants.items() if one.square and not one.left}
    if not standing:
        return
    marks = _marks(list(standing))
    on: dict[Square, list[str]] = {}
    for who, square in standing.items():
        on.setdefault(square, []).append(who)
    columns, rows = _span({column for column, _ in on}, _across()), _span({row for _, row in on}, TALLEST)
    if drawn and len(columns) <= _across():
        yield from _grid(columns, rows, {square: _mark(those, marks) for square, those in on.items()})
    legend = (
        f"{f'{marks[who]} ' if drawn else ''}{called.get(who, who)} at {column},{row}"
        for who, (column, row) in standing.items()
    )
    yield from fill(legend, "  ", HANG)


def _across() -> int:
    return max(1, (room() - 10) // CELL)


def _span(taken: set[int], most: int) -> list[int | None]:
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


def _grid(columns: list[int | None], rows: list[int | None], on: dict[Square, str]) -> Iterator[str]:
    wide = max(len(str(number)) for number in rows if number is not None)
    yield f"  {'':>{wide}}" + "".join(f"{_tail(number):>{CELL}}" for number in columns)
    for row in rows:
        cells = (GAP if None in (column, row) else on.get((column or 0, row or 0), FREE) for column in columns)
        yield f"  {GAP if row is None else row:>{wide}}" + "".join(f"{cell:>{CELL}}" for cell in cells)


def _tail(number: int | None) -> str:
    """Return the last figures of a number, as many as fit over a column."""
    return GAP if number is None else str(number)[-(CELL - 1) :]


def _mark(those: list[str], marks: Mapping[str, str]) -> str:
    return marks[those[0]] if len(those) == 1 else SEVERAL


def _marks(those: list[str]) -> dict[str, str]:
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
