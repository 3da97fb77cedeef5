"""What else can be stated here: lengths of surprise, own segments, routines due, seconds on the clock, who goes first."""

from typing import Any

from projections.address import NOTHING, Address, a_count, a_number, a_number_or_none
from projections.because import Because, Derived
from projections.folds.order import ADDRESSES as ORDER
from projections.folds.order import read as read_order
from projections.rulesets.osric.order import (
    fallen,
    highest_other,
    other_key,
    other_orders,
    routines_due,
    set_routines,
    shown_key,
    side_key,
)
from projections.rulesets.osric.spells import due_key, status, under_way
from projections.rulesets.osric.state import Order, OsricState
from projections.rulesets.osric.surprise import (
    because_length,
    because_play,
    length,
    length_of_play,
    seconds,
    set_surprise,
    side_length,
)


def _order(state: OsricState) -> Derived[Any]:
    """Return the order, because of those who are in it, and of what keeps others out."""
    order = read_order(state)
    out = tuple(one.standing for one in state.here() if fallen(state, one.id))
    play = () if state.clock.round else (because_play(state),)
    return Derived(order.value, Because(of=(order, *out, *play)))


def _initiative(state: OsricState) -> Derived[Any]:
    """Return the side with the highest die of the round; all of them where several are level."""
    dice = state.round.dice
    highest = max((rolled.face for rolled in dice.values()), default=None)
    first = [side for side, rolled in dice.items() if rolled.face == highest]
    events = tuple(rolled.seq for rolled in dice.values()) or state.clock.events or (1,)
    return Derived(first[0] if len(first) == 1 else first or NOTHING, Because(highest_other.rules, events))


def _segment(state: OsricState, key: Derived[Order | None]) -> Derived[Any]:
    because = Because((), state.clock.events[:1], {}, (key,))
    return Derived(key.value.segment if key.value else NOTHING, because)


def _surprise(state: OsricState, who: str) -> Derived[int]:
    one = state.combatants[who]
    return Derived(length(state, one), because_length(state, one))


def _due(state: OsricState, who: str) -> Derived[Any]:
    """Return the segment in which a spell takes effect; of another round as r2s3, of surprise as s2."""
    begun = under_way(state, who)
    if begun is None:
        _, why = state.rules.concentration(state, state.combatants[who])
        return Derived(NOTHING, Because(due_key.rules, of=(why,)))
    due, how = due_key(state, begun), status(state, begun)
    if due.value.round == state.clock.point.round:
        return Derived(due.value.segment, Because(due_key.rules, of=(how,)))
    where = f"r{due.value.round}s{due.value.segment}" if due.value.round else f"s{due.value.segment}"
    return Derived(where, Because(due_key.rules, of=(how,)))


def _wants_side(state: OsricState, value: Any) -> str:
    named = value if isinstance(value, tuple) else (value,)
    sides = ", ".join(state.sides)
    return "" if value == NOTHING or (named and all(side in state.sides for side in named)) else f"one of {sides}"


def _else(state: OsricState, who: str) -> list[int]:
    other = other_key(state, state.combatants[who]).value
    return [other.segment] if other else []


_ORDER = ORDER[0]
ADDRESSES = (
    Address("order", _order, wants=_ORDER.wants, rule=_ORDER.rule, says=_ORDER.says, ordered=True, also=other_orders),
    Address(
        "seconds",
        seconds,
        says="the seconds since round 1 began",
        fixed="it follows from the round and the segment, which can be ruled",
    ),
    Address("initiative", _initiative, says="the side with the highest die", wants=_wants_side, until="round"),
    Address(
        "surprise.length",
        lambda state: Derived(length_of_play(state), because_play(state)),
        says="the number of surprise segments",
        wants=a_count,
    ),
    Address(
        "<who>.surprise",
        _surprise,
        says="for how many segments somebody is surprised",
        wants=a_number_or_none,
        rule=set_surprise,
    ),
    Address(
        "<side>.surprise",
        side_length,
        says="for how many segments the die surprises a side",
        wants=a_number_or_none,
        rule=set_surprise,
    ),
    Address(
        "<who>.segment",
        lambda state, who: _segment(state, shown_key(state, state.combatants[who])),
        says="the own segment of the round",
        wants=a_number,
        until="round",
        also=_else,
    ),
    Address(
        "<side>.segment",
        lambda state, side: _segment(state, side_key(state, side)),
        says="the segment of a side by the dice",
        wants=a_number,
        until="round",
    ),
    Address(
        "<who>.routines",
        lambda state, who: routines_due(state, state.combatants[who]),
        says="the attack routines of a round",
        wants=a_number,
        rule=set_routines,
    ),
    Address(
        "<who>.casting.due",
        _due,
        says="the segment in which a spell takes effect",
        fixed="a ruling on <who>.casting ends the casting",
    ),
)
