"""The people of a fight, and what is known of each; time is counted through.

1 is segment 1 of round 1, 11 is segment 1 of round 2, the last surprise segment is 0. A key is (round, segment, band, lead,
rank, cut), as the catalogue defines it.
"""

from dataclasses import dataclass, field
from typing import Any

Key = tuple[int, int, int, int, int, int]
NAMES = [
    "ada", "bram", "cleo", "dov", "eli", "fang", "gog", "hush", "ivo", "jen", "kell", "lum", "moth", "nib", "oda", "pell",
]  # fmt: skip
SIDES = ("heroes", "orcs", "wolves")
SPELLS = {"bolt": 2, "web": 3, "hex": 1, "curse": 5, "bless": 9, "ward": "round", "storm": 13}
"""Spells with their casting time in segments."""
OPTIONS = {
    "surprise-routines": ("one", "all-due"), "surprise-spell": ("end-of-last-segment", "start-of-next"), "surprise-carry": ("runs-on", "lost"),
    "dexterity-penalty": ("lengthens", "creates"), "missile-initiative": ("shift", "win-only"),
    "missile-bonus-for": ("missile-attacks", "weapon-in-hand"), "hold-until": ("any-later-segment", "segment-seven-on"),
    "hold-announced": ("not-needed", "required"), "hold-order": ("after", "before", "at-once"),
    "second-routine": ("later-segment", "same-segment-after", "segment-seven-on"), "effect-segment": ("start-plus-time", "last-casting-segment"),
    "after-long-spell": ("acts-after-effect", "no-action"), "spoil-cause": ("damage", "hit", "ruling"),
    "spoil-from": ("start-segment", "next-segment", "round-start"), "spoil-window": ("until-effect", "through-effect"),
    "tie-damage": ("shared-segment", "whole-round"), "interrupt-order": ("before", "at-once"),
    "interrupt-cost": ("flee-free", "all-free", "all-count"), "out-of-action-at": ("0", "-1", "-3", "-10"),
}  # fmt: skip


@dataclass
class Spell:
    """A casting: its first segment and its time, told by the record `seq`, which is the declaration where none tells it."""

    who: str
    name: str
    seq: int
    round: int
    start: int
    time: int
    due: int
    band: int
    silent: bool = False
    ended: str = ""


@dataclass
class Lasting:
    """An effect or a condition of a bearer, for so many spans of `each` segments from `since` on; without end if None."""

    name: str
    source: str = ""
    amount: int | None = None
    each: int = 1
    since: int = 0

    def left(self, now: int) -> int | bool:
        return True if self.amount is None else self.amount - (now - self.since) // self.each


@dataclass
class Turn:
    """A combatant's declarations and acts in a round, or in a surprise segment."""

    said: dict[str, Any] | None = None
    seq: int = 0
    spell: tuple[str, int] | None = None
    given_up: bool = False
    begun: bool = False
    by_word: bool = False
    bound: str = ""
    did: dict[str, Any] | None = None
    used: int = 0
    numbers: int = 0
    readied: bool = False
    held: bool = False
    waits: bool = False
    parts: dict[int, int] = field(default_factory=dict)
    hurt: bool = False


@dataclass
class Trail:
    """A combatant's course through a segment: hit points and standing as it began, blows and acts by their keys."""

    hp: int
    was_out: bool
    blows: list[tuple[Key, int]] = field(default_factory=list)
    acts: list[Key] = field(default_factory=list)
    rose: Key | None = None
    healed: bool = False
    hurt: bool = False


@dataclass
class One:
    """A combatant with its sheet, and how it stands."""

    id: str
    side: str
    hp: int
    top: int
    quick: int = 0
    missile: int = 0
    routines: int = 1
    own_threshold: int | None = None
    here: bool = True
    spear: bool = False
    kept: bool = False
    gave_up: bool = False
    tied: int = 0
    out: Key | None = None
    effects: list[Lasting] = field(default_factory=list)
    conditions: list[Lasting] = field(default_factory=list)
    spells: list[Spell] = field(default_factory=list)
    turn: Turn = field(default_factory=Turn)
    trail: Trail = field(default_factory=lambda: Trail(0, False))

    @property
    def spell(self) -> Spell | None:
        return next((spell for spell in self.spells if not spell.ended), None)
