"""Pools: points that are taken and given back, such as hit points, each change with the record behind it.

The arithmetic of damage and healing is common to all games: `loss` does it by a game's `PoolRules`. A pool keeps its
changes, so that every value derived from it can cite those that led to it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator
from functools import cache

from msgspec import Struct, field, structs

from eventstore.events import DamageDealt, Fact, Healed
from eventstore.shapes import LARGEST
from projections.because import Because, Cites, Derived
from projections.mechanics.memo import Once

HP, HP_MAX, TEMP, NLD = "hp", "hp_max", "temp", "nld"
"""Hit points, their maximum, temporary points, and non-lethal damage."""


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
    """The points by which it would have been larger without a floor or maximum."""


def _numbers() -> array[int]:
    return array("q")


class History(Struct):
    """The changes of a pool, in columns: for most of them only the record and the points left."""

    seqs: array[int] = field(default_factory=_numbers)
    left: array[int] = field(default_factory=_numbers)
    detailed: dict[int, Change] = {}
    """The changes with further values, by place; the first one is always among them."""
    settled: list[int] = []
    """The places of the changes that set the value."""
    floor: int = -LARGEST
    """The least value that changes lead to."""
    most: int = LARGEST
    """The largest value that changes lead to."""

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
        self.seqs.append(change.seq)
        self.left.append(within(change.left or 0))

    def bound(self, floor: int | None, most: int | None) -> None:
        """Let later changes stop at a floor and at a maximum, if there are any."""
        self.floor = -LARGEST if floor is None else floor
        self.most = LARGEST if most is None else most

    def add_reason(self, of: Cites) -> None:
        """Add a reason to the last change."""
        self.detailed[len(self) - 1] = structs.replace(self[-1], of=(*self[-1].of, of))

    def last_set(self, count: int) -> int:
        """Return the place of the last change among the first ones that set the value; 0 if none did."""
        found = bisect_left(self.settled, count)
        return self.settled[found - 1] if found else 0

    def unlimited(self, place: int) -> int:
        """Return by how much a change would have changed the value if nothing had stopped it."""
        detailed = self.detailed.get(place)
        return detailed.by + detailed.beyond if detailed else self.left[place] - self.left[place - 1]


class Pool(Struct):
    """The points of one kind of a combatant, with the changes that led to them."""

    value: int | None = None
    """The points; None if they are unknown."""
    changes: History = field(default_factory=History)

    def put(self, value: int | None, seq: int, of: tuple[Cites, ...] = ()) -> None:
        """Set the pool to a value, from which later changes go on."""
        self.value = value
        self.changes.add(Change(seq, 0, value, sets=True, of=of))

    def change(self, by: int, seq: int, of: tuple[Cites, ...] = (), beyond: int = 0) -> None:
        """Add to the pool, or take from it (below 0); an unknown pool stays unknown.

        A blow that finds nothing left to take is kept: without those before it, it would have taken that.
        """
        if self.value is None or not (by or of or (beyond < 0 and self._could_fall())):
            return
        changes, left = self.changes, within(self.value + by)
        if of or beyond or not changes.detailed or left != self.value + by:
            changes.add(Change(seq, by, left, of=of, beyond=beyond))
        else:
            changes.seqs.append(seq)
            changes.left.append(left)
        self.value = left

    def _could_fall(self) -> bool:
        """Say whether the pool was above its floor when it was last set."""
        changes = self.changes
        return changes.left[changes.last_set(len(changes))] > changes.floor

    def since(self) -> Changes:
        """Return the changes behind the present value: those since it was last set."""
        return Changes(self.changes, len(self.changes.seqs))

    def derived(self, rules: tuple[str, ...] = (), options: dict[str, str] | None = None) -> Derived[int | None]:
        """Return the value, citing every change since it was last set."""
        return Derived(self.value, Because(rules, (), options or {}, (self.since(),)))


class Changes(Struct, frozen=True):
    """The changes of a pool up to a point, read only when the reason is asked for."""

    changes: History
    count: int

    def cites(self) -> Because:
        """Return the records of these changes, and their other reasons."""
        places = self.places
        of = tuple(one for place, each in self.changes.detailed.items() if place in places for one in each.of)
        return Because((), tuple(self.changes.seqs[places.start : places.stop]), {}, of)

    @property
    def places(self) -> range:
        """The places of the changes since the value was last set, including that one."""
        return range(self.changes.last_set(self.count), self.count)

    def first(self) -> list[Change]:
        """Return the change that set the value, if one did."""
        return [self.changes[place] for place in self.places[:1]]

    def later(self) -> Iterator[Change]:
        """Yield the changes after that one."""
        return map(self.changes.__getitem__, self.places[1:])

    def unlimited(self) -> Iterator[tuple[int, int]]:
        """Yield the record of each later change, and by how much it would have changed the value if nothing had stopped it."""
        return ((self.changes.seqs[place], self.changes.unlimited(place)) for place in self.places[1:])

    def without(self, out: Container[int]) -> int:
        """Return the points that would be left without the changes of these records."""
        changes, value = self.changes, self.changes.left[self.places[0]]
        floor, most = min(changes.floor, value), max(changes.most, value)
        for seq, by in self.unlimited():
            value = value if seq in out else max(floor, min(value + by, most))
        return value


class Level(Struct, frozen=True, dict=True):
    """The fact that a pool is above a limit, or not; it cites only the changes that decide this."""

    since: Changes
    limit: int

    def cites(self) -> Because:
        """Return the records without which the pool would be on the other side of the limit."""
        return self._decided

    @Once
    def _decided(self) -> Because:
        return _because_of(_cited(self.limit, (self.since, 1)), self.since.first())


def _because_of(found: list[Change], complete: list[Change]) -> Because:
    """Return the reason that these changes are, with the reasons of those that it cites in full."""
    of = tuple(one for each in complete for one in each.of)
    return Because((), tuple(sorted({each.seq for each in found})), {}, of)


def _cited(limit: int, *pools: tuple[Changes, int]) -> list[Change]:
    """Return the changes that decide on which side of a limit a number is, after those that set the pools it is made of."""
    first = [each for changes, _ in pools for each in changes.first()]
    if not first or any(each.left is None for each in first):
        return first
    decided = deciding(limit, *pools)
    return first + [each for changes, _ in pools for each in changes.later() if each.seq in decided]


def deciding(limit: int, *pools: tuple[Changes, int]) -> list[int]:
    """Return the records that keep a number on its side of a limit: each that does so alone, else as few as do so together.

    The number is the sum of the pools that count for it (1), less the sum of those that count against it (-1).
    """

    def above(*out: int) -> int:
        return sum(way * changes.without(out) for changes, way in pools) - limit

    now, helps = above(), Counter[int]()
    for changes, way in pools:
        for seq, by in changes.unlimited():
            helps[seq] += way * by if now > 0 else -way * by
    helpful = [seq for seq, by in helps.most_common() if by > 0]

    def other(out: list[int]) -> bool:
        return (above(*out) > 0) != (now > 0)

    alone = [seq for seq in helpful if helps[seq] >= abs(now) and other([seq])]
    if alone or not other(helpful):
        return alone
    found = helpful[: bisect_left(range(len(helpful)), 1, key=lambda count: other(helpful[:count]))]
    for each in tuple(found):
        rest = [one for one in found if one != each]
        found = rest if other(rest) else found
    return found


def at_or_below(pool: Pool, limit: int, rules: tuple[str, ...], options: dict[str, str] | None = None) -> Derived[bool]:
    """Return whether a pool is at or below a limit; an unknown one is not."""
    below = pool.value is not None and pool.value <= limit
    return Derived(below, Because(rules, (), options or {}, (Level(pool.since(), limit),)))


def status_by(
    pool: Pool, limit: int, below: str, rules: tuple[str, ...], options: dict[str, str] | None = None
) -> Derived[str]:
    """Return the status that a pool gives: `below` if it is at a limit or below it, else up."""
    found = at_or_below(pool, limit, rules, options)
    return Derived(below if found.value else "up", found.because)


class Margin(Struct, frozen=True, dict=True):
    """The fact that one pool has come up to another, or not; it cites only the changes that decide this."""

    rising: Changes
    falling: Changes

    def cites(self) -> Because:
        """Return the records without which the one pool would be on the other side of the other."""
        return self._decided

    @Once
    def _decided(self) -> Because:
        found = _cited(0, (self.falling, 1), (self.rising, -1))
        return _because_of(found, found)


def outweighs(one: Pool, other: Pool, rules: tuple[str, ...]) -> Derived[bool]:
    """Return whether one pool is at least as large as another; an unknown one is not."""
    left = None if one.value is None or other.value is None else other.value - one.value
    return Derived(left is not None and left <= 0, Because(rules, (), {}, (Margin(one.since(), other.since()),)))


def within(points: int) -> int:
    """Return a number of points, limited to the range of a log."""
    return max(-LARGEST, min(points, LARGEST))


# ---------------------------------------------------------------- damage and healing


class Loss(Struct, frozen=True, gc=False):
    """A change to one combatant's pools: positive numbers are lost, negative ones gained."""

    hp: int = 0
    temp: int = 0
    nld: int = 0
    """Non-lethal damage; suffering it is below 0."""
    beyond: int = 0
    """The points by which it would have been larger without a floor or maximum."""


