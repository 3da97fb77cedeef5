"""Pools: points that are taken and given back, such as hit points, each change with the record behind it.

The arithmetic of damage and healing is common to all games: `loss` does it by a game's `PoolRules`. A pool keeps its
changes, so that every value derived from it can cite those that led to it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from msgspec import Struct, field, structs

from eventstore.events import DamageDealt, Fact, Healed
from eventstore.shapes import LARGEST
from projections.because import Because, Cites, Derived
from projections.mechanics.memo import Once

HP, HP_MAX, TEMP, NLD = "hp", "hp_max", "temp", "nld"
"""Hit points, their maximum, temporary points, and non-lethal damage."""


class Change(Struct, frozen=True, gc=False):
    """A change of a pool: its record, by how much (below 0: taken), what was then left, whether it was set.

    `of` is what else decided the amount: points that took the damage instead, a maximum.
    """

    seq: int
    by: int
    left: int | None
    sets: bool = False
    of: tuple[Cites, ...] = ()


def _numbers() -> array[int]:
    return array("q")


AT_ONCE = 16
"""How many changes are looked at together, so that a blow in a long fight does not go through all before it."""


class History(Struct):
    """The changes of a pool, in columns: of most there is nothing to keep but a record, and what was then left.

    `told` has those that say more, by place; the first is always among them. `settled` are the places of those that set the
    value, `peaks` the deepest fall and the highest rise among each so many changes, as far as they were asked for.
    """

    seqs: array[int] = field(default_factory=_numbers)
    left: array[int] = field(default_factory=_numbers)
    told: dict[int, Change] = {}
    settled: list[int] = []
    peaks: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self.seqs)

    def __getitem__(self, place: int) -> Change:
        place = place if place >= 0 else len(self) + place
        left = self.left[place]
        return self.told.get(place) or Change(self.seqs[place], left - self.left[place - 1], left)

    def __iter__(self) -> Iterator[Change]:
        return map(self.__getitem__, range(len(self)))

    def tell(self, change: Change) -> None:
        """Add a change that is more than numbers."""
        self.told[len(self)] = change
        if change.sets:
            self.settled.append(len(self))
        self.seqs.append(change.seq)
        self.left.append(within(change.left or 0))

    def rests_on(self, of: Cites) -> None:
        """Let the last change rest on something else, too."""
        self.told[len(self) - 1] = structs.replace(self[-1], of=(*self[-1].of, of))

    def last_set(self, count: int) -> int:
        """Return the place of the last change among the first ones that set the value; 0 if none did."""
        found = bisect_left(self.settled, count)
        return self.settled[found - 1] if found else 0

    def by(self, place: int) -> int:
        """Return by how much a change changed the value."""
        told = self.told.get(place)
        return told.by if told else self.left[place] - self.left[place - 1]

    def steps(self, places: range, sign: int, least: int) -> Iterator[int]:
        """Yield the places of the changes of at least so much, upwards (1) or downwards (-1)."""
        for start in range(places.start - places.start % AT_ONCE, places.stop, AT_ONCE):
            end = start + AT_ONCE
            if end <= places.stop and sign * self._peak(start // AT_ONCE)[sign > 0] < least:
                continue
            for place in range(max(start, places.start), min(end, places.stop)):
                if sign * self.by(place) >= least:
                    yield place

    def _peak(self, number: int) -> tuple[int, int]:
        """Return the deepest fall and the highest rise among so many changes, all of which there are."""
        for each in range(len(self.peaks), number + 1):
            steps = [self.by(place) for place in range(AT_ONCE * each, AT_ONCE * (each + 1))]
            self.peaks.append((min(steps), max(steps)))
        return self.peaks[number]


class Pool(Struct):
    """Somebody's points of one kind (None where nobody said how many), and the changes that led to them."""

    value: int | None = None
    changes: History = field(default_factory=History)

    def put(self, value: int | None, seq: int, of: tuple[Cites, ...] = ()) -> None:
        """Set the pool to a value, from which later changes go on."""
        self.value = value
        self.changes.tell(Change(seq, 0, value, sets=True, of=of))

    def change(self, by: int, seq: int, of: tuple[Cites, ...] = ()) -> None:
        """Add to the pool, or take from it (below 0); an unknown pool stays unknown."""
        if self.value is None or not (by or of):
            return
        changes, left = self.changes, within(self.value + by)
        if of or not changes.told or left != self.value + by:
            changes.tell(Change(seq, by, left, of=of))
        else:
            changes.seqs.append(seq)
            changes.left.append(left)
        self.value = left

    def since(self) -> Changes:
        """Return the changes that the present value rests on: those since it was last set."""
        return Changes(self.changes, len(self.changes.seqs))

    def derived(self, rules: tuple[str, ...] = (), options: dict[str, str] | None = None) -> Derived[int | None]:
        """Return the value, citing every change since it was last set."""
        return Derived(self.value, Because(rules, (), options or {}, (self.since(),)))


