"""A fact with the derived values that several rules need, computed once from the state before it."""

from eventstore.events import Fact, TurnStarted
from projections.mechanics import grants
from projections.mechanics.memo import Once
from projections.mechanics.turnlist import Beginning
from projections.ruleset.reading import E_co, FactReading
from projections.rulesets.definition_master.acts import TurnBudget, acts_of_turn, budget_of, recorded_act
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.turns import beginning_of_turn


class Reading(FactReading[E_co]):
    """A fact of the corrected stream with the values that rules need: the act, the budget of the turn, rulings."""

    state: MasterState

    @Once
    def act(self) -> MasterAct | None:
        """The act that the fact records; None if it records none."""
        return self.state.flow.acts.get(self.seq) or recorded_act(self.state, self.fact)

    @Once
    def taken(self) -> MasterAct:
        """The act of a fact that always records one, such as an `action_taken`."""
        assert self.act is not None  # noqa: S101 – no other fact is asked for it
        return self.act

    @Once
    def budget(self) -> TurnBudget:
        """The budget of the turn before the fact."""
        return budget_of(self.state, self.one.id)

    @Once
    def so_far(self) -> list[MasterAct]:
        """The acts of the turn so far, before the fact."""
        return acts_of_turn(self.state, self.one.id)

    @Once
    def came(self: "Reading[TurnStarted]") -> Beginning:
        """The consequences when a turn begins."""
        return beginning_of_turn(self.state, self.event.combatant)

    @property
    def grants(self) -> tuple[int, ...]:
        """The rulings that grant an exception."""
        return tuple(each.seq for each in self.state.rulings if each.event.ruling == "grant")

    def is_granted(self, rule: str, *words: str) -> bool:
        """Say whether a ruling grants the combatant who acts an exception from a rule, or one of these words."""
        act = self.act
        said = words or ((act.kind, act.action.name, act.cost) if act else ())
        people, named = (self.one.id, self.one.side), filter(None, said)
        return grants.has_grant(self.state.rulings, rule, who=people, event=self.answered, said=named).value


def is_granted_by_ruling(_state: MasterState, fact: Reading[Fact], rule: str) -> bool:
    """Say whether a ruling grants the combatant who acts an exception from a rule."""
    return fact.is_granted(rule)
