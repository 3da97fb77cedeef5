"""The budget: prices come from the rows of a table, and what is left of a resource is never below 0."""

from typing import Any

from projections.because import Because, Derived
from projections.mechanics import budget
from projections.mechanics.budget import Price
from tests.projections.mechanics.test_ledger import used


def test_what_is_left_is_the_allowance_less_what_was_used_and_cites_both() -> None:
    rest = budget.left(used(4), "ana", "action", Derived(2, Because((), (1,))))
    assert (rest.value, rest.because.flat().events) == (1, (1, 4))
    assert budget.left(used(4, 5, 6), "ana", "action", Derived(2, Because())).value == 0


def test_prices_are_the_rows_of_a_table_one_cost_or_several() -> None:
    table: list[dict[str, Any]] = [
        {"kind": "attack", "cost": ["action"], "entry": True},
        {"name": "step", "cost": "move"},
        {"kind": "talk"},
    ]
    assert budget.prices(table) == {
        "attack": Price(("action",), entry=True),
        "step": Price(("move",)),
        "talk": Price(()),
    }
    assert budget.amounts([{"name": "action", "amount": 1}]) == {"action": 1}
