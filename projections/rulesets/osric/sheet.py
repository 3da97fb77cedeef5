"""The OSRIC sheet and calendar, and where its catalogue is."""

from typing import Annotated

from msgspec import Meta

from eventstore.paths import path_beside
from eventstore.shapes import Whole
from projections.sheet import CommonSheet
from projections.time import Calendar

Rate = Annotated[str, Meta(pattern=r"^[1-9][0-9]?/[1-9]$")]
"""A number in so many rounds, such as 3/2."""
RULES = path_beside(__file__, "rules.toml")


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An OSRIC character sheet."""

    hp: Whole
    """Hit points."""
    hp_max: Whole | None = None
    """The maximum of hit points; as many as `hp` if None."""
    surprise_bonus: Whole = 0
    """Segments by which surprise is shorter; below 0 longer."""
    missile_bonus: Whole = 0
    """Segments by which a shot comes earlier."""
    routines: Whole | Rate = 1
    """Attack routines a round; 3/2 are three in two rounds: one, then two."""
    surprised_on: Whole | None = None
    """The highest surprise die that surprises this combatant; that of its side if None."""
    surprises_on: Whole | None = None
    """The highest surprise die of its opponents with which it surprises them; 2 if None."""


UNITS = {"second": 1, "segment": 6, "round": 60, "minute": 60, "turn": 600, "hour": 3600, "day": 86400}
CALENDAR = Calendar(seconds=UNITS, tick="segment")
