"""The strip: the timeline of a round, or of each of its turns, tick by tick, in the letters of the picture; part of what `show` says as data."""

from collections.abc import Iterator

from msgspec import Struct, structs

from projections.fight import TimelineRow
from projections.folds.order import round_rows
from projections.mechanics.acts import kind_and_name
from projections.state import State
from projections.time import Point
from projections.views.lane_layout import kind_alone
from projections.views.lane_shapes import EMPTY, LETTERS

WIDEST, MOST = 20, 2
"""The highest number of columns of a strip, and of letters in a cell; a row beyond them is only in the timeline."""


class StripRow(Struct, frozen=True):
    """A line of a strip: its combatant, one cell per tick, and the same in words."""

    combatant: str
    cells: tuple[str, ...]
    notes: tuple[str, ...]


class Strip(Struct, frozen=True):
    """A drawing of a round: the tick of its columns, their number, and a line for each combatant or turn."""

    round: int
    tick: str
    count: int
    rows: tuple[StripRow, ...]


def strip(state: State) -> Strip | None:
    """Return the strip of the present round; None if the ruleset counts no ticks, or nothing has a place yet."""
    if state.rules.strip is None:
        return None
    tick, count = state.rules.strip
    now = state.clock.point.round
    entries = [entry for entry in round_rows(state) if entry.status != "struck"]
    if tick == "segment" and now == 0:
        last = max((max(entry.point.segment, _end(entry).segment) for entry in entries), default=0)
        count = min(last, WIDEST)
    rows = tuple(_row(base, who, entries, tick, count) for base, who in _strip_rows(entries, tick, now))
    return Strip(now, tick, count, rows) if rows and count else None


def _strip_rows(entries: list[TimelineRow], tick: str, now: int) -> Iterator[tuple[Point, str]]:
    """Yield the lines of a strip: one per combatant of the round, or per turn; those without a turn come last."""
    placed = [one for one in sorted(entries, key=lambda one: one.point) if one.point.round <= now <= _end(one).round]
    turns = [0 if tick == "segment" else one.point.turn for one in placed]
    lines = dict.fromkeys((Point(now, turn=turn), one.combatant) for turn, one in zip(turns, placed, strict=True))
    in_turn = {who for base, who in lines if base.turn}
    yield from (line for line in lines if line[0].turn)
    yield from (line for line in lines if not line[0].turn and line[1] not in in_turn)


def _row(base: Point, who: str, entries: list[TimelineRow], tick: str, count: int) -> StripRow:
    mine = [entry for entry in entries if entry.combatant == who]
    cells = tuple(_cell(structs.replace(base, **{tick: number}), mine) for number in range(1, count + 1))
    last = structs.replace(base, **{tick: count})
    notes = dict.fromkeys(_entry_words(entry) for entry in mine if base <= _end(entry) and entry.point <= last)
    return StripRow(who, cells, tuple(note for note in notes if note))


def _cell(tick: Point, entries: list[TimelineRow]) -> str:
    found = {_kind(tick, entry) for entry in entries}
    return "".join(letter for kind, letter in LETTERS.items() if kind in found)[:MOST] or EMPTY


def _kind(tick: Point, entry: TimelineRow) -> str:
    """Return the kind of what an entry is in a tick; "" where it is nothing there."""
    if entry.action == "effect" or entry.until is None:
        at = (entry.point,) if entry.action == "effect" else (entry.point, _other_tick(tick, entry))
        return kind_alone(entry) if tick in at else ""
    if entry.due == tick and entry.due > entry.until:
        return {"begun": "due", "done": ""}.get(entry.status, "overdue")
    if not entry.point <= tick <= entry.until:
        return ""
    return entry.status if tick == entry.until and entry.status in ("spoiled", "withdrawn") else "work"


def _other_tick(tick: Point, entry: TimelineRow) -> Point | None:
    """Return the other tick that an entry may belong to, as its key says."""
    other = (entry.key or {}).get("else", {}).get(entry.combatant)
    return structs.replace(tick, segment=other) if other else None


def _end(entry: TimelineRow) -> Point:
    return max(entry.point, entry.until or entry.point, entry.due or entry.point)


def _entry_words(entry: TimelineRow) -> str:
    """Return an entry in words; "" for an effect, since its casting is mentioned."""
    if entry.action == "effect":
        return ""
    words = kind_and_name(entry.action, entry.name)
    cut = entry.until if entry.status in ("spoiled", "withdrawn") else None
    where = f"in {_moment_cut(entry, cut)}" if cut else ""
    other = (entry.key or {}).get("else", {}).get(entry.combatant)
    status = "" if entry.status == "done" else f"{entry.status}, else in {other}" if other else entry.status
    return " ".join(word for word in (words, status, where) if word)


def _moment_cut(entry: TimelineRow, cut: Point) -> str:
    """Return the moment at which an entry was interrupted: its slot if there is one, and the tick if that is known."""
    tick = str(cut.segment or cut.second)
    if not entry.broken:
        return tick
    return entry.broken if cut == entry.due else f"{entry.broken} at {tick}"
