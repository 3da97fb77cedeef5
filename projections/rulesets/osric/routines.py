"""Attack routines, and openings for blows out of turn."""

from eventstore.events import ActionDeclared, ActionTaken, ConditionGained, ConditionLost
from eventstore.shapes import Action
from projections.rulesets.osric.order import act_key, own_key, routines_due, side_key
from projections.rulesets.osric.state import BY_CHOICE, Act, Order, OsricState
from projections.rulesets.ruleset import derives
from projections.state import Combatant, Told
from projections.time import Point

SPEAR = "spear set"
INTERRUPT = "interrupt"
FREE = ("talk",)
"""Kinds of action that cost nothing and are never out of place."""


def is_interrupt(action: Action) -> bool:
    """Say whether an action is a blow out of turn."""
    return action.cost == INTERRUPT


@derives("attack.one-routine", "attack.two-weapons-one-routine")
def takes_routine(action: Action) -> bool:
    """Say whether an action uses a routine: an attack, or a charge, whatever blows and weapons are in it."""
    return action.kind in ("attack", "charge")


def used(state: OsricState, who: str, point: Point) -> list[Act]:
    """Return the acts by which a combatant has used routines: in this round, or in this surprise segment."""
    return [
        act
        for act in state.acts
        if act.combatant == who
        and act.routine
        and not act.extra
        and act.key.round == point.round
        and (point.round or act.key.segment == point.segment)
    ]


def number_of(state: OsricState, told: Told[ActionTaken]) -> int:
    """Return the number of the routine that an act belongs to: as stated, that of its charge, else a new one."""
    event = told.event
    if not takes_routine(event.action):
        return 0
    if event.action.routine is not None:
        return event.action.routine
    before = used(state, event.combatant, told.point)
    last = before[-1] if before else None
    if (
        last
        and last.action.kind == "charge"
        and last.key.segment == told.point.segment
        and event.action.kind == "attack"
    ):
        return last.routine
    return max((act.routine for act in before), default=0) + 1


def is_new(state: OsricState, told: Told[ActionTaken], number: int) -> bool:
    """Say whether a routine has no part before this act."""
    return all(act.routine != number for act in used(state, told.event.combatant, told.point))


def count_used(state: OsricState, who: str, point: Point) -> int:
    """Return how many routines a combatant has used."""
    return len({act.routine for act in used(state, who, point)})


def allowed(state: OsricState, one: Combatant, point: Point) -> int:
    """Return how many routines a combatant may use: in the round, or in one surprise segment."""
    if point.round == 0 and state.option("surprise-routines") == "one":
        return 1
    return routines_due(state, one)


@derives("attack.further-routine-waits")
def first_further_segment(state: OsricState, one: Combatant) -> int:
    """Return the first segment of the round in which a combatant may use a further routine; 0 where nothing tells."""
    own = own_key(state, one)
    others = [key.segment for side in state.dice if side != one.side and (key := side_key(state, side))]
    if own is None or not others:
        return 0
    how = state.option("second-routine")
    after = max(others) + (0 if how == "same-segment-after" else 1)
    return max(own.segment, after, 7 if how == "segment-seven-on" else 0)


@derives("attack.further-routine-waits", "initiative.tie-damage-stands")
def key_of_act(state: OsricState, told: Told[ActionTaken]) -> Order:
    """Return the key of any act: of an interrupt that of its opening, of a further routine one by choice."""
    event, point = told.event, told.point
    one = state.combatants[event.combatant]
    if is_interrupt(event.action):
        return interrupt_key(state, told)
    number = number_of(state, told)
    further = number and is_new(state, told, number) and count_used(state, one.id, point) > 0
    if further and point.round and point.segment:
        waits = point.segment < first_further_segment(state, one)
        return Order(point.round, point.segment) if waits else Order(point.round, point.segment, band=BY_CHOICE)
    if number and not is_new(state, told, number):
        part_of = next(act for act in used(state, one.id, point) if act.routine == number)
        return part_of.key if part_of.key.segment == point.segment else Order(point.round, point.segment)
    return act_key(state, one, event.action, point)


@derives("interrupt.out-of-turn")
def interrupt_key(state: OsricState, told: Told[ActionTaken]) -> Order:
    """Return the key of a blow out of turn: that of the act that opens it, ahead of it."""
    opening = state.keys.get(told.event.trigger or 0)
    if opening is None or opening.segment != told.point.segment or opening.round != told.point.round:
        return Order(told.point.round, told.point.segment)
    cut = 1 if state.option("interrupt-order") == "at-once" else 0
    return Order(opening.round, opening.segment, opening.band, opening.lead, opening.rank, cut)


def opening_of(state: OsricState, told: Told[ActionTaken]) -> Act | None:
    """Return the act that a blow out of turn answers, if it names one of this round."""
    return next((act for act in state.acts if act.seq == told.event.trigger), None)


@derives("interrupt.fleeing-attack", "interrupt.set-spears")
def is_extra(state: OsricState, told: Told[ActionTaken]) -> bool:
    """Say whether a blow out of turn leaves the routines of the round alone."""
    cost = state.option("interrupt-cost")
    opening = opening_of(state, told)
    fleeing = opening is not None and opening.action.kind == "flee"
    return is_interrupt(told.event.action) and (cost == "all-free" or (cost == "flee-free" and fleeing))


@derives("interrupt.set-spears", on=(ActionDeclared, ActionTaken))
def spear_is_set_or_moved(state: OsricState, told: Told[ActionDeclared] | Told[ActionTaken]) -> None:
    """Keep who has set a spear, until the holder moves."""
    who, kind = told.event.combatant, told.event.action.kind
    if who and kind == "set-spear":
        state.spears.setdefault(who, told.seq)
    elif who and kind in ("move", "flee", "charge") and isinstance(told.event, ActionTaken):
        state.spears.pop(who, None)


@derives("interrupt.set-spears", on=(ConditionGained, ConditionLost))
def spear_is_a_condition(state: OsricState, told: Told[ConditionGained] | Told[ConditionLost]) -> None:
    """Take the condition for a spear that is set."""
    if told.event.condition.casefold() != SPEAR:
        return
    for who in told.event.targets:
        if isinstance(told.event, ConditionGained):
            state.spears.setdefault(who, told.seq)
        else:
            state.spears.pop(who, None)
