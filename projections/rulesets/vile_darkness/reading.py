"""What checks and steps are handed for a fact: the fact with the act that it tells of, worked out once."""

from typing import Any

from projections.mechanics.memo import Once
from projections.occurrence import Occurrence
from projections.rulesets.vile_darkness.state import Act, VileState
from projections.rulesets.vile_darkness.table import Row, row_of
from projections.rulesets.vile_darkness.told import told_act
from projections.state import Combatant


class Reading:
    """A fact with the act that it tells of; in a late check that is the act as the round kept it."""

    def __init__(self, state: VileState, fact: Occurrence[Any]) -> None:
        self.state, self.fact = state, fact
        self.seq, self.event, self.line = fact.seq, fact.event, fact.line
        self.point, self.cause, self.own = fact.point, fact.cause, fact.own

    @Once
    def act(self) -> Act | None:
        """The act that this tells of; None where it tells of none."""
        kept: Act | None = self.state.round.acts.get(self.seq)
        return kept or told_act(self.state, self.fact)

    @Once
    def who(self) -> str:
        """Whose doing this is; "" where nobody said."""
        if self.act:
            return self.act.who
        return getattr(self.event, "combatant", "") or getattr(self.event, "source", "")

    @Once
    def one(self) -> Combatant:
        """The combatant whose doing this is."""
        return self.state.combatants[self.who]

    @Once
    def row(self) -> Row:
        """The row of the table that the act falls under, as things stand now."""
        return row_of(self.state, self.act)  # type: ignore[arg-type]
