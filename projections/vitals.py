"""Hit points, temporary points and non-lethal damage. The ruleset says what a blow takes and what a status means."""

from eventstore.events import DamageDealt, Healed
from projections.rulesets.ruleset import derives
from projections.state import NO_LOSS, State, Told


@derives(on=(DamageDealt, Healed))
def pools_change(state: State, told: Told[DamageDealt] | Told[Healed]) -> None:
    """Take from the pools, or give back, what the ruleset says, and look again how the combatant stands."""
    event = told.event
    state.loss = NO_LOSS
    if isinstance(event, DamageDealt) and event.object:
        return
    one = state.combatants[event.target]
    state.loss = loss = state.rules.loss(state, one, event)
    if one.hp is not None:
        one.hp -= loss.hp
    one.temp -= loss.temp
    one.nld -= loss.nld
    (one.nld_events if loss.nld or event.nonlethal else one.hp_events).append(told.seq)
    stands(state, told.event.target)


def stands(state: State, who: str) -> None:
    """Derive a combatant's status anew; the GM's word stands above it."""
    one = state.combatants[who]
    if not one.ruled_status:
        one.status, one.status_because = state.rules.status(state, one)
