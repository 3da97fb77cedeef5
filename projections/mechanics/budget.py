"""The budget of a turn: the costs of kinds of acts, from the catalogue's tables, and what is left of a resource.

`[[action]]` rows hold costs, `[[resource]]` rows amounts; no other table repeats them.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Any

from msgspec import Struct

from projections.because import Because, Derived, terms
from projections.mechanics.ledger import Ledger, used


class Price(Struct, frozen=True, gc=False):
    """The price of a kind of act: the resources that it may cost, the first of which is the default.

    `entry` says whether an entry on the sheet may name a different one.
    """

    costs: tuple[str, ...]
    entry: bool = False


def prices(rows: Iterable[Mapping[str, Any]]) -> dict[str, Price]:
    """Return the prices of kinds of acts from the rows of a table, in which a cost is a word or a list of words."""
    found: dict[str, Price] = {}
    for row in rows:
        cost = row.get("cost", ())
        price = Price((cost,) if isinstance(cost, str) else tuple(cost), bool(row.get("entry")))
        found.setdefault(row.get("kind") or row["name"], price)
    return found


def amounts(rows: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the full amount of each resource, from the rows of a table."""
    return {row["name"]: row["amount"] for row in rows}


def left(ledger: Ledger, who: str, what: str, allowance: Derived[int], but: Container[int] = ()) -> Derived[int]:
    """Return what somebody has left of a resource: the allowance minus the uses since its last renewal, at least 0."""
    spent = used(ledger, who, what, but=but)
    number = max(0, allowance.value - spent.value)
    said = terms(number, ("allowed", allowance.value), ("used", -spent.value))
    return Derived(number, Because((), (), {}, (allowance, spent, *said)))
