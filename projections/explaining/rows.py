"""The rows in all timelines of a log, and the rows in which two streams differ."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from operator import attrgetter

from msgspec import Struct, structs

from eventstore.events import Fact
from projections.fight import TimelineRow
from projections.folds.order import round_rows
from projections.occurrence import Occurrence
from projections.state import State
from projections.views.view import When, when


class RowContent(Struct, frozen=True):
    """The content of a timeline's row: round, combatant, slot, act, status, moments."""

    round: int
    combatant: str
    phase: str | None
    segment: int | None
    second: int | None
    action: str | None
    name: str | None
    cost: str | None
    status: str
    due: When | None
    until: When | None
    event: int | None


class RowDiffers(Struct, frozen=True):
    """A row that differs between two streams; null where one of them has no such row."""

    round: int
    combatant: str
    before: RowContent | None
    after: RowContent | None


class Timelines:
    """The timelines of all rounds that are over after a record, each as it was then: `keep` is called before each fact."""

    def __init__(self, start: int = 1) -> None:
        self.start = start
        self.rounds: dict[int, tuple[TimelineRow, ...]] = {}

    def keep_before_round(self, state: State, fact: Occurrence[Fact]) -> None:
        """Keep the timeline of the round that is over when a fact opens another."""
        if state.place_of(fact.seq) >= (self.start,) and state.rules.schedule.opens_round(state, fact):
            self.keep_present(state)

    def keep_present(self, state: State) -> None:
        """Keep the timeline of the present round."""
        self.rounds[state.clock.point.round] = round_rows(state)


def _row_content(entry: TimelineRow) -> RowContent:
    point, act = entry.point, (entry.action, entry.name, entry.cost, entry.status)
    place = point.round, entry.combatant, entry.phase, point.segment or None, point.second or None
    return RowContent(*place, *act, when(entry.due), when(entry.until), next(iter(entry.events), None))


SHOWN = attrgetter("point", "combatant", "phase", "action", "name", "cost", "status", "due", "until", "events")
"""The fields from which a row is made; entries that agree in them have equal rows."""


def differing_rows(mine: Timelines, yours: Timelines) -> tuple[RowDiffers, ...]:
    """Return the rows in which two timelines differ, in the rounds that both have."""
    found: list[RowDiffers] = []
    for number in sorted(mine.rounds.keys() & yours.rounds.keys()):
        entries = mine.rounds[number], yours.rounds[number]
        if [*map(SHOWN, entries[0])] != [*map(SHOWN, entries[1])]:
            pairs = _pair_rows(*([_row_content(each) for each in some] for some in entries))
            found += (each for each in pairs if _without_event(each.before) != _without_event(each.after))
    # work that runs through other rounds differs in their timelines, too
    said = {row for each in found if each.before and each.after for row in (each.before, each.after)}
    alone = {each for each in found if not (each.before and each.after)}
    others = dict.fromkeys(each for each in found if each not in alone or (each.before or each.after) not in said)
    return tuple(others)


def _without_event(row: RowContent | None) -> RowContent | None:
    return row and structs.replace(row, event=None)


KEYS: tuple[Callable[[RowContent], tuple[object, ...]], ...] = (
    lambda row: (row.round, row.combatant, row.event, row.action, row.name),
    lambda row: (row.round, row.combatant, row.event or object()),
    lambda row: (row.round, row.combatant, row.action, row.name),
    lambda row: (row.round, row.combatant),
)
"""The keys by which rows of two timelines are paired; the first that finds a partner counts."""


def _pair_rows(mine: list[RowContent], yours: list[RowContent]) -> Iterator[RowDiffers]:
    """Yield the rows of two timelines in pairs, those without a partner alone."""
    for key in KEYS:
        waiting: dict[tuple[object, ...], list[RowContent]] = defaultdict(list)
        for row in yours:
            waiting[key(row)].append(row)
        alone = []
        for row in mine:
            if there := waiting.get(key(row)):
                yield RowDiffers(row.round, row.combatant, row, there.pop(0))
            else:
                alone.append(row)
        mine, yours = alone, [row for rows in waiting.values() for row in rows]
    yield from (RowDiffers(row.round, row.combatant, row, None) for row in mine)
    yield from (RowDiffers(row.round, row.combatant, None, row) for row in yours)
