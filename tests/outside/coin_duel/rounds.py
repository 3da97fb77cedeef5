"""The round: one coin and one strike for everybody, and both anew in the next."""

from coin_duel.state import CoinState, Strike
from eventstore.events import ActionTaken, RoundStarted
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives


@derives("order.heads-first", "strike.once-a-round", on=RoundStarted)
def round_begins(state: CoinState, _fact: Occurrence[RoundStarted]) -> None:
    """Take the coins off the table, and give everybody the strike back."""
    state.thrown.clear()
    state.strikes.clear()


@derives("strike.once-a-round", on=ActionTaken)
def strike_is_taken(state: CoinState, fact: Occurrence[ActionTaken]) -> None:
    """Keep an act of the round."""
    state.strikes.append(Strike(fact.seq, fact.event.combatant, fact.event.action, fact.point))
