"""The sheet and the calendar of Nameless Journey, and where its catalogue is."""

from msgspec import Struct

from eventstore.paths import beside
from eventstore.shapes import Text, Whole, Word
from projections.ruleset.ruleset import describing
from projections.sheet import CommonSheet
from projections.time import Calendar

RULES = beside(__file__, "rules.toml")
described = describing(RULES)


class SheetEntry(Struct, frozen=True, omit_defaults=True):
    """A spell, trait or item: the resource that it costs, and for a Reaction its triggers.

    Other fields of an entry are ignored: nothing here depends on them.
    """

    name: Word
    kind: Word | None = None
    cost: Word | None = None
    answers: Text | tuple[Text, ...] | None = None
    attributes: tuple[Word, ...] = ()


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A sheet: hit points, Dexterity bonus, speed by mode (feet), additional resources per turn, and entries."""

    hp: Whole | None = None
    hp_max: Whole | None = None
    dexterity: Whole = 0
    speeds: dict[Word, Whole] = {}
    extra: dict[Word, Whole] = {}
    entries: tuple[SheetEntry, ...] = ()


ROUND = 5
"""The number of seconds in a round."""
MINUTE = 60
"""The number of seconds in a minute: twelve rounds."""

CALENDAR = Calendar(
    seconds={"second": 1, "round": ROUND, "minute": MINUTE, "turn": 10 * ROUND, "hour": 3600, "day": 86400},
    tick="second",
)
