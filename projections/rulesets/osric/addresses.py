"""Addresses of OSRIC's derived values: surprise, segments, routines due, seconds on the clock, initiative, casting."""

from projections.address import NOTHING, a_count, a_number, a_number_or_none
from projections.because import Because, Derived
from projections.folds.effects import may_be_none
from projections.folds.order import ORDER, read as read_order
from projections.folds.vitals import status_or_left
from projections.ruleset.ruleset import address_maker
from projections.rulesets.osric import order, surprise
from projections.rulesets.osric.order import key_of_side, key_without_shot, other_orders, routines_due
from projections.rulesets.osric.sheet import RULES
from projections.rulesets.osric.spells import casting_status, current_casting, due_key
from projections.rulesets.osric.state import Order, OsricState


def _order_with_reasons(state: OsricState) -> Derived[object]:
    found = read_order(state)
    out = [one.standing for one in state.here() if order.time_out(state, one.id)]
    out += [status_or_left(one) for one in state.combatants.values() if one.left]
    play = () if state.clock.round else (Derived(surprise.number_of_segments(state), surprise.play_reason(state)),)
    unplaced = tuple(key for side in state.sides if (key := key_of_side(state, side)).value is None)
    return Derived(found.value, Because(of=(found, *out, *play, *unplaced)))


def _winning_sides(state: OsricState) -> Derived[object]:
    """Return the side with the highest die of the round; all such sides if several dice are equal."""
    dice = state.round.dice
    highest = max((rolled.face for rolled in dice.values()), default=None)
    first = [side for side, rolled in dice.items() if rolled.face == highest]
    rolled_before = state.last is not None and state.last.dice
    none = (state.clock.round_event if rolled_before else 0) or 1
    events = tuple(seq for rolled in dice.values() for seq in rolled.events) or (none,)
    return Derived(first[0] if len(first) == 1 else first or NOTHING, Because(order.highest_other.rules, events))


def _segment_of_key(state: OsricState, key: Derived[Order | None]) -> Derived[object]:
    opened = Derived(state.clock.round, Because((), state.clock.events[:1]))
    return Derived(key.value.segment if key.value else NOTHING, Because(of=(key, opened)))


def _segments_surprised(state: OsricState, who: str) -> Derived[int]:
    one = state.combatants[who]
    dice = () if who in state.ruled_surprise else surprise.deciding_events(state, one.side)
    return Derived(surprise.segments_surprised(state, one), Because((), dice, (surprise.length_reason(state, one),)))


def _surprise_segments(state: OsricState) -> Derived[int]:
    found = surprise.number_of_segments(state)
    dice = [] if found else [seq for side in state.sides for seq in surprise.deciding_events(state, side)]
    return Derived(found, Because((), tuple(dice), (surprise.play_reason(state),)))


def _segment_of_effect(state: OsricState, who: str) -> Derived[object]:
    """Return the segment in which a spell takes effect; in another round as r2s3, in surprise as s2."""
    begun = current_casting(state, who)
    if begun is None:
        _, why = state.rules.concentration(state, state.combatants[who])
        return Derived(NOTHING, Because(due_key.rules, of=(why,)))
    due, how = due_key(state, begun), casting_status(state, begun)
    at, here = due.value.point, due.value.round == state.clock.point.round
    where = at.segment if here else f"r{at.round}s{at.segment}" if at.round else f"s{at.segment}"
    return Derived(where, Because(due_key.rules, of=(how,)))


def _sides_wanted(state: OsricState, value: object) -> str:
    named = value if isinstance(value, tuple) else (value,)
    sides = ", ".join(state.sides)
    return "" if value == NOTHING or (named and all(side in state.sides for side in named)) else f"one of {sides}"


def _other_segment(state: OsricState, who: str) -> list[int]:
    other = key_without_shot(state, state.combatants[who]).value
    return [other.segment] if other else []


described = address_maker(RULES)
ADDRESSES = (
    described(ORDER, _order_with_reasons, also=other_orders),
    described("seconds", surprise.seconds_elapsed),
    described("initiative", _winning_sides, wants=_sides_wanted),
    described("surprise.length", _surprise_segments, wants=a_count),
    described("<who>.surprise", _segments_surprised, wants=a_number_or_none, rule=surprise.set_surprise),
    described("<side>.surprise", surprise.segments_of_side, wants=a_number_or_none, rule=surprise.set_surprise),
    described(
        "<who>.segment",
        lambda s, who: _segment_of_key(s, order.shown_key(s, s.combatants[who])),
        wants=a_number,
        also=_other_segment,
    ),
    described("<side>.segment", lambda s, side: _segment_of_key(s, key_of_side(s, side)), wants=a_number),
    described(
        "<who>.routines", lambda s, who: routines_due(s, s.combatants[who]), wants=a_number, rule=order.set_routines
    ),
    described("<who>.casting.due", _segment_of_effect, also=may_be_none),
)
