"""The OSRIC sheet and calendar, and where its catalogue is."""

from eventstore.paths import beside
from eventstore.shapes import Whole
from projections.sheet import CommonSheet
from projections.time import Calendar

RULES = beside(__file__, "rules.toml")


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Holds hit points, surprise bonus (segments), missile bonus, routines a round, own surprise threshold."""

    hp: Whole
    hp_max: Whole | None = None
    surprise_bonus: Whole = 0
    missile_bonus: Whole = 0
    routines: Whole = 1
    surprised_on: Whole | None = None


CALENDAR = Calendar(
    seconds={"second": 1, "segment": 6, "round": 60, "minute": 60, "turn": 600, "hour": 3600, "day": 86400},
    tick="segment",
)
