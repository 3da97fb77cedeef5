"""The additional state of plain bookkeeping: initiative totals, turns, and the acts of the round."""

from msgspec import Struct

from projections.mechanics.acts import Act
from projections.state import Round, State


class Total(Struct, frozen=True, gc=False):
    """A recorded initiative total, in hundredths, with what decides among the tied.

    `ties` are their further rolls, highest first as numbers below 0; `place` is where the record stands in the log, and `seat` where
    the joining does that decides after it (none: each one's own), unless a ruling exchanged them; `events` are the facts
    behind all that, `of` is the side whose total it refines.
    """

    hundredths: int
    place: tuple[int, ...]
    ties: tuple[int, ...] = ()
    events: tuple[int, ...] = ()
    seat: tuple[int, ...] = ()
    of: str = ""


class PlainRound(Round):
    """A round with its turns, whether had or put off and lost, and its acts."""

    acts: list[Act] = []


class PlainState(State):
    """The state of a game without rules: totals by combatant or side, the turns that run or are put off.

    `holding` are those who hold an action until something happens.
    """

    totals: dict[str, Total] = {}
    holding: set[str] = set()