NO_LOSS = Loss()


class PoolRules(Struct, frozen=True):
    """The rules of a game for its pools."""

    floor: int | None = None
    """The hit points below which damage never goes; None: no floor."""
    capped: bool = True
    """Whether healing stops at the maximum."""
    temporary: str = ""
    """How new temporary points combine with the present ones: `replace`, `add`, `larger`; "" if they count as healing."""
    nonlethal: bool = False
    """Whether non-lethal damage has its own pool; else it counts as damage."""
    cites: dict[str, tuple[str, ...]] = {}
    """The rules behind each pool; by default those of `hp`."""
    floor_option: dict[str, str] = {}
    """The option that decides the floor, with its value."""
    cap_option: dict[str, str] = {}
    """The option that decides the maximum, with its value."""
    temp_option: dict[str, str] = {}
    """The option that decides temporary points, with its value."""


@cache
def hit_points(rules: tuple[str, ...], floor: str, cap: str) -> PoolRules:
    """Return the rules of a game that has only hit points, by its options on their floor and on their maximum."""
    return PoolRules(
        floor=0 if floor == "zero" else None,
        capped=cap != "none",
        cites={HP: rules},
        floor_option={"hp-floor": floor},
        cap_option={"healing-cap": cap},
    )


def loss(hp: int | None, hp_max: int | None, temp: int, nld: int, event: Fact, rules: PoolRules) -> Loss:
    """Return the change of each pool by damage or healing; an amount below 0 changes nothing."""
    if not isinstance(event, DamageDealt | Healed) or event.amount < 0:
        return NO_LOSS
    if isinstance(event, DamageDealt):
        own = event.nonlethal and rules.nonlethal
        return Loss(nld=-event.amount) if own else _blow(hp, temp, event.amount, rules)
    if event.nonlethal and rules.nonlethal:
        return Loss(nld=(healed := max(0, min(event.amount, nld))), beyond=event.amount - healed)
    if event.temporary and rules.temporary:
        return Loss(temp=_granted(temp, event.amount, rules.temporary))
    return _healed(hp, hp_max, event.amount, rules)


def _blow(hp: int | None, temp: int, amount: int, rules: PoolRules) -> Loss:
    absorbed = min(temp, amount) if rules.temporary else 0
    meant = rest = amount - absorbed
    if rules.floor is not None and hp is not None:
        rest = min(rest, max(0, hp - rules.floor))
    return Loss(hp=rest, temp=absorbed, beyond=meant - rest)


def _healed(hp: int | None, hp_max: int | None, amount: int, rules: PoolRules) -> Loss:
    if hp is None:
        return NO_LOSS
    healed = max(0, min(amount, hp_max - hp)) if rules.capped and hp_max is not None else amount
    return Loss(hp=-healed, beyond=healed - amount)


def _granted(temp: int, amount: int, how: str) -> int:
    match how:
        case "larger":
            return min(0, temp - amount)
        case "add":
            return -amount
        case _:
            return temp - amount
