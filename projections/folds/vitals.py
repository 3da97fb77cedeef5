"""Hit points, temporary points and non-lethal damage. The ruleset says what a blow takes and what a status means."""

from eventstore.events import DamageDealt, Healed
from eventstore.shapes import LARGEST
from projections.rulesets.ruleset import derives
from projections.state import NO_LOSS, Combatant, Occurrence, State


@derives(on=(DamageDealt, Healed))
def pools_change(state: State, fact: Occurrence[DamageDealt] | Occurrence[Healed]) -> None:
    """Take from the pools, or give back, what the ruleset says, and look again how the combatant stands."""
    event = fact.event
    state.loss = NO_LOSS
    if isinstance(event, DamageDealt) and event.object:
        return
    one = state.combatants[event.target]
    state.loss = loss = state.rules.loss(state, one, event)
    if one.hp is not None:
        one.hp = within(one.hp - loss.hp)
    if loss.temp:
        one.temp = within(one.temp - loss.temp)
    if loss.nld or event.nonlethal:
        one.nld = within(one.nld - loss.nld)
        one.nld_events.append(fact.seq)
    if loss.hp or loss.temp or not event.nonlethal:
        one.hp_events.append(fact.seq)
    stands(state, one)


def within(points: int) -> int:
    """Return a number of points, stopped at what a log can hold."""
    if -LARGEST <= points <= LARGEST:
        return points
    return LARGEST if points > 0 else -LARGEST


def stands(state: State, one: Combatant) -> None:
    """Derive a combatant's status anew; the GM's word stands above it."""
    if not one.ruled_status:
        one.status, one.status_because = state.rules.status(state, one)
