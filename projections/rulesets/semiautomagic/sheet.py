"""The Semiautomagic sheet, its calendar, and the table of actions with their seconds."""

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from eventstore.shapes import Span, Whole, Word
from projections.rulesets.catalogue import read
from projections.rulesets.ruleset import derives
from projections.sheet import CommonSheet
from projections.time import Calendar

RULES = Path(__file__).with_name("rules.toml")
Abbreviated = Annotated[str, Meta(pattern=r"^[0-9]{1,6} ?SA$")]
"""Seconds as the text writes them: 4SA."""


class Listed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Is an entry of a sheet: a spell or a trick with the seconds that it takes and those that it is delayed by."""

    name: Word
    kind: Word | None = None
    time: Whole | Abbreviated | Span | None = None
    delay: Whole | Abbreviated | Span | None = None
    cost: Word | None = None
    range: Any = None
    allows_save: Any = None
    concentration: bool = False
    attributes: tuple[Word, ...] = ()
    components: tuple[Word, ...] | None = None
    answers: Any = None


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Holds hit points, Dexterity (0 where nobody said), and entries with times of their own."""

    hp: Whole | None = None
    hp_max: Whole | None = None
    dexterity: Whole | None = None
    entries: tuple[Listed, ...] = ()


CALENDAR = Calendar(
    seconds={"second": 1, "sa": 1, "round": 6, "minute": 60, "turn": 60, "hour": 3600, "day": 86400},
    tick="second",
)


class Row(Struct, frozen=True):
    """Is a row of the table of actions: the seconds that it takes, or with `longer` the least that it may take."""

    kind: str
    name: str
    seconds: int
    longer: bool = False


@cache
def table() -> dict[str, Row]:
    """Return the table of actions by kind, as the catalogue has it."""
    rows = (Row(row["kind"], row["name"], row["seconds"], row.get("longer", False)) for row in read(RULES).action)
    return {row.kind: row for row in rows}


@derives("action.abbreviated")
def seconds_of(time: Whole | str | Span | None) -> int | None:
    """Return a time in seconds, of which 4SA means four; None where none is said, or in a unit that is none here."""
    if isinstance(time, str):
        number = re.match(r"\d+", time)
        return int(number[0]) if number else None
    length = CALENDAR.length(time)
    return CALENDAR.count(length, "second") if length else None
