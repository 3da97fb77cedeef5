"""The Semiautomagic sheet and calendar, and the seconds that an action takes: by a ruling, the sheet, or the table."""

import re
from functools import cache
from typing import Annotated

from msgspec import Meta, Struct

from eventstore.paths import beside
from eventstore.shapes import Action, Span, Whole, Word
from projections.mechanics.acts import action_word
from projections.open_types import Fields, Json
from projections.ruleset.catalogue import read
from projections.ruleset.ruleset import derives
from projections.rulesets.semiautomagic.state import SemiautomagicState
from projections.sheet import CommonSheet, entry_named
from projections.time import Calendar

RULES = beside(__file__, "rules.toml")
Abbreviated = Annotated[str, Meta(pattern=r"^[0-9]{1,6} ?SA$")]
"""Seconds as the text writes them: 4SA."""


class Listed(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An entry of a sheet: a spell or a trick with its time and its delay in seconds."""

    name: Word
    kind: Word | None = None
    time: Whole | Abbreviated | Span | None = None
    delay: Whole | Abbreviated | Span | None = None
    cost: Word | None = None
    range: Json = None
    allows_save: Json = None
    concentration: bool = False
    attributes: tuple[Word, ...] = ()
    components: tuple[Word, ...] | None = None
    answers: Json = None


class Sheet(CommonSheet, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A sheet: hit points, Dexterity (by default 0), and entries with their own times."""

    hp: Whole | None = None
    hp_max: Whole | None = None
    dexterity: Whole | None = None
    entries: tuple[Listed, ...] = ()


CALENDAR = Calendar(
    seconds={"second": 1, "sa": 1, "round": 6, "minute": 60, "turn": 60, "hour": 3600, "day": 86400},
    tick="second",
)


@cache
def table() -> dict[str, Fields]:
    """Return the rows of the catalogue's table of actions by kind."""
    return {row["kind"]: row for row in read(RULES).action}


@derives("action.abbreviated")
def seconds_of(time: Whole | str | Span | None) -> int | None:
    """Return a time in seconds (4SA means four); None if there is none, or its unit is unknown."""
    if time is None:
        return None
    if isinstance(time, str):
        number = re.match(r"\d+", time)
        return int(number[0]) if number else None
    return CALENDAR.count(CALENDAR.length(time), "second")


def entry_of(state: SemiautomagicState, who: str, action: Action) -> Listed | None:
    """Return the entry of a sheet with the name of an action."""
    entries: tuple[Listed, ...] = state.combatants[who].sheet.entries
    return entry_named(entries, action.name)


def ruled_time(state: SemiautomagicState, who: str, action: Action) -> tuple[int, int] | None:
    """Return the seconds that a ruling gives a combatant's action, by its name or its kind, and the ruling."""
    named = state.ruled_times.get((who, action_word(action).casefold()))
    return named or state.ruled_times.get((who, action.plain_kind))


def own_time(state: SemiautomagicState, who: str, action: Action) -> int | None:
    """Return the seconds that a ruling, or else its entry, gives a combatant's action; None if neither gives any."""
    ruled, entry = ruled_time(state, who, action), entry_of(state, who, action)
    return ruled[0] if ruled else seconds_of(entry.time) if entry else None


@derives("action.times", "action.run-three-or-longer")
def listed_time(state: SemiautomagicState, who: str, action: Action) -> int | None:
    """Return the seconds that an action takes by a ruling, its entry, or the table; None if none of them gives any."""
    own, row = own_time(state, who, action), table().get(action.plain_kind)
    return own if own is not None else row["seconds"] if row else None


def cost(state: SemiautomagicState, who: str, action: Action) -> int:
    """Return the seconds that an action holds: a ruling's, else the recorded ones, right or wrong, else the listed
    ones; below 0 counts as 0.
    """
    recorded = seconds_of(action.time)
    if recorded is None or ruled_time(state, who, action):
        recorded = listed_time(state, who, action)
    return max(0, recorded or 0)


@derives("zero-second.free", "zero-second.during-action")
def takes_seconds(cost: int) -> bool:
    """Return whether an action takes any second; one that takes none needs no free second, and fits into any action."""
    return cost > 0


def delay_of(state: SemiautomagicState, who: str, action: Action) -> int | None:
    """Return the delay of an action's effect in seconds: the recorded one, else that of its entry; None without one."""
    recorded = seconds_of(action.delay)
    entry = entry_of(state, who, action) if recorded is None else None
    return seconds_of(entry.delay) if entry else recorded
