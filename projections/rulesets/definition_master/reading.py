"""A fact with the derived values that several rules need, computed once from the state before it."""

from typing import Any

from projections.mechanics import grants
from projections.mechanics.memo import Once
from projections.rulesets.definition_master.acts.acts import acts_of_turn, recorded_act
from projections.rulesets.definition_master.acts.budget import TurnBudget, budget_of
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.turns.turns import beginning
from projections.rulesets.reading import FactReading
from projections.scheduling.turnlist import Beginning


class Reading(FactReading[Any]):
    """A fact of the corrected stream with what the rules need: the act, its doer, what is left of the turn."""

    state: MasterState

    @Once
    def act(self) -> MasterAct | None:
        """The act that the fact tells of; None if it tells of none."""
        return self.state.flow.acts.get(self.seq) or recorded_act(self.state, self.fact)

    @Once
    def taken(self) -> MasterAct:
        """The act that the fact tells of: every `action_taken` does, and what spends something."""
        assert self.act is not None  # noqa: S101 – of no other fact it is asked
        return self.act

    @Once
    def budget(self) -> TurnBudget:
        """What whoever acts has left of its turn before this."""
        return budget_of(self.state, self.one.id)

    @Once
    def so_far(self) -> list[MasterAct]:
        """What whoever acts has done in its turn before this."""
        return acts_of_turn(self.state, self.one.id)

    @Once
    def came(self) -> Beginning:
        """The consequences of the beginning of a turn."""
        return beginning(self.state, self.event.combatant)

    @property
    def grants(self) -> tuple[int, ...]:
        """The rulings that grant anything."""
        return tuple(each.seq for each in self.state.rulings if each.event.ruling == "grant")

    def is_granted(self, rule: str, *words: str) -> bool:
        """Say whether a ruling grants whoever acts an exception from a rule, or what these words name."""
        act = self.act
        said = words or ((act.kind, act.action.name, act.cost) if act else ())
        people, named = (self.one.id, self.one.side), filter(None, said)
        return grants.granted(self.state.rulings, rule, who=people, event=self.answered, said=named).value
