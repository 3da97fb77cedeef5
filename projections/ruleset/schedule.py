"""The questions that every schedule answers: the order, who is due, the boundaries that a fact crosses, how the clock moves with an act."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from eventstore.events import Fact, PhaseReached, RoundStarted, SegmentReached
from projections.because import NOTHING_CITED, Because, Derived
from projections.fight import Clock, Fight, Slot, TimelineRow
from projections.mechanics.conditions import Effect
from projections.mechanics.turnlist import Out
from projections.occurrence import Occurrence
from projections.open_types import RulesState
from projections.ruleset.boundaries import boundaries_as_recorded
from projections.time import Boundary, Point

Names = list[list[str]]
"""An order as names only; combatants who act simultaneously are grouped."""


class ClockMove(Struct, frozen=True):
    """The move of the clock with an act.

    Without facts and reason the act belongs to the present, or to no time of its own.
    """

    facts: tuple[Fact, ...] = ()
    """The facts that lead to the time of the act."""
    stays: str = ""
    """Why nothing moves."""


def make_out_test(*statuses: str) -> Callable[[Fight], Out]:
    """Return the function that says who has no turns to come: those who have left, or have one of these statuses."""
    return lambda state: lambda who: bool(state.combatants[who].left) or state.combatants[who].status in statuses


class KeptOrder:
    """The order of one schedule from fact to fact; here it is derived again after each."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule

    def update_names(self, state: RulesState, touched: Iterable[str]) -> Names:  # noqa: ARG002 – kinds that keep more need it
        """Return the order after a fact that touched these."""
        return self.schedule.names_in_order(state)

    def forget(self) -> None:
        """Forget the kept order, since a ruled order has replaced it."""


class Schedule(Struct, frozen=True, kw_only=True):
    """The course of time in a ruleset, and the order of combatants; its two kinds are `TurnSchedule` and `LadderSchedule`."""

    rows: Callable[[RulesState], tuple[TimelineRow, ...]]
    """Return the rows of the timeline."""
    rounds_from: tuple[type[Fact], ...] = (RoundStarted,)
    """The types of facts that can open a round."""
    crossed: Callable[[RulesState, Occurrence[Fact]], tuple[Boundary, ...]] = boundaries_as_recorded
    """Return the boundaries that a fact crosses, in order; it is called before any step."""
    within: tuple[type[Fact], ...] = (PhaseReached, SegmentReached)
    """The types of facts that move the clock within a round."""
    phases: Callable[[RulesState], tuple[str, ...]] = lambda _state: ()
    """Return the names of a round's slots, from the first."""
    missing: Callable[[RulesState], tuple[str, ...]] = lambda _state: ()
    """Return sentences on what the order still needs."""
    shows: Callable[[RulesState, Occurrence[Fact]], Clock] | None = None
    """Return the clock after a fact, if it follows from acts rather than from clock facts."""
    moment: Callable[[RulesState, Occurrence[Fact]], Point | None] = lambda _state, _fact: None
    """Return the moment of a fact that does not give it."""
    pending: Callable[[RulesState, Fact], bool] = lambda _state, _event: False
    """Say whether what a record ends has not begun yet, or is derived by the game."""
    out: Callable[[RulesState], Out] = lambda state: state.is_out
    """Return the function that says who has no turns to come: usually combatants who are not up, or have left."""
    runs_out: Callable[[RulesState, Effect, Occurrence[Fact]], bool] = lambda _state, _borne, _fact: False
    """Say whether a condition is over at the moment of an act, where an act can move the clock."""
    moves: Callable[[RulesState, Occurrence[Fact]], ClockMove] = lambda _state, _fact: ClockMove()
    """Return the move of the clock with an act that is typed as the next record: to its own slot, segment or turn, and never back."""

    def order(self, state: RulesState, /) -> tuple[Slot, ...]:
        """Return the order of the round, with its keys and reasons."""
        raise NotImplementedError

    def names_in_order(self, state: RulesState) -> Names:
        """Return the order as names only."""
        return [list(slot.combatants) for slot in self.order(state)]

    def why_absent(self, state: RulesState) -> Because:  # noqa: ARG002 – a kind that knows it says so
        """Return why a combatant who would have a place in the order has none."""
        return NOTHING_CITED

    def other_reasons(self, state: RulesState, /) -> Because:  # noqa: ARG002 – a kind that knows it says so
        """Return what decides who is due, besides the order and the rows of the timeline."""
        return NOTHING_CITED

    def why_empty(self, state: RulesState) -> Because:
        """Return why the order is empty."""
        raise NotImplementedError

    def due(self, state: RulesState, /) -> Derived[list[str]] | None:  # noqa: ARG002 – as above
        """Return who is still to act in this round, in order; None where the rows of the timeline say it."""
        return None

    def cross_boundary(self, state: RulesState, boundary: Boundary, /) -> None:
        """Apply a boundary of time, before the ruleset's own functions do."""

    def rederive_order(self, state: RulesState) -> None:
        """Let the order be derived again after a joining, a roll or a ruling."""

    def make_kept_order(self) -> KeptOrder:
        """Return an object that keeps the order from fact to fact."""
        return KeptOrder(self)

    def opens_round(self, state: Fight, fact: Occurrence[Fact]) -> bool:
        """Say whether a fact opens a round, so that the one before it is over."""
        may = isinstance(fact.event, self.rounds_from)
        return may and any(boundary.kind == "round opened" for boundary in self.crossed(state, fact))