class Changes(Struct, frozen=True):
    """The changes of a pool up to a point, read only when the reason is asked for."""

    changes: History
    count: int

    def cites(self) -> Because:
        """Return the records of these changes, and what else they rest on."""
        first, told = self.changes.last_set(self.count), self.changes.told
        of = tuple(one for place, each in told.items() if first <= place < self.count for one in each.of)
        return Because((), tuple(self.changes.seqs[first : self.count]), {}, of)

    def recent(self) -> Recent:
        """Return the changes since the value was last set, including that one."""
        return Recent(self.changes, range(self.changes.last_set(self.count), self.count))


class Recent(Sequence[Change]):
    """The changes of a pool at some places, each made when it is looked at: of a long fight they are many."""

    def __init__(self, changes: History, places: range) -> None:
        self._changes, self._places = changes, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, place: Any) -> Any:
        return self._changes[self._places[place]]

    def __iter__(self) -> Iterator[Change]:
        return map(self._changes.__getitem__, self._places)

    def set(self) -> list[Change]:
        """Return those that set the value."""
        return [self._changes[place] for place in self._changes.settled if place in self._places]

    def steep(self, sign: int, least: int) -> list[Change]:
        """Return those of at least so much, upwards (1) or downwards (-1)."""
        return [self._changes[place] for place in self._changes.steps(self._places, sign, least)]


class Level(Struct, frozen=True, dict=True):
    """The fact that a pool is above a limit, or not; it cites only the changes that decide this."""

    since: Changes
    limit: int

    def cites(self) -> Because:
        """Return the records without which the pool would be on the other side of the limit."""
        return self._decided

    @Once
    def _decided(self) -> Because:
        recent = self.since.recent()
        kept, left = recent.set(), recent[-1].left if recent else None
        seqs = {each.seq for each in (*kept, *deciding(left, self.limit, (recent, 1)))}
        return Because((), tuple(sorted(seqs)), {}, tuple(one for each in kept for one in each.of))


def deciding(left: int | None, limit: int, *those: tuple[Recent, int]) -> list[Change]:
    """Return the changes that keep a number on its side of a limit: each that does so alone, else as few as together do.

    They are those of pools that count as they are (1), or the other way round (-1). Above the limit, only changes that do
    so alone are cited.
    """
    if left is None:
        return []
    above = left > limit
    spare = left - limit if above else limit - left + 1
    sign = 1 if above else -1
    steep = [each for recent, way in those for each in recent.steep(sign * way, spare)]
    if steep:
        return steep
    if above:
        return _lifting(limit, [(way, [*recent]) for recent, way in those])
    return _together(spare, [(way * each.by, each) for recent, way in those for each in recent])


def _lifting(limit: int, pools: list[tuple[int, list[Change]]]) -> list[Change]:
    """Return the fewest changes without which a number would not be above a limit; nothing if it is above without any of them."""
    places = [(at, place) for at, (_, changes) in enumerate(pools) for place in range(1, len(changes))]
    gains = {(at, place): pools[at][0] * pools[at][1][place].by for at, place in places}
    rises = sorted((each for each in places if gains[each] > 0), key=lambda each: -gains[each])

    def is_above(out: list[tuple[int, int]]) -> bool:
        left = (
            way * _without({place for of, place in out if of == at}, limit, own) for at, (way, own) in enumerate(pools)
        )
        return sum(left) > limit

    if is_above(rises):
        return []
    found = rises[: bisect_left(range(len(rises)), 1, key=lambda count: not is_above(rises[:count]))]
    for each in tuple(found):
        if not is_above(rest := [one for one in found if one != each]):
            found = rest
    return [pools[at][1][place] for at, place in found]


def _without(out: set[int], limit: int, changes: list[Change]) -> int:
    """Return what a pool would have left without the changes at these places, which takes it no lower than it has been, or than the limit."""
    lefts = [each.left or 0 for each in changes]
    value, lowest = lefts[0], min(limit, *lefts)
    for place, each in enumerate(changes[1:], 1):
        value = value if place in out else max(lowest, value + each.by)
    return value


def _together(spare: int, those: list[tuple[int, Change]]) -> list[Change]:
    """Return the fewest of these, each with what it brings, that take so much together; nothing if all of them do not."""
    found: list[Change] = []
    for by, each in sorted(those, key=itemgetter(0)):
        found.append(each)
        spare += by
        if spare <= 0:
            return found
    return []


