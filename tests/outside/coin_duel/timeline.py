"""The views of a round: who has struck, who is still to strike, what is left."""

from typing import Any

from coin_duel.order import slots
from coin_duel.rounds import strike_is_taken
from coin_duel.state import CoinState, Strike
from projections.because import Because
from projections.state import Combatant, Entry, Slot
from projections.time import Point


def entries(state: CoinState) -> tuple[Entry, ...]:
    """Return the strikes of the round as they came, and then who is due, or lost the chance as the round ended."""
    waiting = [(slot, who) for slot in slots(state) for who in slot.combatants if not state.strike_of(who)]
    return (*map(_done, state.strikes), *(_waits(state, slot, who) for slot, who in waiting))


def _done(strike: Strike) -> Entry:
    return Entry(
        point=strike.point,
        combatant=strike.combatant,
        status="done",
        because=Because(strike_is_taken.rules, (strike.seq,)),
        action=strike.action.kind,
        name=strike.action.name,
        events=(strike.seq,),
        order=(strike.seq,),
    )


def _waits(state: CoinState, slot: Slot, who: str) -> Entry:
    now = state.clock.point.round
    return Entry(Point(now), who, "due" if state.clock.open or not now else "lost", slot.because, action="strike")


def budget(state: CoinState, one: Combatant) -> dict[str, Any]:
    """Return the strikes that somebody has left in this round."""
    return {"strikes": 0 if state.strike_of(one.id) else 1}


def concentration(_state: CoinState, one: Combatant) -> tuple[str, Because]:
    """Return nothing: nobody concentrates in this game, from the joining on."""
    return "", Because(("log.effect",), (one.joined,))


def casting(_state: CoinState, _one: Combatant) -> Entry | None:
    """Return nothing: there are no spells."""
    return None
