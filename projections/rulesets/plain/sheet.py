"""The plain sheet and calendar."""

from eventstore.shapes import Whole, Word
from projections.sheet import CommonSheet
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


CALENDAR = Calendar(
    seconds={"second": 1, "round": 6, "minute": 60, "turn": 60, "hour": 3600, "day": 86400},
    tick="round",
)
