"""Striking: which of the facts that a reason cites decide its value, and which were only looked at.

A fact decides if the value differs in the log without it, and without the facts whose chain of causes reaches it. Facts
that do not decide alone decide together if the value differs without all of them, such as two causes each of which is
enough. The last facts are tried first, as many as a limit on work allows; each value has an equal share of the
remaining work for the facts that decide together.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from msgspec import Struct

from projections.explaining.past import Past
from projections.replay.replay import Replay
from projections.replay.rewinding import Blind, Looking, Rewinding

WORK, MORE_WORK = 1_200, 60_000
"""The limit on replayed facts for an answer, and the one if all facts are wanted; for a short log, up to twice as
many."""
COPYING = 8
"""A copy of a state takes as long as a replay of the facts before it, divided by this."""


class Weighed(Struct, frozen=True):
    """The result of striking each cited fact that can be struck: all but the opening and corrections. Each of `decides`
    decides alone. In `together` are facts that stand and fall together: as many as `enough` decide, and none alone.
    Those in `looked_at` changed nothing; those in `untried` would take too much work.
    """

    decides: tuple[int, ...] = ()
    together: tuple[tuple[int, ...], ...] = ()
    enough: int = 0
    looked_at: tuple[int, ...] = ()
    untried: tuple[int, ...] = ()


Read = Callable[[Replay, Any], object]
"""A function that reads a value from a replay and the object that looked at it."""


class Asked(Struct, frozen=True):
    """A value whose reason is weighed: the cited events, and the function that reads it."""

    events: tuple[int, ...]
    read: Read


def find_deciding_facts(
    past: Past, asked: Sequence[Asked], *, thorough: bool = False, looking: Callable[[], Looking] = Blind
) -> list[Weighed]:
    """Return the result of striking the facts that each of these values cites; `thorough` does more work."""
    cited = [_sort_events(past, each.events) for each in asked]
    union = _sort_events(past, {seq for each in cited for seq in each})
    tries = _Tries(past, MORE_WORK if thorough else WORK, union, looking)
    if not tries.chosen:
        return [Weighed(untried=those) for those in cited]
    alone = tries.single_results([each.read for each in asked])
    found = dict[int, Weighed]()
    waiting = sorted(range(len(asked)), key=lambda place: tries.least_work(cited[place], alone[place]))
    for number, place in enumerate(waiting):
        tries.share_work(len(waiting) - number)
        found[place] = tries.weigh_value(asked[place].read, cited[place], alone[place])
    return [found[place] for place in range(len(asked))]


def _sort_events(past: Past, events: Collection[int]) -> tuple[int, ...]:
    return tuple(sorted((seq for seq in {*events} if seq in past.facts), key=past.state.place_of))


class _Tries:
    """The replays without some facts, until the work is used up."""

    _rewinding: Rewinding

    def __init__(self, past: Past, work: int, union: tuple[int, ...], looking: Callable[[], Looking]) -> None:
        """Choose the facts tried alone with three quarters of the work; the last may take four times the whole.

        Replay the log, and keep the states before these.
        """
        self._past = past
        self._left = work = max(2 * work - len(past.facts), work)
        self._share = 0
        self.chosen: list[int] = []
        for seq in reversed(union):
            cost = self._cost(seq)
            if cost > (self._left - work // 4 if self.chosen else 4 * work):
                break
            self._left -= cost
            self.chosen.append(seq)
        if self.chosen:
            self._rewinding = Rewinding(past.records, past.until, frozenset(self.chosen), looking)

    def single_results(self, reads: Sequence[Read]) -> list[dict[int, bool]]:
        """Return for each value, by fact, whether it differs without that fact."""
        now = [read(*self._rewinding.whole) for read in reads]
        differs: list[dict[int, bool]] = [{} for _ in reads]
        for seq in self.chosen:
            other = self._rewinding.replay_without(self._rewinding.with_consequences((seq,)))
            for read, value, found in zip(reads, now, differs, strict=True):
                found[seq] = read(*other) != value
        return differs

    def _cost(self, seq: int) -> int:
        behind = self._past.facts.count_since(seq)
        return behind + (len(self._past.facts) - behind) // COPYING

    def least_work(self, cited: tuple[int, ...], alone: dict[int, bool]) -> int:
        """Return the least work that shows which facts decide together; 0 if at most one does not decide alone."""
        idle = [seq for seq in cited if alone.get(seq) is False]
        return max(map(self._cost, idle)) if len(idle) > 1 else 0

    def share_work(self, values: int) -> None:
        """Give the next of so many values its share of the work."""
        self._share = self._left // values

    def weigh_value(self, read: Read, cited: tuple[int, ...], alone: dict[int, bool]) -> Weighed:
        """Return the result of replays for the facts that a value cites; `alone` has the results of single facts."""
        decides = tuple(seq for seq in cited if alone.get(seq))
        idle = [seq for seq in cited if alone.get(seq) is False]
        untried = tuple(seq for seq in cited if seq not in alone)
        try:
            together, enough = self._deciding_together(read, idle)
        except _WorkUsedUpError:
            return Weighed(decides, untried=_sort_events(self._past, (*untried, *idle)))
        found = {seq for unit in together for seq in unit}
        return Weighed(decides, together, enough, tuple(seq for seq in idle if seq not in found), untried)

    def _deciding_together(self, read: Read, idle: list[int]) -> tuple[tuple[tuple[int, ...], ...], int]:
        """Return the facts that decide together, none of them alone, and how many of them are enough.

        They are struck one after the other while the value stays the same: those that are left over are enough. A fact
        that can replace one of these is included.
        """
        falls = {seq: self._rewinding.with_consequences((seq,)) for seq in idle}
        first = [seq for seq in idle if not any(seq in falls[other] for other in idle if other != seq)]
        units = [tuple(each for each in idle if each in falls[seq]) for seq in first]
        now = read(*self._rewinding.whole)

        def stays(out: Iterable[tuple[int, ...]]) -> bool:
            return self._read_without(read, [seq for unit in out for seq in unit]) == now

        if len(units) < 2 or stays(units):
            return (), 0
        spare, needed = list[tuple[int, ...]](), list[tuple[int, ...]]()
        for unit in units:
            (spare if stays([*spare, unit]) else needed).append(unit)
        both = {
            unit
            for unit in spare
            if any(
                stays([each for each in units if each != unit and (each == one or each not in needed)])
                for one in needed
            )
        }
        return tuple(unit for unit in units if unit in both or unit in needed), len(needed)

    def _read_without(self, read: Read, out: list[int]) -> object:
        cost = max(map(self._cost, out))
        if cost > self._share:
            raise _WorkUsedUpError
        self._share -= cost
        self._left -= cost
        return read(*self._rewinding.replay_without(self._rewinding.with_consequences(out)))


class _WorkUsedUpError(Exception):
    """The share of a value is used up."""
