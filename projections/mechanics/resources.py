"""Resources: the things that a turn or a round gives to spend, their uses, and their return.

`[[resource]]` rows of a catalogue give the amounts and the times of return, `[[action]]` rows the costs of acts; no other table repeats
them. A use counts until the resource returns, by its number: of uses, feet, seconds or points.
"""

from collections.abc import Container, Iterable, Mapping

from msgspec import Struct

from projections.because import Because, Derived, terms
from projections.open_types import Json
from projections.time import Boundary, BoundaryKind

RETURNS: dict[str, BoundaryKind] = {
    "own-turn-start": "turn began",
    "own-turn-end": "turn ended",
    "round-start": "round opened",
}
"""The boundaries at which a resource returns, by the words of a row; by another word a ruleset renews it by itself."""


class Resource(Struct, frozen=True, gc=False):
    """A row in the table of resources."""

    name: str
    amount: int = 0
    """How much of it there is."""
    returns: str = ""
    """The word for when it returns."""
    where: str = ""
    """The turn in which it is spent: `own-turn`, `outside-own-turn`, or any."""
    rule: str = ""
    """The clause on its amount."""
    sheet: str = ""
    """The field of the sheet with its amount, where combatants differ."""
    comes_with: str = ""
    """The kind of act that gives it, such as the Attack action several attacks; before that act there is none."""


class Price(Struct, frozen=True, gc=False):
    """The price for a kind of act."""

    costs: tuple[str, ...]
    """The resources that it may cost, the default first."""
    entry: bool = False
    """Whether an entry of the sheet may name another cost."""
    edition: str = ""
    """The edition that has such acts; "" for every one."""
    amount: int = 1
    """How much of it such an act takes."""
    rules: tuple[str, ...] = ()
    """The clauses on its price, the one that a wrong one breaks first."""


def read_prices(rows: Iterable[Mapping[str, Json]]) -> dict[str, Price]:
    """Return the prices for kinds of acts from a table's rows, in which a cost is a word or a list of words."""
    found: dict[str, Price] = {}
    for row in rows:
        cost = row.get("cost", ())
        price = Price(
            (cost,) if isinstance(cost, str) else tuple(cost),
            bool(row.get("entry")),
            row.get("edition", ""),
            row.get("amount", 1),
            tuple(row.get("rules", ())),
        )
        found.setdefault(row.get("kind") or row["name"], price)
    return found


# ---------------------------------------------------------------- spending


class Use(Struct, frozen=True, gc=False):
    """One use of a thing."""

    seq: int
    amount: int = 1
    """How much of it was used."""


class Spending(Struct):
    """The uses of things since these last returned."""

    uses: dict[str, dict[str, list[Use]]] = {}
    """The uses by thing and combatant."""
    renewed: dict[tuple[str, str], int] = {}
    """The record with which a used thing last returned, by combatant and thing."""


def record_use(spending: Spending, who: str, what: str, seq: int, amount: int = 1) -> None:
    """Record that a combatant spends so much of something."""
    spending.uses.setdefault(what, {}).setdefault(who, []).append(Use(seq, amount))


def uses(spending: Spending, who: str, what: str) -> list[Use]:
    """Return a combatant's uses of something since it last returned."""
    return spending.uses.get(what, {}).get(who, [])


def amount_spent(spending: Spending, who: str, what: str, but: Container[int] = ()) -> Derived[int]:
    """Return how much a combatant has spent of something since it last returned, citing these uses, but for the records in `but`, or its return."""
    counted = [each for each in uses(spending, who, what) if each.seq not in but]
    events = tuple(each.seq for each in counted)
    renewed = spending.renewed.get((who, what))
    return Derived(sum(each.amount for each in counted), Because((), events if renewed is None else (renewed, *events)))


def renew_resource(spending: Spending, what: str, seq: int, who: str = "") -> None:
    """Let something return to one combatant, or to all."""
    own = spending.uses.get(what, {})
    for each in (who,) if who else tuple(own):
        spending.renewed.pop((each, what), None)
        if own.pop(each, None):
            spending.renewed[each, what] = seq


def renew_at_boundary(spending: Spending, those: Iterable[Resource], boundary: Boundary) -> None:
    """Renew the resources that return at a boundary: for its owner, or for all if it has none."""
    for each in those:
        if RETURNS.get(each.returns) == boundary.kind:
            renew_resource(spending, each.name, boundary.seq, boundary.who)


def amount_left(spending: Spending, who: str, what: str, whole: Derived[int], but: Container[int] = ()) -> Derived[int]:
    """Return how much a combatant has left of a thing: the whole minus the uses since it last returned, at least 0."""
    gone = amount_spent(spending, who, what, but=but)
    number = max(0, whole.value - gone.value)
    said = terms(number, ("allowed", whole.value), ("used", -gone.value))
    return Derived(number, Because((), (), (whole, gone, *said)))
