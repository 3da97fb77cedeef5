"""The initiative list as people saw it: for each combatant, in order, the hit points after its name."""

import re
from typing import NamedTuple

from encounterlog.importers.fireball.words import whole

_BEHIND = re.compile(
    r"(?: <(?P<points>[^<>]*)>)?(?: \(\+(?P<temp>\d{1,15}) temp\))?(?: \((?:AC (?P<ac>-?\d{1,15}))?.*)?\s*"
)
_POINTS = re.compile(r"(?P<hp>-?\d{1,15})(?:/(?P<hp_max>-?\d{1,15}))?(?: HP)?(?:, (?P<temp>\d{1,15}) temp)?")
_TEMP = re.compile(r"(?P<temp>\d{1,15}) temp")
_ENTRY = re.compile(r"(?:[# ] *-?\d+: | {2,}- )\S")
NOTHING = ("", "None")
"""The text in angle brackets of those whose hit points nobody has set."""


class Printed(NamedTuple):
    """The printed values of one combatant; None for those not printed."""

    hp: int | None = None
    hp_max: int | None = None
    temp: int | None = None
    ac: int | None = None


class PrintedList:
    """The list, read from top to bottom; lines that belong to nobody are left over."""

    def __init__(self, text: str) -> None:
        self._lines = text.removesuffix("```").split("\n")
        self._next = 0
        self._read: set[int] = set()
        self.unclear: list[str] = []

    def skip(self, name: str) -> None:
        """Skip the heading line of a group."""
        self._find(name)

    def take(self, name: str) -> Printed | None:
        """Read the next line of exactly this name; None without one."""
        found = self._find(name)
        if found is None:
            return None
        said = points_in(found["points"] or "")
        if said is None:
            self.unclear.append(f"shows {name} at <{found['points']}>, which is not a number of hit points")
            said = Printed()
        temp = _number(found["temp"])
        return said._replace(temp=said.temp if temp is None else temp, ac=_number(found["ac"]))

    def left_over(self) -> list[str]:
        """Return a sentence for each line that shows a combatant who is not in the state."""
        unread = [line for place, line in enumerate(self._lines) if place not in self._read]
        over = [line.strip()[:80] for line in unread if _ENTRY.match(line)]
        return [*self.unclear, *(f"shows {line!r}, which belongs to nobody in the state" for line in over)]

    def _find(self, name: str) -> re.Match[str] | None:
        """Find the next line with a whole name, followed by hit points, something in brackets, or nothing."""
        start = re.compile(r"(?:[# ] *-?\d+: | +- )" + re.escape(name))
        for place in range(self._next, len(self._lines)):
            before = start.match(self._lines[place])
            found = _BEHIND.fullmatch(self._lines[place], before.end()) if before else None
            if found:
                self._next = place + 1
                self._read.add(place)
                return found
        return None


def points_in(text: str) -> Printed | None:
    """Read hit points as printed: 10/20 HP, 10 HP, 10/20 HP, 5 temp, or None; None where they are words."""
    if text in NOTHING:
        return Printed()
    if only := _TEMP.fullmatch(text):
        return Printed(temp=_number(only["temp"]))
    found = _POINTS.fullmatch(text)
    return Printed(_number(found["hp"]), _number(found["hp_max"]), _number(found["temp"])) if found else None


def _number(text: str | None) -> int | None:
    return None if text is None else whole(int(text))
