"""What else can be stated here: lengths of surprise, own segments, routines due, seconds on the clock."""

from typing import Any

from projections.rulesets.osric.order import order_because, own_key, routines_due, side_key
from projections.rulesets.osric.state import OsricState
from projections.rulesets.osric.surprise import because_length, length, length_of_play, seconds
from projections.state import Because, Combatant

Value = tuple[Any, Because]


def value(state: OsricState, address: str) -> Value | None:
    """Return the value at `seconds`, `surprise.length`, `<id>.surprise`, `<id or side>.segment` or `<id>.routines`."""
    if address == "seconds":
        return seconds(state), Because(seconds.rules, state.clock.events or (1,))
    if address == "surprise.length":
        reasons = (because_length(state, one) for one in state.combatants.values())
        return length_of_play(state), sum(reasons, Because(length_of_play.rules, (1,)))
    who, _, field = address.partition(".")
    one = state.combatants.get(who)
    if field == "segment" and (one or who in state.sides):
        return _segment(state, who, one)
    return _of_combatant(state, one, field) if one else None


def _segment(state: OsricState, who: str, one: Combatant | None) -> Value:
    key = own_key(state, one) if one else side_key(state, who)
    members = [one] if one else [each for each in state.here() if each.side == who]
    return (key.segment if key else "none"), order_because(state, members) + Because((), state.clock.events or (1,))


def _of_combatant(state: OsricState, one: Combatant, field: str) -> Value | None:
    if field == "surprise":
        return length(state, one), because_length(state, one)
    if field == "routines":
        return routines_due(state, one), Because(routines_due.rules, (one.joined,))
    return None
