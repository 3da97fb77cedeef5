"""The sheet and the calendar of Coin Duel."""

from msgspec import Struct

from eventstore.shapes import Whole
from projections.time import Calendar


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Holds the coins in the purse, three unless it says otherwise; `hp` is their name in every log."""

    hp: Whole = 3


CALENDAR = Calendar(seconds={"second": 1, "round": 10, "minute": 60}, tick="round")
