"""The reading of a fact: the derived values that several checks and steps need, computed once from the state before it."""

from itertools import takewhile

from eventstore.events import ActionTaken, InitiativeRolled, Moved, TurnDelayed, TurnResumed, TurnStarted
from projections.mechanics import turnlist
from projections.mechanics.memo import Once, remembered
from projections.mechanics.turnlist import Beginning
from projections.ruleset.reading import E_co, FactReading
from projections.ruleset.ruleset import derives
from projections.rulesets.semiautomagic.sheet import cost, takes_seconds
from projections.rulesets.semiautomagic.state import SECONDS, SemiautomagicState, TimedAct, TimedTurn
from projections.scheduling.turn_schedule import turn_list

Doing = InitiativeRolled | ActionTaken | Moved | TurnDelayed | TurnResumed | TurnStarted
"""The facts of one combatant that rolls initiative, has a turn, acts or moves."""


@remembered
def beginning(state: SemiautomagicState, event: TurnStarted) -> Beginning:
    """Return the consequences of a turn that begins for the order and the round."""
    return turnlist.beginning_of(turn_list(state), event.combatant, state.is_out, event.together)


def broken_into(state: SemiautomagicState, stated: int | None) -> TimedTurn | None:
    """Return the turn that a delayed one interrupts: the one being played, unless its seconds are spent.

    One whose seconds are spent is interrupted only if a second of it is stated.
    """
    found = next((turn for turn in reversed(state.stack) if turn.spent < SECONDS or turn.only_continues), None)
    is_stated = stated is not None and stated < SECONDS
    return found or (state.stack[-1] if is_stated and state.stack else None)


def can_go_on(state: SemiautomagicState, turn: TimedTurn) -> bool:
    """Return whether a turn is no longer interrupted: the interrupting one is spent, or began together with it."""
    above = takewhile(lambda each: each is not turn, reversed(state.stack))
    return all(each.spent >= SECONDS or each.seq == turn.seq for each in above)


@derives("turn.six-second-budget", "turn.any-number-of-actions")
def first_free(turn: TimedTurn) -> int:
    """Return the first second of a turn that is not spent; 7 if all six are spent."""
    return turn.spent + 1


class Reading(FactReading[E_co]):
    """A fact with the values that its checks and steps need: the beginning of its turn, its cost, the seconds that it claims."""

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
        """The turn in which the action is done: its actor's, if that is being played or can go on now; else None."""
        turn = self.state.playing(self.who)
        return turn if turn and (takes_seconds(self.seconds) or can_go_on(self.state, turn)) else None

    @Once
    def start(self: "Reading[ActionTaken]") -> int | None:
        """The second of the turn in which the action starts: the stated one, if a turn has it, else the first free one.

        None if it takes no second, or its actor has none left.
        """
        turn, stated = self.turn, self.event.second
        if turn is None or not takes_seconds(self.seconds):
            return None
        first = stated if stated is not None and 1 <= stated <= SECONDS else first_free(turn)
        return first if first <= SECONDS else None

    @Once
    def held(self: "Reading[ActionTaken]") -> list[TimedAct]:
        """The actions that hold seconds claimed by this one."""
        turn, first = self.turn, self.start
        return turn.holding(first, min(SECONDS, first + self.seconds - 1)) if turn and first else []

    @Once
    def broken(self: "Reading[TurnResumed]") -> TimedTurn | None:
        """The turn that a delayed one interrupts."""
        return broken_into(self.state, self.event.second)
