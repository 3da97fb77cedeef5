"""What a schedule answers: the order, who is due, the boundaries that a fact crosses, how the clock moves with an act."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from eventstore.events import Fact, PhaseReached, RoundStarted, SegmentReached
from projections.because import Because, Derived
from projections.mechanics.conditions import Effect
from projections.occurrence import Occurrence
from projections.scheduling.boundaries import as_recorded
from projections.scheduling.turnlist import Out
from projections.state import Clock, Slot, State, TimelineRow
from projections.time import Boundary, Point

Names = list[list[str]]
"""An order as names only, grouped by those who act simultaneously."""


class ClockMove(Struct, frozen=True):
    """How the clock moves with an act: the facts that lead to where it belongs, or why nothing moves.

    Without either the act belongs to the present, or to no time of its own.
    """

    facts: tuple[Fact, ...] = ()
    stays: str = ""


def out_when(*statuses: str) -> Callable[[State], Out]:
    """Return what says who has no turns to come: the combatant who has left, or has one of these statuses."""
    return lambda state: lambda who: bool(state.combatants[who].left) or state.combatants[who].status in statuses


class KeptOrder:
    """The order of one schedule from fact to fact; here it is derived again after each."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    def names(self, state: State, touched: Iterable[str]) -> Names:  # noqa: ARG002 – kinds that keep more need it
        """Return the order after a fact that touched these."""
        return self.schedule.names(state)

    def forget(self) -> None:
        """Forget what is kept, since a ruled order has taken the place of this one."""


class Schedule(Struct, frozen=True, kw_only=True):
    """How time runs in a ruleset, and who comes when; its two kinds are `TurnSchedule` and `LadderSchedule`.

    `rows` returns the rows of the timeline. `crossed`, called before any step, returns the boundaries that a fact crosses,
    in order; `rounds_from` are the types of facts that rounds follow from, `within` those that move the clock within a round. `phases` returns the names of the slots of
    a round, from the first. `missing` returns in sentences what the order still needs. `shows` gives the clock, if it
    follows from what was done rather than from clock facts. `moment` returns the moment of a fact that does not give it;
    `pending` says whether something that is called off has not begun yet. `out` says who has no turns to come: as a rule
    the combatant who is not up, or has left; `runs_out` whether a condition is over as play comes to the moment of an act, where an
    act can move the clock. `moves` says how the clock moves with an act that is typed, as if it were the next
    record: to its own slot, segment or turn, and never back.
    """

    rows: Callable[[Any], tuple[TimelineRow, ...]]
    rounds_from: tuple[type[Fact], ...] = (RoundStarted,)
    crossed: Callable[[Any, Occurrence[Any]], tuple[Boundary, ...]] = as_recorded
    within: tuple[type[Fact], ...] = (PhaseReached, SegmentReached)
    phases: Callable[[Any], tuple[str, ...]] = lambda _state: ()
    missing: Callable[[Any], tuple[str, ...]] = lambda _state: ()
    shows: Callable[[Any, Occurrence[Any]], Clock] | None = None
    moment: Callable[[Any, Occurrence[Any]], Point | None] = lambda _state, _fact: None
    pending: Callable[[Any, Fact], bool] = lambda _state, _event: False
    out: Callable[[Any], Out] = lambda state: state.is_out
    runs_out: Callable[[Any, Effect, Occurrence[Any]], bool] = lambda _state, _borne, _fact: False
    moves: Callable[[Any, Occurrence[Any]], ClockMove] = lambda _state, _fact: ClockMove()

    def order(self, state: Any) -> tuple[Slot, ...]:
        """Return the order of the round, with its keys and reasons."""
        raise NotImplementedError

    def names(self, state: Any) -> Names:
        """Return the order as names only."""
        return [list(slot.combatants) for slot in self.order(state)]

    def absent(self, state: Any) -> Because:  # noqa: ARG002 – a kind that knows it says so
        """Return why a combatant who would have a place in the order has none."""
        return Because()

    def due(self, state: Any) -> Derived[list[str]] | None:  # noqa: ARG002 – as above
        """Return who is still to act in this round, in order; None where the rows of the timeline say it."""
        return None

    def crosses(self, state: Any, boundary: Boundary) -> None:
        """Apply a boundary of time, before the ruleset's own functions do."""

    def disturb(self, state: Any) -> None:
        """Let the order be derived again, since a combatant joined, a roll was made or a ruling given."""

    def kept(self) -> KeptOrder:
        """Return what keeps the order from fact to fact."""
        return KeptOrder(self)

    def opens_round(self, state: State, fact: Occurrence[Any]) -> bool:
        """Say whether a fact opens a round, so that the one before it is over."""
        may = isinstance(fact.event, self.rounds_from)
        return may and any(boundary.kind == "round opened" for boundary in self.crossed(state, fact))
