"""What a ruleset gives to spend, in addition to what its sheets count."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from projections.because import Because, Derived
from projections.fight import Combatant
from projections.mechanics.resources import Resource
from projections.open_types import Fields, RulesState


def amount_by_row(_state: object, one: Combatant, resource: Resource) -> Derived[int]:
    """Return how much a combatant has of a resource: the amount of its row, or of the field of the sheet that the row names."""
    if resource.sheet:
        return Derived(getattr(one.sheet, resource.sheet), Because((), one.records(resource.sheet)))
    return Derived(resource.amount, Because((), (one.joined,)))


class Budget(Struct, frozen=True, kw_only=True):
    """The things that the combatants of a ruleset can spend, in addition to those counted on their sheets."""

    left: Callable[[RulesState, Combatant, str], Derived[int] | None] | None = None
    """Return how much a combatant has left of a thing, None if there is no such thing; by default it follows from the rows of the catalogue."""
    names: Callable[[RulesState, Combatant], Iterable[str]] | None = None
    """Return the things that a combatant has; by default those of the rows."""
    bare: Callable[[RulesState, Combatant], Fields] | None = None
    """Return how much is left of each thing without reasons, where that is much less work."""
    whole: Callable[[RulesState, Combatant, Resource], Derived[int]] = amount_by_row
    """Return how much a combatant has of a resource before it spends any."""
    bars: Callable[[RulesState, Combatant, str], Because | None] | None = None
    """Return why a combatant cannot spend now what is left, or None; by default the row says in which turn it can."""
    also: Callable[[RulesState, str, str], Iterable[int]] = lambda *_: ()
    """Yield other amounts that may be stated, where the facts leave it open."""
    own: tuple[str, ...] = ()
    """The things with an address of their own, such as `<who>.major` for the major action; there they are ruled."""
