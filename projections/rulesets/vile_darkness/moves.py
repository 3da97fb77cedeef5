"""The clock's move with a typed act: to its slot, if that is certain."""

from msgspec import structs

from eventstore.events import Fact
from projections.folds.moves import STILL, not_open, to_slot
from projections.occurrence import Occurrence
from projections.rulesets.vile_darkness.order import missing
from projections.rulesets.vile_darkness.place import slot_of
from projections.rulesets.vile_darkness.reading import Reading
from projections.rulesets.vile_darkness.state import VileAct, VileState
from projections.rulesets.vile_darkness.table import row_of
from projections.scheduling.schedule import ClockMove


def moves(state: VileState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to the slot of an act, unless the fact has a slot; an answer to another act has none of its own."""
    act = None if getattr(fact.event, "phase", None) else Reading(state, fact).act
    if act is None or act.trigger or row_of(state, act).slot == "trigger":
        return STILL
    if not state.clock.open:
        return not_open(state)
    slot = slot_of(state, structs.replace(act, slot="")).value
    if why := _doubt(state, act, slot):
        return ClockMove(stays=f"{why}; the name of the slot moves it")
    return to_slot(state, act.combatant, slot, [each.slot for each in state.round.acts.values()])


def _doubt(state: VileState, act: VileAct, slot: str) -> str:
    """Return why the slot of an act is uncertain; "" if it is certain."""
    who = act.combatant
    if is_anywhere(state, act) or _may_be_part(state, act):
        return f"{who} can do this in several slots"
    if who in state.round.waits and slot.startswith("L.") and slot != state.clock.phase:
        return f"{who} declared a delay, to {slot}"
    return "" if slot else next(iter(missing(state)), f"nothing says where {who} does this")


def _may_be_part(state: VileState, act: VileAct) -> bool:
    """Return whether a move may be part of an act of the present slot, such as a charge or a flight."""
    before = state.round.acts_of.get(act.combatant, ())
    return act.kind == "move" and any(each.slot == state.clock.phase for each in before)


def is_anywhere(state: VileState, act: VileAct) -> bool:
    """Return whether an act can be in several slots: a minor or an immediate action."""
    row = row_of(state, act)
    return bool(row.joined) or row.slot == "any"
