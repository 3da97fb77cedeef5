"""What Coin Duel keeps beside the common state: the coins thrown and the strikes of the round."""

from msgspec import Struct

from eventstore.shapes import Action
from projections.state import State
from projections.time import Point


class Throw(Struct, frozen=True, gc=False):
    """Is the coin that somebody threw: heads or tails, and the fact that says so."""

    heads: bool
    seq: int


class Strike(Struct, frozen=True, gc=False):
    """Is an act of the round as it was recorded."""

    seq: int
    combatant: str
    action: Action
    point: Point


class CoinState(State):
    """Adds what is thrown and struck in this round."""

    thrown: dict[str, Throw] = {}
    strikes: list[Strike] = []

    def strike_of(self, who: str) -> Strike | None:
        """Return the first strike of somebody in this round."""
        return next((strike for strike in self.strikes if strike.combatant == who), None)
