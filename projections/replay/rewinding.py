"""Rewinding: a replay that is repeated from the state before some of its facts, with other facts struck. The state before each of
these facts is kept as a copy. Objects that no fold changes are shared by all copies: records, reasons, the ruleset, functions.
Values are derived from each copy again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from types import MethodType
from typing import Protocol

from eventstore.copies import Copy
from eventstore.events import Event, Fact
from eventstore.record import Recorded
from projections.because import Because
from projections.occurrence import Occurrence
from projections.replay.replay import Replay, Walk
from projections.ruleset.ruleset import Ruleset
from projections.state import State
from projections.stream.causes import reached_by
from projections.time import Where


class Looking(Protocol):
    """Something that looks at each fact in the state before it, such as an audit; it is copied with the state."""

    def observe_fact(self, state: State, fact: Occurrence[Event]) -> None:
        """Look at a fact in the state before it."""


class Blind:
    """Something that ignores every fact."""

    def observe_fact(self, state: State, fact: Occurrence[Event]) -> None:
        """Ignore the fact."""


class Rewinding:
    """A replay up to a point, which can be repeated from the first of some facts."""

    def __init__(
        self,
        records: Iterable[Recorded],
        until: Where | None,
        marked: Collection[int],
        looking: Callable[[], Looking] = Blind,
    ) -> None:
        """Replay the log, and keep the state before each of the marked facts; raise Malformed if it has no such point."""
        self._walk = _Marking(marked, looking())
        self.whole: tuple[Replay, Looking] = self._walk.replay(records, until), self._walk.looking
        """The replay with all facts, and the object that looked at it."""

    def with_consequences(self, seqs: Iterable[int]) -> frozenset[int]:
        """Return these facts, and the later ones whose chain of causes reaches one of them."""
        return frozenset(reached_by(self._walk.causes, seqs))

    def replay_without(self, struck: Collection[int]) -> tuple[Replay, Looking]:
        """Return the replay without these facts, one of which is marked, and the object that looked at it."""
        done = self._walk
        start = min(done.places[seq] for seq in struck if seq in done.places)
        state, looking = done.copies[start].read()
        state.memo.found = {}
        walk = Walk(looking.observe_fact, None)
        walk.corrections, walk.state = done.corrections, state
        for fact, strike, covered in done.applied[start:]:
            walk.covered = covered
            walk.apply_fact(state, fact, strike or (done.records + 1 if fact.seq in struck else 0))
        return Replay(state, done.records, None, done.corrections), looking


class _Marking(Walk):
    """A pass that copies the state before some facts, and keeps all facts from the first of them on."""

    def __init__(self, marked: Collection[int], looking: Looking) -> None:
        super().__init__(looking.observe_fact, self._learn)
        self.copies: dict[int, Copy[tuple[State, Looking]]] = {}
        """The copies, by the place in `applied` of the fact that comes next."""
        self.places: dict[int, int] = {}
        """The places of the marked facts in `applied`."""
        self.applied: list[tuple[Occurrence[Event], int, bool]] = []
        """The facts as they are reached, each with its strike or 0, and whether a record right after it is withheld."""
        self.causes: dict[int, int] = {}
        self._marked, self.looking = marked, looking

    def apply_fact(self, state: State, fact: Occurrence[Event], struck: int) -> None:
        """Apply a fact; if it is marked, copy the state first."""
        if fact.seq in self._marked:
            self.places[fact.seq] = len(self.applied)
            self.copies[len(self.applied)] = Copy((state, self.looking), _is_shared)
        if self.copies:
            self.applied.append((fact, struck, self.covered))
        super().apply_fact(state, fact, struck)

    def _learn(self, _state: State, fact: Occurrence[Event]) -> None:
        if self.copies:
            self.causes[fact.seq] = fact.cause


def _is_shared(found: object) -> bool:
    return isinstance(found, Because | Occurrence | Fact | Ruleset) or (
        callable(found) and not isinstance(found, MethodType)
    )
