"""The views of a round: who has struck, who is still to strike, what is left."""

from coin_duel.order import slots
from coin_duel.rounds import strike_is_taken
from coin_duel.state import CoinState, Strike
from projections.because import Because, Derived
from projections.fight import Combatant, Slot, TimelineRow
from projections.time import Point


def entries(state: CoinState) -> tuple[TimelineRow, ...]:
    """Return the strikes of the round as they came, and then who is due, or lost the chance as the round ended."""
    waiting = [(slot, who) for slot in slots(state) for who in slot.combatants if not state.strike_of(who)]
    return (*map(_done, state.strikes), *(_waits(state, slot, who) for slot, who in waiting))


def _done(strike: Strike) -> TimelineRow:
    return TimelineRow(
        point=strike.point,
        combatant=strike.combatant,
        status="done",
        because=Because(strike_is_taken.rules, (strike.seq,)),
        action=strike.action.kind,
        name=strike.action.name,
        events=(strike.seq,),
        order=(strike.seq,),
    )


def _waits(state: CoinState, slot: Slot, who: str) -> TimelineRow:
    now = state.clock.point.round
    return TimelineRow(Point(now), who, "due" if state.clock.open or not now else "lost", slot.because, action="strike")


def strikes_left(state: CoinState, one: Combatant, _what: str) -> Derived[int]:
    """Return the strikes that somebody has left in this round."""
    strike = state.strike_of(one.id)
    because = Because(("strike.once-a-round",), (strike.seq,) if strike else (one.joined,))
    return Derived(0 if strike else 1, because)
