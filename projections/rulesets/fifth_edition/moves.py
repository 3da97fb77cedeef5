"""How the clock moves with a typed act: to the turn of its combatant, if it is paid there and comes next."""

from __future__ import annotations

from eventstore.events import ActionHeld, ActionTaken, Fact, Moved, SaveRolled, TurnEnded, TurnStarted
from projections.folds.moves import STILL, in_any_turn, in_its_round, opening, to_turn
from projections.occurrence import Occurrence
from projections.rulesets.fifth_edition.acts.deeds import OUT_OF_TURN, REACTIONS, price_of
from projections.rulesets.fifth_edition.state import FifthState
from projections.scheduling.schedule import ClockMove

FREE = ("talk", "drop", "release")
"""The kinds of acts that cost nothing, and may be in any turn."""
PAID_IN_TURN = (None, "movement", "action", "bonus")
"""The costs of moves in the own turn; a move without one is paid with movement."""


def moves(state: FifthState, fact: Occurrence[Fact]) -> ClockMove:
    """Begin the turn of a combatant that acts or makes a death save, and a recorded round with its first turn; a reaction is in any turn."""
    event = fact.event
    if isinstance(event, TurnStarted):
        return ClockMove(opening(state, event.combatant)) if state.rounds_recorded else STILL
    who = getattr(event, "combatant", "")
    if state.has_turn(who) or not is_of_a_turn(state, event):
        return STILL
    if isinstance(event, ActionTaken) and event.action.kind.casefold() in FREE:
        return in_any_turn(state, who)
    move = to_turn(state, who)
    return in_its_round(state, move) if state.rounds_recorded else move


def is_of_a_turn(state: FifthState, event: Fact) -> bool:
    """Say whether a fact belongs to the turn of its combatant."""
    if not state.rules.schedule.names(state) and not state.clock.turn_event:
        return False  # a fight without turns
    match event:
        case ActionTaken(trigger=None):
            return price_of(state, state.combatants[event.combatant], event)[0] not in (*REACTIONS, *OUT_OF_TURN)
        case SaveRolled(purpose="death") | ActionHeld() | TurnEnded():
            return True
        case Moved(forced=None | False, cause=None):
            return event.cost in PAID_IN_TURN
    return False
