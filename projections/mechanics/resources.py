"""Resources: what a turn or a round gives to spend, what of it was spent by whom, and when it returns.

`[[resource]]` rows of a catalogue say how much there is and when it returns, `[[action]]` rows what acts cost; no other table
repeats them. What was spent counts until it returns, by its number: of uses, feet, seconds or points.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from projections.because import Because, Derived, terms
from projections.time import Boundary, BoundaryKind

if TYPE_CHECKING:
    from projections.state import Combatant

RETURNS: dict[str, BoundaryKind] = {
    "own-turn-start": "turn began",
    "own-turn-end": "turn ended",
    "round-start": "round opened",
}
"""The boundaries at which a resource returns, by the words of a row; by another word a ruleset renews it by itself."""


class Resource(Struct, frozen=True, gc=False):
    """A resource as its row has it: how much there is, and when it returns.

    `where` is on whose turn it is spent: `own-turn`, `outside-own-turn` or any; `rule` is the clause that says how much;
    `sheet` is the field of the sheet that says it, where not all have the same amount; `comes_with` is the kind of act
    that gives it, as the Attack action gives several attacks: before one there is none.
    """

    name: str
    amount: int = 0
    returns: str = ""
    where: str = ""
    rule: str = ""
    sheet: str = ""
    comes_with: str = ""


class Price(Struct, frozen=True, gc=False):
    """The price of a kind of act: the resources that it may cost, the first of which is the default.

    `entry` says whether an entry on the sheet may name a different one.
    """

    costs: tuple[str, ...]
    entry: bool = False


def resources(rows: Iterable[Mapping[str, Any]]) -> dict[str, Resource]:
    """Return the resources of the rows of a table, by name."""
    known = ("name", "amount", "returns", "where", "rule", "sheet", "comes_with")
    return {row["name"]: Resource(**{key: row[key] for key in known if key in row}) for row in rows}


def prices(rows: Iterable[Mapping[str, Any]]) -> dict[str, Price]:
    """Return the prices of kinds of acts from the rows of a table, in which a cost is a word or a list of words."""
    found: dict[str, Price] = {}
    for row in rows:
        cost = row.get("cost", ())
        price = Price((cost,) if isinstance(cost, str) else tuple(cost), bool(row.get("entry")))
        found.setdefault(row.get("kind") or row["name"], price)
    return found


# ---------------------------------------------------------------- what a ruleset gives to spend


def as_its_row_says(_state: Any, one: Combatant, resource: Resource) -> Derived[int]:
    """Return how much a combatant has of a resource: the amount of its row, or what the sheet says in the field that the row names."""
    if resource.sheet:
        return Derived(getattr(one.sheet, resource.sheet), Because((), one.records(resource.sheet)))
    return Derived(resource.amount, Because((), (one.joined,)))


class Budget(Struct, frozen=True, kw_only=True):
    """What the combatants of a ruleset have to spend, besides what is counted on their sheets.

    `left` returns what a combatant has left of a thing, with the reason, or None where there is no such thing; without it that
    follows from the rows of the catalogue. `names` returns the things that a combatant has: by default those of the rows. `bare`
    returns what is left of each without reasons, where that is much less work. `whole` returns how much a combatant has of a
    resource of the rows when nothing of it is spent. `bars` returns why a combatant cannot spend now what it has left, or None; by
    default that is by whose turn it is, as the row says. `also` yields what may equally be stated to be left, where the facts leave it open. A thing in `own` has an address of its own, `<who>.major` for the major
    action, by which it is ruled.
    """

    left: Callable[[Any, Combatant, str], Derived[int] | None] | None = None
    names: Callable[[Any, Combatant], Iterable[str]] | None = None
    bare: Callable[[Any, Combatant], dict[str, Any]] | None = None
    whole: Callable[[Any, Combatant, Resource], Derived[int]] = as_its_row_says
    bars: Callable[[Any, Combatant, str], Because | None] | None = None
    also: Callable[[Any, str, str], Iterable[int]] = lambda *_: ()
    own: tuple[str, ...] = ()


# ---------------------------------------------------------------- spending


class Use(Struct, frozen=True, gc=False):
    """One use of something: the record, how much of it, and against whom, if anybody."""

    seq: int
    amount: int = 1
    against: str = ""


class Spending(Struct):
    """What was spent since it last returned, by what and by whom.

    `renewed` has the record with which each thing returned that had been used.
    """

    uses: dict[str, dict[str, list[Use]]] = {}
    renewed: dict[tuple[str, str], int] = {}


def spend(spending: Spending, who: str, what: str, seq: int, amount: int = 1, against: str = "") -> None:
    """Record that a combatant spends so much of something."""
    spending.uses.setdefault(what, {}).setdefault(who, []).append(Use(seq, amount, against))


def uses(spending: Spending, who: str, what: str) -> list[Use]:
    """Return a combatant's uses of something since it last returned."""
    return spending.uses.get(what, {}).get(who, [])


def spent(spending: Spending, who: str, what: str, against: str = "", but: Container[int] = ()) -> Derived[int]:
    """Return how much a combatant has spent of something since it last returned, citing these uses, or its return.

    With `against` only uses against that one count; records in `but` do not count.
    """
    counted = [each for each in uses(spending, who, what) if against in ("", each.against) and each.seq not in but]
    events = tuple(each.seq for each in counted)
    renewed = spending.renewed.get((who, what))
    return Derived(sum(each.amount for each in counted), Because((), events if renewed is None else (renewed, *events)))


def renew(spending: Spending, what: str, seq: int, who: str = "") -> None:
    """Let something return to one combatant, or to all."""
    own = spending.uses.get(what, {})
    for each in (who,) if who else tuple(own):
        spending.renewed.pop((each, what), None)
        if own.pop(each, None):
            spending.renewed[each, what] = seq


def give_back(spending: Spending, those: Iterable[Resource], boundary: Boundary) -> None:
    """Let those of these resources return that do so at a boundary: to its owner, or to all where it is of nobody."""
    for each in those:
        if RETURNS.get(each.returns) == boundary.kind:
            renew(spending, each.name, boundary.seq, boundary.who)


def left(spending: Spending, who: str, what: str, whole: Derived[int], but: Container[int] = ()) -> Derived[int]:
    """Return what a combatant has left of something: the whole minus what was spent since it last returned, at least 0."""
    gone = spent(spending, who, what, but=but)
    number = max(0, whole.value - gone.value)
    said = terms(number, ("allowed", whole.value), ("used", -gone.value))
    return Derived(number, Because((), (), {}, (whole, gone, *said)))
