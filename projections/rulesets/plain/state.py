"""The sheet, the calendar and the additional state of plain bookkeeping: initiative totals, turns, and the acts of the round."""

from msgspec import Struct

from eventstore.shapes import Whole, Word
from projections.fight import Round
from projections.mechanics.acts import Act
from projections.sheet import CommonSheet
from projections.state import State
from projections.time import Calendar


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A plain sheet."""

    hp: Whole | None = None
    """Hit points."""
    hp_max: Whole | None = None
    """The maximum of hit points."""
    temp: Whole = 0
    """Temporary points."""
    nld: Whole = 0
    """Non-lethal damage."""
    hp_floor: Whole | None = None
    """The lowest number of hit points."""
    initiative: Whole = 0
    """The initiative bonus."""
    resources: dict[Word, Whole] = {}


UNITS = {"second": 1, "round": 6, "minute": 60, "turn": 60, "hour": 3600, "day": 86400}
CALENDAR = Calendar(seconds=UNITS, tick="round")


class Total(Struct, frozen=True, gc=False):
    """A recorded initiative total, with the values that decide among the tied."""

    hundredths: int
    """The total, in hundredths."""
    place: tuple[int, ...]
    """The place of the record in the log, or the one that a ruling gave."""
    ties: tuple[int, ...] = ()
    """The further rolls among the tied, highest first as numbers below 0."""
    events: tuple[int, ...] = ()
    """The facts behind all that."""
    seat: tuple[int, ...] = ()
    """The place of the joining in the log, which decides after `place`; () for each member's own."""
    of: str = ""
    """The side whose total it refines."""


class PlainRound(Round):
    """A round with its turns, whether had or put off and lost, and its acts."""

    acts: list[Act] = []


class PlainState(State):
    """The state of a game without rules."""

    totals: dict[str, Total] = {}
    """The totals by combatant or side."""
    holding: set[str] = set()
    """The combatants who hold an action until something happens."""
