"""The reading of a fact: the derived values that several checks need, computed once from the state before it."""

from eventstore.events import ActionTaken, InitiativeRolled, Moved, TurnDelayed, TurnResumed, TurnStarted
from projections.mechanics.memo import Once
from projections.rulesets.reading import E_co, FactReading
from projections.rulesets.semiautomagic.seconds import first_second, holders, own_turn
from projections.rulesets.semiautomagic.sheet import cost, takes_seconds
from projections.rulesets.semiautomagic.state import SECONDS, SemiautomagicState, TimedAct, TimedTurn
from projections.rulesets.semiautomagic.turns import beginning, broken_into
from projections.scheduling.turnlist import Beginning

Doing = InitiativeRolled | ActionTaken | Moved | TurnDelayed | TurnResumed | TurnStarted
"""The facts of one combatant that rolls initiative, has a turn, acts or moves."""


class Reading(FactReading[E_co]):
    """A fact with the values that its checks need: the beginning of its turn, its cost, the seconds that it claims."""

    state: SemiautomagicState

    @property
    def who(self: "Reading[Doing]") -> str:
        """The combatant whom the fact is about."""
        return self.event.combatant or ""

    @Once
    def beginning(self: "Reading[TurnStarted]") -> Beginning:
        """The consequences of the turn that begins."""
        return beginning(self.state, self.event)

    @Once
    def seconds(self: "Reading[ActionTaken]") -> int:
        """The seconds that the action holds."""
        return cost(self.state, self.who, self.event.action)

    @Once
    def turn(self: "Reading[ActionTaken]") -> TimedTurn | None:
        """The turn in which the action is done; None outside its actor's turns."""
        return own_turn(self.state, self.who, self.seconds)

    @Once
    def start(self: "Reading[ActionTaken]") -> tuple[TimedTurn, int] | None:
        """The turn and the second in which the action starts; None if it takes no second, or its actor has none
        left.
        """
        turn = self.turn
        if turn is None or not takes_seconds(self.seconds):
            return None
        second = first_second(turn, self.event.second)
        return None if second is None else (turn, second)

    @Once
    def held(self: "Reading[ActionTaken]") -> list[tuple[TimedAct, int]]:
        """The actions that hold seconds claimed by this one, each with the first such second."""
        if self.start is None:
            return []
        turn, first = self.start
        return list(holders(turn, first, min(SECONDS, first + self.seconds - 1)))

    @Once
    def broken(self: "Reading[TurnResumed]") -> TimedTurn | None:
        """The turn that a delayed one interrupts."""
        return broken_into(self.state, self.event.second)
