"""The plain sheet and calendar."""

from eventstore.shapes import Whole, Word
from projections.sheet import CommonSheet
from projections.time import Calendar


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The plain sheet: hit points, temporary points, non-lethal damage, the floor for damage, initiative, resources."""

    hp: Whole | None = None
    hp_max: Whole | None = None
    temp: Whole = 0
    nld: Whole = 0
    hp_floor: Whole | None = None
    initiative: Whole = 0
    resources: dict[Word, Whole] = {}


CALENDAR = Calendar(
    seconds={"second": 1, "round": 6, "minute": 60, "turn": 60, "hour": 3600, "day": 86400},
    tick="round",
)
