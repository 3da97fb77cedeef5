"""What can be broken: nobody strikes twice."""

from coin_duel.state import CoinState
from eventstore.events import ActionTaken
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import Breach, check


@check("strike.once-a-round", on=ActionTaken)
def strikes_once(state: CoinState, fact: Occurrence[ActionTaken]) -> Breach | None:
    before = state.strike_of(fact.event.combatant)
    if before is None:
        return None
    says = f"{fact.event.combatant} strikes twice in round {fact.point.round}"
    return Breach(says, "one strike a round", "a second one", (before.seq, fact.seq))
