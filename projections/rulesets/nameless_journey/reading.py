"""A fact with the derived values that several rules need, computed once from the state before it."""

from eventstore.events import ActionTaken, Moved, TurnResumed, TurnStarted
from projections.mechanics.memo import Once
from projections.mechanics.turnlist import Beginning
from projections.ruleset.reading import E_co, FactReading
from projections.rulesets.nameless_journey.budget import cost_of, is_granted, words_of
from projections.rulesets.nameless_journey.movement import feet_of, left_in, mode_of
from projections.rulesets.nameless_journey.order import undecided
from projections.rulesets.nameless_journey.reactions import act_behind
from projections.rulesets.nameless_journey.state import NamelessState, PaidAct
from projections.rulesets.nameless_journey.turns import beginning


class Reading(FactReading[E_co]):
    """A fact of the corrected stream with the values that Nameless Journey's rules need: actor, cost, consequences for
    turns.
    """

    state: NamelessState

    @Once
    def cost(self: "Reading[ActionTaken]") -> str:
        """The resource that an act spends."""
        return cost_of(self.one, self.event)

    @Once
    def on_own_turn(self: "Reading[ActionTaken | Moved | TurnResumed]") -> bool:
        """Whether it is the turn of the acting combatant."""
        return self.state.clock.is_turn_of(self.event.combatant)

    @Once
    def feet(self: "Reading[Moved]") -> int:
        """The feet of a stretch."""
        return feet_of(self.state, self.event)

    @Once
    def rest(self: "Reading[Moved]") -> int:
        """The feet that the moving combatant has left in the mode of a stretch."""
        return left_in(self.state, self.one, mode_of(self.event)).value

    @Once
    def is_newcomer(self: "Reading[ActionTaken | Moved | TurnStarted]") -> bool:
        """Whether the acting combatant still waits for its first turn."""
        return self.event.combatant in self.state.turns.newcomers

    @Once
    def came(self: "Reading[TurnStarted]") -> Beginning:
        """The consequences when a turn begins."""
        return beginning(self.state, self.event)

    @Once
    def passes_over(self: "Reading[TurnStarted]") -> list[str]:
        """The combatants whom the beginning of a turn passes over, except in an open roll-off, which is another
        finding.
        """
        level = undecided(self.state, self.event.combatant)
        return [each for each in self.came.passes_over if each not in level]

    @Once
    def behind(self) -> PaidAct | None:
        """The act that caused an outcome."""
        return act_behind(self.state, self.fact)

    def is_granted(self: "Reading[ActionTaken | Moved]", rule: str) -> bool:
        """Return whether a ruling grants the acting combatant an exception from a rule, or this act, or the mode of this move."""
        event = self.event
        said = (mode_of(event),) if isinstance(event, Moved) else words_of(event.action, cost_of(self.one, event))
        return is_granted(self.state, rule, self.one.id, *said, event=self.answered)
