"""Rewinding: a replay that is repeated from the state before some of its facts, with other facts struck. The state before each of
these facts is kept as a copy. Objects that no fold changes are shared by all copies: records, reasons, the ruleset, functions.
Values are derived from each copy again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from types import MethodType
from typing import Protocol

from msgspec import Struct

from eventstore.copies import Copy
from eventstore.errors import Malformed
from eventstore.events import Event, Fact
from eventstore.record import Recorded
from projections.because import Because
from projections.occurrence import Occurrence
from projections.replay.replay import Replay, Walk, last_fact, read_by
from projections.ruleset.ruleset import Ruleset
from projections.state import State
from projections.stream.corrections import Corrections, corrections_of
from projections.time import Where


class Looking(Protocol):
    """Something that looks at each fact in the state before it, such as an audit; it is copied with the state."""

    def observe_fact(self, state: State, fact: Occurrence[Event]) -> None:
        """Look at a fact in the state before it."""


class _Blind:
    def observe_fact(self, state: State, fact: Occurrence[Event]) -> None:
        """Ignore the fact."""


def make_blind() -> Looking:
    """Return an object that ignores every fact."""
    return _Blind()


class Applied(Struct, frozen=True):
    """A fact as a replay reaches it: its strike or 0, and whether a record right after it is withheld."""

    fact: Occurrence[Event]
    struck: int
    covered: bool


class Rewinding:
    """A replay up to a point, which can be repeated from the first of some facts."""

    def __init__(
        self,
        records: Iterable[Recorded],
        until: Where | None,
        marked: Collection[int],
        looking: Callable[[], Looking] = make_blind,
    ) -> None:
        """Replay the log, and keep the state before each of the marked facts; raise Malformed if it has no such point."""
        corrections, _ = read_by(corrections_of, records)
        last = last_fact(records, corrections, until) if until else None
        walk = _Marking(corrections, last, marked, looking())
        _, problem = read_by(walk.apply_records, records)
        if walk.state is None:
            raise problem or Malformed("", "no encounter is opened here")
        self._walk = walk
        self.whole: tuple[Replay, Looking] = Replay(walk.state, walk.records, problem, corrections), walk.looking
        """The replay with all facts, and the object that looked at it."""

    def with_consequences(self, seqs: Iterable[int]) -> frozenset[int]:
        """Return these facts, and the later ones whose chain of causes reaches one of them."""
        found, before = {*seqs}, 0
        while len(found) != before:
            before = len(found)
            found |= {seq for seq, cause in self._walk.causes.items() if cause in found}
        return frozenset(found)

    def replay_without(self, struck: Collection[int]) -> tuple[Replay, Looking]:
        """Return the replay without these facts, one of which is marked, and the object that looked at it."""
        done, start = self._walk, self._first_copied(struck)
        state, looking = done.copies[start].read()
        state.memo.found = {}
        walk = Walk(done.corrections, None, looking.observe_fact, None)
        walk.state = state
        for one in done.applied[start:]:
            walk.covered = one.covered
            walk.apply_fact(state, one.fact, one.struck or (done.records + 1 if one.fact.seq in struck else 0))
        return Replay(state, done.records, None, done.corrections), looking

    def _first_copied(self, struck: Collection[int]) -> int:
        return min(self._walk.places[seq] for seq in struck if seq in self._walk.places)


class _Marking(Walk):
    """A pass that copies the state before some facts, and keeps all facts from the first of them on."""

    def __init__(self, corrections: Corrections, last: int | None, marked: Collection[int], looking: Looking) -> None:
        super().__init__(corrections, last, self._look, self._learn)
        self.copies: dict[int, Copy[tuple[State, Looking]]] = {}
        """The copies, by the place in `applied` of the fact that comes next."""
        self.places: dict[int, int] = {}
        """The places of the marked facts in `applied`."""
        self.applied: list[Applied] = []
        self.causes: dict[int, int] = {}
        self._marked, self.looking = marked, looking

    def apply_fact(self, state: State, fact: Occurrence[Event], struck: int) -> None:
        """Apply a fact; if it is marked, copy the state first."""
        if fact.seq in self._marked:
            self.places[fact.seq] = len(self.applied)
            self.copies[len(self.applied)] = Copy((state, self.looking), _is_shared)
        if self.copies:
            self.applied.append(Applied(fact, struck, self.covered))
        super().apply_fact(state, fact, struck)

    def _look(self, state: State, fact: Occurrence[Event]) -> None:
        self.looking.observe_fact(state, fact)

    def _learn(self, _state: State, fact: Occurrence[Event]) -> None:
        if self.copies:
            self.causes[fact.seq] = fact.cause


def _is_shared(found: object) -> bool:
    return isinstance(found, Because | Occurrence | Fact | Ruleset) or (
        callable(found) and not isinstance(found, MethodType)
    )


__all__ = ["Looking", "Rewinding", "make_blind"]
