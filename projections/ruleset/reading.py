"""The reading of a fact: the fact with what several checks and steps need of it, derived once from the state before it."""

from typing import Generic, TypeVar

from eventstore.events import Fact
from projections.fight import Combatant, Fight
from projections.mechanics.memo import Once
from projections.occurrence import Occurrence

E_co = TypeVar("E_co", bound=Fact, covariant=True)


class FactReading(Generic[E_co]):
    """A fact of the corrected stream as checks and steps get it; a ruleset adds what its rules need, each worked out once."""

    def __init__(self, state: Fight, fact: Occurrence[E_co]) -> None:
        self.state, self.fact = state, fact
        self.seq, self.line, self.point = fact.seq, fact.line, fact.point
        self.cause, self.own, self.called, self.kind = fact.cause, fact.own, fact.called, fact.kind
        self.event: E_co = fact.event

    @Once
    def one(self) -> Combatant:
        """The combatant who acts, or whom the fact is about."""
        who = getattr(self.event, "combatant", None) or getattr(self.event, "target", None)
        return self.state.combatants[who or ""]

    @Once
    def answered(self) -> tuple[int, int, int]:
        """The records by which a ruling may name an act: its own, its cause and what it answers."""
        return self.seq, self.cause, getattr(self.event, "trigger", None) or self.seq
