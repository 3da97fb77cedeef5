"""The changes of a pool, each with its record, and a search for those that decide on which side of a limit it is."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator

from msgspec import Struct, field, structs

from eventstore.shapes import LARGEST
from projections.because import Because, Cites

TOTAL = 1 << 62
"""The largest total of changes that is kept."""


class Change(Struct, frozen=True, gc=False):
    """A change of a pool."""

    seq: int
    by: int
    """The points added; below 0: taken."""
    left: int | None
    """The points left after it."""
    sets: bool = False
    """Whether it set the pool to a value."""
    of: tuple[Cites, ...] = ()
    """The other reasons for its amount, such as a maximum."""
    beyond: int = 0
    """The points by which it would have been larger without a floor or maximum, or the limit of a log."""


def _empty_array() -> array[int]:
    return array("q")


class History(Struct):
    """The changes of a pool, in columns: for most of them only the record and the points left."""

    seqs: array[int] = field(default_factory=_empty_array)
    left: array[int] = field(default_factory=_empty_array)
    detailed: dict[int, Change] = {}
    """The changes with further values, by place; the first one is always among them."""
    settled: list[int] = []
    """The places of the changes that set the value."""
    floor: int = -LARGEST
    """The least value that changes lead to."""
    most: int = LARGEST
    """The largest value that changes lead to."""
    bounded: int = 0
    """The place from which on these two have held."""
    risen: array[int] = field(default_factory=_empty_array)
    """The total of all points that were added up to each change."""

    def __len__(self) -> int:
        return len(self.seqs)

    def __getitem__(self, place: int) -> Change:
        place = place if place >= 0 else len(self) + place
        left = self.left[place]
        return self.detailed.get(place) or Change(self.seqs[place], left - self.left[place - 1], left)

    def __iter__(self) -> Iterator[Change]:
        return map(self.__getitem__, range(len(self)))

    def add(self, change: Change) -> None:
        """Add a change that is more than numbers."""
        self.detailed[len(self)] = change
        if change.sets:
            self.settled.append(len(self))
        self.add_numbers(change.seq, clamp_points(change.left or 0), change.by)

    def add_numbers(self, seq: int, left: int, by: int) -> None:
        """Add the numbers of a change."""
        self.risen.append(min((self.risen[-1] if self.risen else 0) + max(by, 0), TOTAL))
        self.seqs.append(seq)
        self.left.append(left)

    def set_bounds(self, floor: int | None, most: int | None) -> None:
        """Let later changes stop at a floor and at a maximum, if there are any."""
        before = self.floor, self.most
        self.floor = -LARGEST if floor is None else floor
        self.most = LARGEST if most is None else most
        if (self.floor, self.most) != before:
            self.bounded = len(self)

    def add_reason(self, of: Cites) -> None:
        """Add a reason to the last change."""
        self.detailed[len(self) - 1] = structs.replace(self[-1], of=(*self[-1].of, of))

    def last_set(self, count: int) -> int:
        """Return the place of the last change among the first ones that set the value; 0 if none did."""
        found = bisect_left(self.settled, count)
        return self.settled[found - 1] if found else 0

    def unlimited_change(self, place: int) -> int:
        """Return by how much a change would have changed the value if nothing had stopped it."""
        detailed = self.detailed.get(place)
        return detailed.by + detailed.beyond if detailed else self.left[place] - self.left[place - 1]


class Changes(Struct, frozen=True):
    """The changes of a pool up to a point, read only when the reason is asked for; those before `start` are left out."""

    changes: History
    count: int
    start: int = 0

    def cites(self) -> Because:
        """Return the records of these changes, and their other reasons."""
        places = self.places
        of = tuple(one for place, each in self.changes.detailed.items() if place in places for one in each.of)
        return Because((), tuple(self.changes.seqs[places.start : places.stop]), of)

    @property
    def places(self) -> range:
        """The places of the changes since the value was last set, including that one."""
        return range(max(self.start, self.changes.last_set(self.count)), self.count)

    @property
    def left(self) -> int:
        """The points after the last of them."""
        return self.changes.left[self.count - 1]

    @property
    def is_bounded(self) -> bool:
        """Whether the present floor and maximum have held since the value was last set, which is the first of the places."""
        return self.changes.bounded <= self.places.start + 1

    @property
    def bounds(self) -> tuple[int, int]:
        """The floor and the maximum, or the value that was set, where that is beyond them."""
        return min(self.changes.floor, self.set_to), max(self.changes.most, self.set_to)

    @property
    def set_to(self) -> int:
        """The points that it was last set to."""
        return self.changes.left[self.changes.last_set(self.count)]

    def total(self, *, added: bool) -> int:
        """Return the sum of all points that were added after the first of them, or taken; without some of these changes, the
        value would differ by no more.
        """
        changes, start = self.changes, self.places.start
        risen = changes.risen[self.count - 1] - changes.risen[start]
        return risen if added else risen - self.left + changes.left[start]

    def setting_change(self) -> list[Change]:
        """Return the change that set the value, if one did."""
        return [self.changes[place] for place in self.places[:1]]

    def since_points(self, points: int) -> Changes:
        """Return the changes since the value was last so many points."""
        reached = (place for place in reversed(self.places) if self.changes.left[place] == points)
        return structs.replace(self, start=next(reached, self.start))

    def later_changes(self) -> Iterator[Change]:
        """Yield the changes after the one that set the value."""
        return map(self.changes.__getitem__, self.places[1:])

    def unlimited_changes(self) -> Iterator[tuple[int, int]]:
        """Yield the record of each later change, and by how much it would have changed the value if nothing had stopped it."""
        return ((self.changes.seqs[place], self.changes.unlimited_change(place)) for place in self.places[1:])

    def points_without(self, out: Container[int]) -> int:
        """Return the points that would be left without the changes of these records."""
        value, (floor, most) = self.changes.left[self.places[0]], self.bounds
        for seq, by in self.unlimited_changes():
            value = value if seq in out else max(floor, min(value + by, most))
        return value


def deciding_records(limit: int, *pools: tuple[Changes, int]) -> list[int]:
    """Return the records that keep a number on its side of a limit: each that does so alone, else as few as do so together.

    The number is the sum of the pools that count for it (1), less the sum of those that count against it (-1). For a single pool,
    only changes since its value was last the one that it was set to count together: earlier ones cancel out.
    """

    def above(*out: int) -> int:
        return sum(way * changes.points_without(out) for changes, way in pools) - limit

    now, helps = above(), Counter[int]()
    for changes, way in pools:
        for seq, by in changes.unlimited_changes():
            helps[seq] += way * by if now > 0 else -way * by
    helpful = [seq for seq, by in helps.most_common() if by > 0]

    def other(out: list[int]) -> bool:
        return (above(*out) > 0) != (now > 0)

    alone = [seq for seq in helpful if helps[seq] >= abs(now) and other([seq])]
    if alone or not other(helpful):
        return alone
    first, way = pools[0]
    if len(pools) == 1 and (later := first.since_points(first.set_to)).places.start > first.places.start:
        return deciding_records(limit, (later, way))
    found = helpful[: bisect_left(range(len(helpful)), 1, key=lambda count: other(helpful[:count]))]
    for each in tuple(found):
        rest = [one for one in found if one != each]
        found = rest if other(rest) else found
    return found


def clamp_points(points: int) -> int:
    """Return a number of points, limited to the range of a log."""
    return max(-LARGEST, min(points, LARGEST))
