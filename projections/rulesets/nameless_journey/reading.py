"""A fact with the derived values that several rules need, computed once from the state before it."""

from functools import cached_property
from typing import Any, Generic, TypeVar

from eventstore.events import Fact
from projections.mechanics.turnlist import Beginning
from projections.occurrence import Occurrence
from projections.rulesets.nameless_journey.budget import cost_of, has_turn, is_granted, words_of
from projections.rulesets.nameless_journey.order import undecided
from projections.rulesets.nameless_journey.reactions import act_behind
from projections.rulesets.nameless_journey.state import NamelessState, PaidAct
from projections.rulesets.nameless_journey.turns import beginning
from projections.state import Combatant

E = TypeVar("E", bound=Fact)


class Reading(Generic[E]):
    """A fact of the corrected stream with what Nameless Journey's rules need: actor, cost, consequences for turns."""

    def __init__(self, state: NamelessState, fact: Occurrence[E]) -> None:
        self.state, self.fact = state, fact
        self.seq, self.line, self.point, self.cause = fact.seq, fact.line, fact.point, fact.cause
        self.event: Any = fact.event

    @cached_property
    def one(self) -> Combatant:
        """The combatant whom the fact is about."""
        return self.state.combatants[self.event.combatant]

    @cached_property
    def cost(self) -> str:
        """The resource that an act spends."""
        return cost_of(self.one, self.event)

    @cached_property
    def on_own_turn(self) -> bool:
        """Whether it is the turn of whoever acts."""
        return has_turn(self.state, self.event.combatant)

    @cached_property
    def is_newcomer(self) -> bool:
        """Whether whoever acts still waits for its first turn."""
        return self.event.combatant in self.state.turns.newcomers

    @cached_property
    def came(self) -> Beginning:
        """The consequences of the beginning of a turn."""
        return beginning(self.state, self.event)

    @cached_property
    def passes_over(self) -> list[str]:
        """Those whom the beginning of a turn passes over, except in an open roll-off, which is another finding."""
        level = undecided(self.state, self.event.combatant)
        return [each for each in self.came.passes_over if each not in level]

    @cached_property
    def behind(self) -> PaidAct | None:
        """The act that caused an outcome."""
        return act_behind(self.state, self)

    def is_granted(self, rule: str, *words: str) -> bool:
        """Say whether a ruling grants whoever acts an exception from a rule, or what these words name."""
        said = words or words_of(self.event.action, self.cost)
        events = (self.seq, self.cause, getattr(self.event, "trigger", None) or self.seq)
        return is_granted(self.state, rule, self.one.id, *said, event=events)
