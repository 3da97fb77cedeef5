"""OSRIC without this or that: the place of the side for the archer's own, a threshold of 2 for everybody."""

from typing import Any

from eventstore.shapes import Action
from projections.occurrence import Occurrence
from projections.rulesets.osric import order, surprise
from projections.rulesets.osric.state import Order, OsricState
from projections.state import Combatant
from projections.time import Point
from tests.simpler import Simpler, constant


def _side_of(state: OsricState, one: Combatant, _action: Action | None = None) -> Order | None:
    return order.side_key(state, one.side)


def _own_of(state: OsricState, one: Combatant, action: Action | None, point: Point) -> Order:
    return order.own_key(state, one, action) or Order(point.round, point.segment)


def _lowest_other(state: OsricState, side: str) -> int | None:
    others = [rolled.face for other, rolled in state.dice.items() if other != side]
    return min(others) if others and side in state.dice else None


def _as_placed(_state: OsricState, told: Occurrence[Any]) -> Order:
    return Order(told.point.round, told.point.segment)


SIMPLER: Simpler = {
    "surprise.threshold": ("a threshold of 2 for everybody", constant(2)),
    "surprise.length": ("a length without the bonus", surprise.base),
    "order.highest_other": ("the lowest of the other sides' dice", _lowest_other),
    "order.own_key": ("the place of the side in the place of the archer's", _side_of),
    "order.act_key": ("the own segment in the place of the one held to", _own_of),
    "order.routines_due": ("the routines of the sheet, haste left out", lambda _, one: one.sheet.routines),
    "routines.takes_routine": ("charges that cost no routine", lambda action: action.kind == "attack"),
    "routines.interrupt_key": ("an interrupt in the place of any other act", _as_placed),
}
