"""What somebody has left to spend, by the rows of a ruleset's catalogue: costs, what returns when, and what is too much.

A ruleset that has `[[resource]]` and `[[action]]` rows makes a `Budget` of them, and marks the methods that it needs with its
clauses: `pays` as a step, `returns` at boundaries, `too_much` as a check. NAME.left.WHAT is `ADDRESS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from msgspec import Struct

from eventstore.events import ActionTaken
from eventstore.paths import AnyPath
from eventstore.shapes import Action
from projections.address import Address, a_count
from projections.because import Because, Derived
from projections.mechanics import resources
from projections.mechanics.resources import Price, Resource
from projections.occurrence import Occurrence
from projections.rulesets.catalogue import read
from projections.rulesets.ruleset import Breach
from projections.state import Combatant, State
from projections.time import Boundary


def as_its_row_says(_state: Any, one: Combatant, resource: Resource) -> Derived[int]:
    """Return how much somebody has of a resource where the sheet has nothing to do with it."""
    return Derived(resource.amount, Because((resource.rule,) if resource.rule else (), (one.joined,)))


class Budget(Struct, frozen=True):
    """What acts cost and what there is to spend, by the catalogue at a path.

    `whole` returns how much somebody has of a resource when nothing of it is spent, such as feet by the speed of the sheet.
    """

    rules: AnyPath
    whole: Callable[[Any, Combatant, Resource], Derived[int]] = as_its_row_says

    @property
    def resources(self) -> dict[str, Resource]:
        """The resources, by name."""
        return _resources(self.rules)

    def cost_of(self, action: Action) -> str:
        """Return the resource that an act spends, as recorded, else the first that its kind may cost; "" if none."""
        price = _prices(self.rules).get(action.kind.casefold())
        return (action.cost or (price.costs[0] if price and price.costs else "")).casefold()

    def pays(self, state: State, fact: Occurrence[ActionTaken]) -> None:
        """Spend what an act costs."""
        cost = self.cost_of(fact.event.action)
        if cost in self.resources:
            resources.spend(state.spending, fact.event.combatant, cost, fact.seq)

    def returns(self, state: State, boundary: Boundary) -> None:
        """Let the resources return that do so at a boundary."""
        resources.returns(state.spending, self.resources.values(), boundary)

    def left(self, state: State, one: Combatant, what: str) -> Derived[int]:
        """Return what somebody has left of a resource: nothing in a turn in which it cannot be spent."""
        if ruled := state.ruled.get(f"{one.id}.left.{what}"):
            return Derived(ruled.value, ruled.cites())
        resource = self.resources[what]
        rules = (resource.rule,) if resource.rule else ()
        if not self.may_be_spent(state, one, resource):
            return Derived(0, Because(rules, state.clock.events or (1,)))
        rest = resources.left(state.spending, one.id, what, self.whole(state, one, resource))
        turn = (state.clock.turn_event,) if resource.where and state.clock.turn_event else ()
        return Derived(rest.value, Because(rules, turn, {}, (rest,)))

    def may_be_spent(self, state: State, one: Combatant, resource: Resource) -> bool:
        """Say whether a resource can be spent in the present turn, as the row says where it is spent."""
        own = one.id in (state.clock.turn, *state.clock.together)
        return {"own-turn": own, "outside-own-turn": not own}.get(resource.where, True)

    def all_left(self, state: State, one: Combatant) -> dict[str, Any]:
        """Return what somebody has left of each resource, as the views show it."""
        return {what: self.left(state, one, what).value for what in self.resources}

    def too_much(self, state: State, fact: Occurrence[ActionTaken]) -> Breach | None:
        """Return the breach of an act for which nothing is left of what it costs, or that comes in the wrong turn."""
        cost, one = self.cost_of(fact.event.action), state.combatants[fact.event.combatant]
        if cost not in self.resources or self.left(state, one, cost).value:
            return None
        resource, gone = self.resources[cost], resources.uses(state.spending, one.id, cost)
        if not self.may_be_spent(state, one, resource):
            turn = state.clock.turn or "nobody"
            says = f"{one.id} spends its {cost} in the turn of {turn}"
            return Breach(says, resource.where.replace("-", " "), f"the turn of {turn}", state.clock.events)
        return Breach(f"{one.id} has no {cost} left", "none left", "a further one", tuple(each.seq for each in gone))

    def address(self) -> Address:
        """Return the address of what somebody has left, NAME.left.WHAT; a ruling covers it until the turn is over."""
        return Address(
            "<who>.left.<what>",
            self._read,
            wants=lambda state, _who, what, value: a_count(state, value) if what in self.resources else "a resource",
            says="what somebody has left to spend",
            until="turn",
            places=self._places,
        )

    def _read(self, state: State, who: str, what: str) -> Derived[int] | None:
        return self.left(state, state.combatants[who], what) if what in self.resources else None

    def _places(self, state: State) -> Iterable[tuple[str, ...]]:
        return [(who, what) for who in state.combatants for what in self.resources]


@cache
def _resources(rules: AnyPath) -> dict[str, Resource]:
    return resources.resources(read(rules).tables.get("resource", ()))


@cache
def _prices(rules: AnyPath) -> dict[str, Price]:
    return resources.prices(read(rules).action)
