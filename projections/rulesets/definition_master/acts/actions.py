"""What can be broken by the price at which an act is recorded."""

from eventstore.events import ActionTaken
from projections.rulesets.definition_master.acts.pricing import (
    BELT,
    FREE,
    IMMEDIATE,
    MOVE,
    STANDARD,
    SWIFT,
    entry_of,
    has_belt,
    own_cost,
)
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.ruleset import Breach, Check, check

Acts = Reading[ActionTaken]


def price(act: Acts, rule: str, kinds: tuple[str, ...], costs: tuple[str, ...]) -> Breach | None:
    """Return the breach of an act of these kinds at another price than one of these, or what its entry says."""
    told = act.act
    if told is None or told.kind not in kinds or told.cost in (*costs, *IMMEDIATE) or act.is_granted(rule):
        return None
    if told.cost == SWIFT and told.kind != "drink":
        return None
    entry = entry_of(act.one, act.event.action)
    if (entry and entry.cost and own_cost(act.state, act.one, act.event.action) == told.cost) or _in_charge(act):
        return None
    return Breach(f"{told.kind} costs a {costs[0]} action", costs[0], told.cost)


def _in_charge(act: Acts) -> bool:
    """Say whether this is a swift action of a charge, which has its own rule."""
    full = act.budget.full
    return bool(act.act and act.act.cost == SWIFT and full and full.kind == "charge")


def _priced(rule: str, kinds: tuple[str, ...], *costs: str, cheap: bool = False) -> Check[[MasterState, Acts]]:
    """Return the check that acts of these kinds cost this; `cheap`: only what costs too little is reported."""

    def it_has_its_price(_state: MasterState, act: Acts) -> Breach | None:
        fits = not cheap or (act.act is not None and act.act.cost in (FREE, MOVE))
        return price(act, rule, kinds, costs) if fits else None

    it_has_its_price.__name__ = f"prices by {rule}"
    return check(rule, on=ActionTaken)(it_has_its_price)


FETCHING = _priced("move-action.fetch-item", ("fetch-item",), MOVE, STANDARD)
DRAWING = _priced("move-action.draw-weapon", ("draw",), MOVE, STANDARD, FREE)
STANDING = _priced("move-action.stand-or-drop", ("stand-up", "drop-prone"), MOVE, STANDARD)
USING = _priced("standard.use-activated", ("use-item",), STANDARD)
CASTING = _priced("casting.standard-provokes", ("cast",), STANDARD, cheap=True)
ABILITIES = _priced("standard.whole-slot", ("ability", "cast"), STANDARD, cheap=True)
COMMANDS = _priced("free.command-item", ("command-item",), FREE)
KNOWING = _priced("free.knowledge", ("knowledge",), FREE)
AT_HAND = _priced("free.simple-retrieval", ("belt-item",), FREE)


@check("move-action.motion-item", on=ActionTaken)
def motion_costs_a_move_action(_state: MasterState, act: Acts) -> Breach | None:
    """Report an item in motion at another price; at that of the standard action while the move action is kept."""
    kept = act.budget.move > 0 and act.act is not None and act.act.own > 0
    return price(act, "move-action.motion-item", ("motion-item",), (MOVE,) if kept else (MOVE, STANDARD))


@check("move-action.potion", on=ActionTaken)
def a_potion_costs_a_move_action(_state: MasterState, act: Acts) -> Breach | None:
    """Report a potion at another price, and a belt that its drinker has not: with a potion belt it is swift."""
    belt, named = has_belt(act.one), (act.event.action.granted_by or "").casefold() == BELT
    if act.act and act.act.kind == "drink" and named and not belt:
        return Breach(f"{act.one.id} has no potion belt", "no belt", BELT, (act.one.joined,))
    if act.act and act.act.cost == SWIFT and belt:
        return None
    return price(act, "move-action.potion", ("drink",), (MOVE, STANDARD))


@check("swift.only-from-entries", on=ActionTaken)
def only_entries_make_something_swift(state: MasterState, act: Acts) -> Breach | None:
    """Report a swift action that no entry makes one; potions and charges have their own rules."""
    told = act.act
    if told is None or told.cost != SWIFT or told.kind == "drink" or _in_charge(act):
        return None
    if act.is_granted("swift.only-from-entries") or own_cost(state, act.one, act.event.action) == SWIFT:
        return None
    return Breach(f"no entry of {told.who} makes {told.action.name or told.kind} swift", "an entry", "none")
