"""What else can be stated here: lengths of surprise, own segments, routines due, seconds on the clock, who goes first."""

from typing import Any

from projections.because import Because
from projections.rulesets.osric.acts import blows_of_the_fallen_count
from projections.rulesets.osric.casting import due_key
from projections.rulesets.osric.order import highest_other, order_because, own_key, routines_due, side_key
from projections.rulesets.osric.state import OsricState
from projections.rulesets.osric.surprise import because_length, length, length_of_play, seconds, side_length
from projections.rulesets.osric.vitals import pools
from projections.state import Combatant

Value = tuple[Any, Because]


def value(state: OsricState, address: str) -> Value | None:
    """Return the value at `seconds`, `initiative`, `surprise.length`, or at a field of a combatant or side.

    Those of either are `surprise` and `segment`, those of a combatant `routines`, `casting.due` and `hp`.
    """
    if address == "seconds":
        rounds, segments = seconds.rules
        within = state.clock.open and seconds(state) % 60
        rules = (segments, rounds) if within else seconds.rules
        return seconds(state), Because(rules, state.clock.events or (1,))
    if address == "surprise.length":
        reasons = (because_length(state, one) for one in state.combatants.values())
        return length_of_play(state), sum(reasons, Because(length_of_play.rules, (1,)))
    if address == "initiative":
        return _initiative(state)
    who, _, field = address.partition(".")
    one = state.combatants.get(who)
    if field == "segment" and (one or who in state.sides):
        return _segment(state, who, one)
    if field == "surprise" and one is None and who in state.sides:
        members = [because_length(state, each) for each in state.here() if each.side == who]
        return side_length(state, who), sum(members, Because((), (1,)))
    return _of_combatant(state, one, field) if one else None


def _initiative(state: OsricState) -> Value:
    """Return the side with the highest die of the round; all of them where several are level."""
    highest = max((rolled.face for rolled in state.dice.values()), default=None)
    first = [side for side, rolled in state.dice.items() if rolled.face == highest]
    events = tuple(rolled.seq for rolled in state.dice.values()) or state.clock.events or (1,)
    return (first[0] if len(first) == 1 else first or "none"), Because(highest_other.rules, events)


def _segment(state: OsricState, who: str, one: Combatant | None) -> Value:
    key = own_key(state, one) if one else side_key(state, who)
    members = [one] if one else [each for each in state.here() if each.side == who and not each.sheet.missile_bonus]
    return (key.segment if key else "none"), order_because(state, members) + Because((), state.clock.events or (1,))


def _of_combatant(state: OsricState, one: Combatant, field: str) -> Value | None:
    if field == "surprise":
        return length(state, one), because_length(state, one)
    if field == "routines":
        ruled = state.ruled_routines.get(one.id)
        return routines_due(state, one), Because(routines_due.rules, (one.joined, *(ruled or ())[1:]))
    if field == "casting.due":
        return _due(state, one)
    if field == "hp" and one.hp is not None and one.pools["hp"].changes[-1].seq == state.survived.get(one.id):
        tie, surprise = blows_of_the_fallen_count.rules
        rules = (tie if state.clock.point.round else surprise, *pools.rules)
        return one.hp, Because(rules, (), {}, (one.pools["hp"].since(),))
    return None


def _due(state: OsricState, one: Combatant) -> Value:
    """Return the segment in which a spell takes effect; of another round as r2s3, of surprise as s2."""
    begun = next((each for each in state.castings if each.combatant == one.id and each.status == "begun"), None)
    if begun is None:
        return "none", Because(due_key.rules, (one.joined,))
    due, because = begun.due, Because(due_key.rules) + begun.because
    if due.round == state.clock.point.round:
        return due.segment, because
    return (f"r{due.round}s{due.segment}" if due.round else f"s{due.segment}"), because
