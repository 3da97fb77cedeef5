"""Resources: what is spent counts until it returns; prices come from the rows of a table."""

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import convert

from projections.fight import Combatant
from projections.mechanics import resources
from projections.mechanics.resources import Price, Resource, Spending
from projections.ruleset.budget import amount_by_row
from projections.time import Boundary


def used(*seqs: int, what: str = "action") -> Spending:
    """Return the spending of a fight in which ana has used something."""
    found = Spending()
    for seq in seqs:
        resources.record_use(found, "ana", what, seq)
    return found


def test_a_use_can_be_left_out_of_the_count() -> None:
    assert resources.amount_spent(used(4, 7), "ana", "action", but={4}).value == 1


def test_what_is_renewed_has_not_been_used_because_of_the_renewal() -> None:
    found = used(4)
    resources.renew_resource(found, "action", 9, "ana")
    count = resources.amount_spent(found, "ana", "action")
    assert (count.value, count.because.events) == (0, (9,))


def test_a_renewal_of_what_was_not_used_is_no_reason() -> None:
    found = used(4)
    resources.renew_resource(found, "action", 9, "ana")
    resources.renew_resource(found, "action", 12, "ana")
    assert resources.amount_spent(found, "ana", "action").because.events == ()


def test_everybody_can_be_renewed_at_once() -> None:
    found = used(4)
    resources.record_use(found, "bo", "action", 5)
    resources.record_use(found, "bo", "reaction", 6)
    resources.renew_resource(found, "action", 9)
    counts = [resources.amount_spent(found, who, what).value for who, what in (("ana", "action"), ("bo", "action"))]
    assert (counts, resources.amount_spent(found, "bo", "reaction").value) == ([0, 0], 1)


def test_prices_are_the_rows_of_a_table_one_cost_or_several() -> None:
    table: list[dict[str, Any]] = [
        {"kind": "attack", "cost": ["action"], "entry": True},
        {"name": "step", "cost": "move"},
        {"kind": "talk"},
    ]
    assert resources.read_prices(table) == {
        "attack": Price(("action",), entry=True),
        "step": Price(("move",)),
        "talk": Price(()),
    }


ROWS: list[dict[str, Any]] = [
    {"name": "action", "amount": 1, "returns": "own-turn-start", "where": "own-turn", "rule": "turn.one", "note": "A blow."},
    {"name": "reaction", "amount": 1, "returns": "own-turn-end"}, {"name": "luck", "amount": 3, "returns": "round-start"},
    {"name": "charge", "amount": 1, "returns": "dawn"}, {"name": "attacks"},
]  # fmt: skip


def test_a_resource_is_its_row_without_the_words_for_people() -> None:
    known = convert(ROWS, list[Resource])
    assert known[0] == Resource("action", 1, "own-turn-start", "own-turn", "turn.one")
    assert known[-1] == Resource("attacks")


def test_how_much_there_is_is_the_amount_of_the_row_or_what_the_sheet_says() -> None:
    ana = Combatant("ana", "Ana", "heroes", SimpleNamespace(pace=40), 2, changed={"pace": 7})
    found = [amount_by_row(None, ana, each) for each in (Resource("action", 1), Resource("feet", sheet="pace"))]
    assert [(each.value, each.because.events) for each in found] == [(1, (2,)), (40, (7,))]


@pytest.mark.parametrize(("boundary", "back"), [
    (Boundary("turn began", 9, "ana"), {("ana", "action")}),
    (Boundary("turn ended", 9, "bo"), {("bo", "reaction")}),
    (Boundary("round opened", 9, number=2), {("ana", "luck"), ("bo", "luck")}),
    (Boundary("place passed", 9, "ana"), set()),
])  # fmt: skip
def test_what_returns_at_a_boundary_returns_to_its_owner_or_to_all(
    boundary: Boundary, back: set[tuple[str, str]]
) -> None:
    found, names = Spending(), [row["name"] for row in ROWS]
    for seq, who in ((4, "ana"), (5, "bo")):
        for name in names:
            resources.record_use(found, who, name, seq)
    resources.renew_at_boundary(found, convert(ROWS, list[Resource]), boundary)
    kept = {(who, name) for who in ("ana", "bo") for name in names if resources.amount_spent(found, who, name).value}
    assert {(who, name) for who in ("ana", "bo") for name in names} - kept == back
