"""A cursor over the steps of a log: forwards and backwards by events, turns and rounds, with the view at each place.

A view follows from the facts up to its place alone, so it is the same whether the cursor moves forwards or backwards.
"""

from collections.abc import Sequence
from itertools import count
from operator import attrgetter
from typing import Literal

from msgspec import Struct

from eventstore.events import Fact
from eventstore.record import Recorded
from projections.judging.audit import Finding
from projections.occurrence import Occurrence
from projections.replay.replay import replay
from projections.state import State
from projections.stream.placing import point_reached
from projections.time import Point, Where
from projections.views.current_round import CurrentRound
from projections.views.lane_shapes import Lanes
from projections.views.steps import Change, Step, steps
from projections.views.view import Show, show

Unit = Literal["event", "turn", "round"]

WINDOW = 16
"""The number of views on each side of a place that are made with it, so that the next steps need no other replay."""

OPENING = Where(seq=1)


class CursorPlace(Struct, frozen=True):
    """A place of the cursor: after a fact of the stream."""

    fact: Occurrence[Fact] | None
    """The fact; None: directly after the opening."""
    changes: tuple[Change, ...]
    """The values that the fact changed."""
    when: Point
    """The moment of the fact."""
    turn: str
    """The combatant whose turn it was."""
    clock: Point
    """The point of the clock after the fact."""
    left_out: tuple[tuple[int, str], ...]
    """The records before it that cannot be read or had no effect, each with the reason."""


class Cursor:
    """A cursor over the steps of a log, at first directly after the opening; `at` counts the facts before it. `rest` are the
    records that are left out after the last fact, as in `Place`.
    """

    def __init__(self, records: Sequence[Recorded], findings: Sequence[Finding] = ()) -> None:
        """Take the steps; raise as a replay does. The findings are flagged in pictures."""
        self.records, self.findings = records, findings
        self.places = [CursorPlace(None, (), Point(), "", Point(), ())]
        self.at = 0
        self._views: dict[int, Show] = {}
        self._pictures: dict[int, Lanes] = {}
        self._left_out = 0, 0
        self.done = steps(records, None, self._add_place)
        self.rest = self._skipped(self.done.state)

    @property
    def place(self) -> CursorPlace:
        """The present place."""
        return self.places[self.at]

    def move(self, by: int, unit: Unit = "event") -> bool:
        """Go to the next or the previous place (by 1 or -1), if there is one; return whether the place has changed.

        Backwards by turns or rounds, it goes to the first place of the present one, and from there to that of the one
        before.
        """
        before, last = self.at, len(self.places) - 1
        if unit == "event":
            self.at = min(max(before + by, 0), last)
        else:
            ahead = range(before + 1, last + 1) if by > 0 else range(before - 1, -1, -1)
            self.at = next((at for at in ahead if self._is_beginning(at, unit)), last if by > 0 else 0)
        return self.at != before

    def go(self, where: Where) -> None:
        """Go to a point of the log; raise Malformed if there is no such point."""
        seq = replay(self.records, where).state.seq
        self.at = self.place_after(seq)

    def place_after(self, seq: int) -> int:
        """Return the place after a fact; if the fact no longer counts, after the last one before it."""
        at = self.done.state.place_of
        facts = ((place, each.fact) for place, each in enumerate(self.places) if each.fact)
        return max((place for place, fact in facts if at(fact.seq) <= at(seq)), default=0)

    def view(self) -> Show:
        """Return the view at the present place."""
        if self.at not in self._views:
            self._make_views_nearby()
        return self._views[self.at]

    def picture(self) -> Lanes | None:
        """Return the picture of the round at the present place; directly after the opening there is none."""
        self.view()
        return self._pictures.get(self.at)

    def _is_beginning(self, at: int, unit: Unit) -> bool:
        """Say whether a turn (or a segment or slot, where rounds have these) or a round begins at a place."""
        parts = attrgetter("round") if unit == "round" else attrgetter("round", "phase", "turn", "segment")
        return at == 0 or parts(self.places[at - 1].clock) != parts(self.places[at].clock)

    def _add_place(self, step: Step, state: State) -> None:
        when = point_reached(state, step.fact)
        turn = state.clock.turn if when.turn else ""
        self.places.append(CursorPlace(step.fact, step.changes, when, turn, state.clock.point, self._skipped(state)))

    def _skipped(self, state: State) -> tuple[tuple[int, str], ...]:
        """Return the records left out since the last call."""
        unread, refused = self._left_out
        found = [(seq, "withheld, or of an unknown type") for seq in state.unread[unread:]]
        found += [(fact.seq, why) for fact, _, why in state.refused[refused:]]
        self._left_out = len(state.unread), len(state.refused)
        return tuple(found)

    def _make_views_nearby(self) -> None:
        first, last = self.at - WINDOW, self.at + WINDOW
        self._views = {0: show(replay(self.records, OPENING).state)} if first <= 0 else {}
        self._pictures = {}
        present, places = CurrentRound(self.places[max(first, 0)].clock.round), count(1)

        def keep(state: State, _fact: Occurrence[Fact]) -> None:
            if first <= (at := next(places)) <= last:
                self._views[at] = show(state)
                self._pictures[at] = present.picture(state, self.findings)

        replay(self.records, before=present.keep_last_step, after=keep)
