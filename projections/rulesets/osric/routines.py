"""Attack routines, and the key of any act."""

from eventstore.events import ActionHeld, ActionTaken
from eventstore.shapes import Action
from projections.occurrence import Occurrence
from projections.rulesets.osric.openings import CHARGE, fault_of, is_interrupt, opening_of
from projections.rulesets.osric.order import act_key, own_key, routines_due, side_key
from projections.rulesets.osric.state import BY_CHOICE, SEGMENTS, Act, Order, OsricState
from projections.rulesets.ruleset import derives
from projections.state import Combatant
from projections.time import Point

FREE = ("talk",)
"""Kinds of action that cost nothing and are never out of place."""
HOLD = "hold"
WAITING = (*FREE, HOLD)
"""Kinds of action that use up nothing, and that no dice or segment have to be there for."""


@derives("attack.one-routine", "attack.two-weapons-one-routine")
def takes_routine(action: Action) -> bool:
    """Say whether an action uses a routine: an attack, or a charge, whatever blows and weapons are in it."""
    return action.kind in ("attack", CHARGE)


def used(state: OsricState, who: str, point: Point) -> list[Act]:
    """Return the acts by which a combatant has used routines: in this round, or in this surprise segment.

    What somebody did while out of action uses none.
    """
    return [
        act
        for act in state.acts
        if act.combatant == who
        and act.routine
        and not act.extra
        and act.seq not in state.barred
        and act.key.round == point.round
        and (point.round or act.key.segment == point.segment)
    ]


def number_of(state: OsricState, fact: Occurrence[ActionTaken]) -> int:
    """Return the number of the routine that an act belongs to: as stated, that of its charge, else a new one.

    Blows out of turn that state none have numbers below 0, which no act states.
    """
    event = fact.event
    if not takes_routine(event.action):
        return 0
    if event.action.routine:
        return event.action.routine
    if is_interrupt(event.action):
        return -fact.seq
    before = [act for act in used(state, event.combatant, fact.point) if act.routine > 0]
    last = before[-1] if before else None
    if last and last.action.kind == CHARGE and event.action.kind == "attack" and _together(last, fact.point):
        return last.routine
    return max((act.routine for act in before), default=0) + 1


def _together(act: Act, point: Point) -> bool:
    return point.segment in (0, act.key.segment)


def is_new(state: OsricState, fact: Occurrence[ActionTaken], number: int) -> bool:
    """Say whether a routine has no part before this act."""
    return all(act.routine != number for act in used(state, fact.event.combatant, fact.point))


def count_used(state: OsricState, who: str, point: Point) -> int:
    """Return how many routines a combatant has used."""
    return len({act.routine for act in used(state, who, point)})


def allowed(state: OsricState, one: Combatant, point: Point) -> int:
    """Return how many routines a combatant may use: in the round, or in one surprise segment."""
    due = routines_due(state, one)
    return min(1, due) if point.round == 0 and state.option("surprise-routines") == "one" else due


@derives("attack.further-routine-waits")
def first_further_segment(state: OsricState, one: Combatant, action: Action | None = None) -> int:
    """Return the first segment of the round in which a combatant may use a further routine; 0 where nothing tells."""
    own = own_key(state, one, action)
    others = [key.segment for side in state.dice if side != one.side and (key := side_key(state, side))]
    if own is None or not others:
        return 0
    how = state.option("second-routine")
    after = max(others) + (0 if how == "same-segment-after" else 1)
    return max(own.segment, after, 7 if how == "segment-seven-on" else 0)


@derives("attack.further-routine-waits")
def key_of_act(state: OsricState, fact: Occurrence[ActionTaken]) -> Order:
    """Return the key of any act: of an interrupt that of its opening, of a further routine one by choice."""
    event, point = fact.event, fact.point
    one = state.combatants[event.combatant]
    if is_interrupt(event.action):
        return interrupt_key(state, fact)
    if point.round and event.segment is not None and not 1 <= event.segment <= SEGMENTS:
        return Order(point.round, event.segment)
    number = number_of(state, fact)
    if number and not is_new(state, fact, number):
        part_of = next(act for act in used(state, one.id, point) if act.routine == number)
        return part_of.key if _together(part_of, point) else Order(point.round, point.segment)
    if number and point.round and point.segment and count_used(state, one.id, point):
        waits = point.segment < first_further_segment(state, one, event.action)
        return Order(point.round, point.segment) if waits else Order(point.round, point.segment, band=BY_CHOICE)
    key = act_key(state, one, event.action, point)
    if event.action.kind in FREE and point.round and point.segment and key == Order(point.round, point.segment):
        return Order(point.round, point.segment, band=BY_CHOICE)
    return key


@derives("interrupt.out-of-turn")
def interrupt_key(state: OsricState, fact: Occurrence[ActionTaken]) -> Order:
    """Return the key of a blow out of turn: that of the act that opens it, ahead of it."""
    opening = opening_of(state, fact)
    if opening is None or fault_of(state, fact):
        return Order(fact.point.round, fact.point.segment)
    key, cut = opening.key, 1 if state.option("interrupt-order") == "at-once" else 0
    return Order(key.round, key.segment, key.band, key.lead, key.rank, cut)


@derives("segments.held-action")
def key_of_hold(state: OsricState, fact: Occurrence[ActionHeld]) -> Order:
    """Return the key of the moment at which somebody holds: its own place, if it is in that segment."""
    one, point = state.combatants[fact.event.combatant], fact.point
    if point.round == 0:
        return act_key(state, one, None, point)
    for action in (fact.event.action, Action(kind=HOLD)):
        own = own_key(state, one, action)
        if own and point.segment in (0, own.segment):
            return own
    return Order(point.round, point.segment)
