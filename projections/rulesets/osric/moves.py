"""The clock's move with a typed fact: to the segment of an act, or to that in which a spell's effect is due."""

from eventstore.events import ActionTaken, EffectStarted, Fact
from projections.folds.moves import STILL, not_open, to_segment
from projections.occurrence import Occurrence
from projections.rulesets.osric.dice import missing
from projections.rulesets.osric.interrupts import is_interrupt
from projections.rulesets.osric.keys import own_key
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.routines import first_further_segment, is_new
from projections.rulesets.osric.spells import due_key
from projections.rulesets.osric.state import OsricState
from projections.rulesets.osric.surprise import free, length_of_play
from projections.scheduling.schedule import ClockMove


def moves(state: OsricState, fact: Occurrence[Fact]) -> ClockMove:
    """Return the move to the segment of an act or effect, unless the fact has a segment."""
    if fact.event.segment is not None if isinstance(fact.event, ActionTaken | EffectStarted) else True:
        return STILL
    reading = Reading(state, fact)
    if isinstance(fact.event, EffectStarted):
        return _with_effect(state, reading)
    return _with_act(state, reading)


def _with_effect(state: OsricState, fact: Reading) -> ClockMove:
    """Return the move to the segment in which a spell is due in the present round."""
    if fact.casting is None or not state.clock.open:
        return STILL
    due, name = due_key(state, fact.casting).value, fact.casting.name
    if not fact.casting.key.segment:
        return ClockMove(stays=f"nothing says in which segment {name} was begun; seg moves it")
    if due.round == state.clock.round:
        return to_segment(state, name, due.segment, _reached(state))
    return ClockMove(stays=f"{name} is due in segment {due.segment} of round {due.round}")


def _with_act(state: OsricState, fact: Reading) -> ClockMove:
    """Return the move to the segment of an act; a blow out of turn has none of its own."""
    if is_interrupt(fact.action) or fact.event.trigger is not None:
        return STILL
    if not state.clock.open:
        return not_open(state) if state.clock.round else _in_surprise(state, fact)
    if fact.waits:
        return ClockMove(stays=f"{fact.who} can do this in any segment; seg moves it")
    if fact.used and is_new(fact):
        first = max(1, first_further_segment(state, fact.one, fact.action))
        return ClockMove(stays=f"{fact.who} can act again from segment {first} on; seg moves it")
    return _to_own(state, fact)


def _to_own(state: OsricState, fact: Reading) -> ClockMove:
    """Return the move to a combatant's own segment; one that holds may act in a later one, so the clock stays."""
    own, lacks, who = own_key(state, fact.one, fact.action).value, missing(state), fact.who
    if own is None:
        return ClockMove(stays=f"{lacks[0] if lacks else f'nothing says in which segment {who} acts'}; seg moves it")
    if who in state.round.held and state.clock.point.segment < own.segment:
        return ClockMove(stays=f"{who} holds, and can act from segment {own.segment} on; seg moves it")
    return to_segment(state, who, own.segment, _reached(state))


def _reached(state: OsricState) -> int:
    """Return the lowest segment to which the clock may move: the highest of a row, or the one to which it was set back."""
    reached: int = state.round.back or state.round.highest
    return reached


def _in_surprise(state: OsricState, fact: Reading) -> ClockMove:
    """Return no move in surprise, where a combatant may act in any segment in which it is free."""
    last = length_of_play(state)
    if not last or (state.clock.point.segment == last and free(state, fact.one, last)):
        return STILL
    return ClockMove(stays=f"{fact.who} can act in several segments of surprise; seg {last} surprise=yes moves it")
