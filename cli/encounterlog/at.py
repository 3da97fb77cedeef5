"""A log at one point: combatants, the order, and every derived value with its reason."""

from typing import Any

from eventstore.wording import short_repr
from projections.because import Explained
from projections.folds.addresses import all_addresses, derive_value, no_value, value_of
from projections.state import State
from projections.views.view import Show, show


class Order(list[list[str]]):
    """The order of the round: a list of slots, each with the combatants who act at once."""

    def __str__(self) -> str:
        return " > ".join(" & ".join(slot) for slot in self)


class Person:
    """A combatant at one point: every field of `show --json` and of the ruleset, each with its value and the reason."""

    def __init__(self, state: State, who: str) -> None:
        self._state, self.id = state, who

    def __repr__(self) -> str:
        return f"<{self.id}: {self.hp.value} hp, {self.status.value}>"

    @property
    def name(self) -> str:
        """The display name."""
        return self._state.combatants[self.id].name

    @property
    def side(self) -> str:
        """The side."""
        return self._state.combatants[self.id].side

    def __getattr__(self, field: str) -> Explained:
        if field.startswith("_"):
            raise AttributeError(field)
        try:
            return self[field.replace("_", "-")] if "_" in field and field not in ("hp_max",) else self[field]
        except KeyError as error:
            raise AttributeError(error.args[0], name=field) from None  # with a name, Python adds no guess of its own

    def __getitem__(self, field: str) -> Explained:
        return _derived_value(self._state, f"{self.id}.{field}")

    def __dir__(self) -> list[str]:
        own = [each.partition(".")[2] for each in all_addresses(self._state) if each.startswith(f"{self.id}.")]
        typed = (each.replace("-", "_") for each in own)
        return ["id", "name", "side", *(each for each in typed if each.isidentifier())]


class At:
    """The derived values of a log at one point. Two are equal if all their values are."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.combatants: dict[str, Person] = {who: Person(state, who) for who in state.combatants}

    def __repr__(self) -> str:
        return short_repr(self, f"{self._state.title}, round {self._state.clock.round}: {self.order}")

    def __eq__(self, other: object) -> bool:
        return self.values() == other.values() if isinstance(other, At) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it is compared by its values, as a dict is

    def __getitem__(self, address: str) -> Explained:
        """Return a value with its reason, such as `order` or `ada.hp`; raise KeyError with a hint."""
        return _derived_value(self._state, address)

    def addresses(self) -> list[str]:
        """Return the addresses of all values."""
        return list(all_addresses(self._state))

    def values(self) -> dict[str, Any]:
        """Return all values by their addresses, without reasons."""
        found = ((address, derive_value(self._state, address)) for address in self.addresses())
        return {address: value.value for address, value in found if value is not None}

    @property
    def order(self) -> Order:
        """The order of the round."""
        return Order(self["order"].value)

    @property
    def view(self) -> Show:
        """The whole view, as `show --json` prints it."""
        return show(self._state)


def _derived_value(state: State, address: str) -> Explained:
    found = value_of(state, address)
    if found is None:
        raise KeyError(no_value(state, address))
    return found
