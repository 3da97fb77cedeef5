"""OSRIC without this or that: the place of the side for the archer's own, a threshold of 2 for everybody."""

from encounterlog_rulelab.unnoticed import Simpler, constant
from eventstore.events import Fact
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.rulesets.osric import order, surprise
from projections.rulesets.osric.reading import Reading
from projections.rulesets.osric.state import Order, OsricState


def _side_of(
    state: OsricState, one: Combatant, _action: Action | None, _side: Derived[Order | None] | None = None
) -> Derived[Order | None]:
    return order.key_of_side(state, one.side)


def _own_of(state: OsricState, fact: Reading[Fact]) -> Derived[Order]:
    own = order.own_key(state, fact.one, fact.action)
    return Derived(own.value or _as_placed(state, fact).value, own.because)


def _lowest_other(state: OsricState, side: str) -> int | None:
    others = [rolled.face for other, rolled in state.round.dice.items() if other != side]
    return min(others) if others and side in state.round.dice else None


def _as_placed(_state: OsricState, fact: Reading[Fact]) -> Derived[Order]:
    return Derived(Order(fact.point.round, fact.point.segment), Because())


SIMPLER: Simpler = {
    "surprise.surprise_threshold": ("a threshold of 2 for everybody", constant(2)),
    "surprise.segments_surprised": ("a length without the bonus", surprise.segments_by_die),
    "order.highest_other": ("the lowest of the other sides' dice", _lowest_other),
    "order.own_key": ("the place of the side in the place of the archer's", _side_of),
    "routines.act_key": ("the own segment in the place of the one held to", _own_of),
    "order.routines_due": (
        "the routines of the sheet, haste left out",
        lambda _, one: Derived(one.sheet.routines, Because()),
    ),
    "routines.takes_routine": ("charges that cost no routine", lambda kind: kind == "attack"),
    "routines.interrupt_key": ("an interrupt in the place of any other act", _as_placed),
}