def level(pool: Pool, limit: int, rules: tuple[str, ...], options: dict[str, str] | None = None) -> Derived[bool]:
    """Return whether a pool is at or below a limit; an unknown one is not."""
    below = pool.value is not None and pool.value <= limit
    return Derived(below, Because(rules, (), options or {}, (Level(pool.since(), limit),)))


def stands(
    pool: Pool, limit: int, below: str, rules: tuple[str, ...], options: dict[str, str] | None = None
) -> Derived[str]:
    """Return the status that a pool gives: `below` if it is at a limit or below it, else up."""
    found = level(pool, limit, rules, options)
    return Derived(below if found.value else "up", found.because)


class Margin(Struct, frozen=True, dict=True):
    """The fact that one pool has come up to another, or not; it cites only the changes that decide this.

    `left` is by how much it is below the other; None where one of the two is unknown.
    """

    rising: Changes
    falling: Changes
    left: int | None

    def cites(self) -> Because:
        """Return the records without which the one pool would be on the other side of the other."""
        return self._decided

    @Once
    def _decided(self) -> Because:
        up, down = self.rising.recent(), self.falling.recent()
        kept = [*up.set(), *down.set(), *deciding(self.left, 0, (down, 1), (up, -1))]
        seqs = sorted({each.seq for each in kept})
        return Because((), tuple(seqs), {}, tuple(one for each in kept for one in each.of))


def outweighs(one: Pool, other: Pool, rules: tuple[str, ...]) -> Derived[bool]:
    """Return whether one pool is at least as large as another; an unknown one is not."""
    left = None if one.value is None or other.value is None else other.value - one.value
    margin = Margin(one.since(), other.since(), left)
    return Derived(left is not None and left <= 0, Because(rules, (), {}, (margin,)))


def within(points: int) -> int:
    """Return a number of points, limited to what a log can hold."""
    return max(-LARGEST, min(points, LARGEST))


# ---------------------------------------------------------------- damage and healing


class Loss(Struct, frozen=True, gc=False):
    """A change to one combatant's pools: positive numbers are lost, negative ones gained.

    Non-lethal damage suffered is therefore below 0 in `nld`.
    """

    hp: int = 0
    temp: int = 0
    nld: int = 0


NO_LOSS = Loss()


class PoolRules(Struct, frozen=True):
    """The rules of a game for its pools.

    `floor`: the hit points below which damage never takes a pool (None: none). `capped`: healing stops at the maximum.
    `temporary`: how new temporary points combine with those already there (`replace`, `add`, `larger`; "" where the
    game has none: they count as healing). `nonlethal`: whether non-lethal damage has its own pool; else it counts as
    damage. `cites` are the rules behind each pool, by default those of `hp`; the options are those that floor, maximum
    and temporary points depend on, with their values.
    """

    floor: int | None = None
    capped: bool = True
    temporary: str = ""
    nonlethal: bool = False
    cites: dict[str, tuple[str, ...]] = {}
    floor_option: dict[str, str] = {}
    cap_option: dict[str, str] = {}
    temp_option: dict[str, str] = {}


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
    """Return what damage takes from, or healing gives to, each pool; an amount below 0 changes nothing."""
    if not isinstance(event, DamageDealt | Healed) or event.amount < 0:
        return NO_LOSS
    if event.nonlethal and rules.nonlethal:
        return Loss(nld=-event.amount) if isinstance(event, DamageDealt) else Loss(nld=max(0, min(event.amount, nld)))
    if isinstance(event, DamageDealt):
        return _blow(hp, temp, event.amount, rules)
    if event.temporary and rules.temporary:
        return Loss(temp=_granted(temp, event.amount, rules.temporary))
    return NO_LOSS if hp is None else Loss(hp=-_healed(hp, hp_max, event.amount, rules))


def _blow(hp: int | None, temp: int, amount: int, rules: PoolRules) -> Loss:
    absorbed = min(temp, amount) if rules.temporary else 0
    rest = amount - absorbed
    if rules.floor is not None and hp is not None:
        rest = min(rest, max(0, hp - rules.floor))
    return Loss(hp=rest, temp=absorbed)


def _healed(hp: int, hp_max: int | None, amount: int, rules: PoolRules) -> int:
    return max(0, min(amount, hp_max - hp)) if rules.capped and hp_max is not None else amount


def _granted(temp: int, amount: int, how: str) -> int:
    match how:
        case "larger":
            return min(0, temp - amount)
        case "add":
            return -amount
        case _:
            return temp - amount
