"""Stat blocks of other games and in other languages: of these only hit points, armour class, initiative and speeds are taken.

Values of theirs for which no sheet has a place, such as a difficulty, are kept as words.
"""

import re
from collections.abc import Callable
from typing import Any

from encounterlog.lineups.stat_blocks.block import Block
from encounterlog.lineups.stat_blocks.figures import number, points, speeds

_PATHFINDER = re.compile(r"path(?:finder| ?[12]e)|\bpf[12]e?\b", re.IGNORECASE)
_THEIR_FIELDS = ("pf1e_stats", "Monster_CR", "abilityMods")
_DAGGERHEART = re.compile(r"daggerheart", re.IGNORECASE)
_OLD_SCHOOL = frozenset({"thaco", "thac0"})
_LOWEST = 8
"""No creature of the fifth edition has six scores below this; a game whose stats are modifiers has."""
_SPANISH = {
    r"pies?\b\.?": "ft.",
    r"(?:caminar|caminando)\b": "walk",
    r"(?:volar|volando|vuelo)\b": "fly",
    r"(?:nadar|nadando|nado)\b": "swim",
    r"(?:trepar|trepando|escalar|escalada)\b": "climb",
    r"(?:excavar|excavando)\b": "burrow",
    r"(?:flotar|flotando|levitar)\b": "hover",
}
"""Words of speeds in Spanish, and what they mean."""
_SAID_IN_SPANISH = re.compile(
    rf"'speed': '[^']*\b(?:{'|'.join(_SPANISH)})|'(?:fue|sab|fuerza|sabiduría)': |\ba impactar\b|\bdaño\b",
    re.IGNORECASE,
)
"""The words, as Python writes a mapping, that show a block in Spanish."""
_LINE = re.compile(r"^(\w+):[ \t]+(\S.*)$", re.MULTILINE)
LANGUAGE = "in another language, Spanish"
FIELDS = {
    "hit points": ("hp", "HP"),
    "armour class": ("ac", "AC"),
    "initiative": ("modifier", "INI"),
    "speed": ("speed",),
}
"""The values that are taken, with the fields of a block that have them, in one game or another."""


WITHOUT_PLACE = ("difficulty", "thresholds")
"""The fields of other games that are kept as words."""


def origin(given: dict[str, Any]) -> str:
    """Return the kind of a block that is known to be of another game, or in another language; "" for others."""
    layout = str(given.get("layout") or "")
    if _PATHFINDER.search(layout) or any(field in given for field in _THEIR_FIELDS):
        return "of another game, Pathfinder"
    if _DAGGERHEART.search(layout) or all(field in given for field in WITHOUT_PLACE):
        return "of another game, Daggerheart"
    if not _OLD_SCHOOL.isdisjoint(str(field).casefold() for field in given):
        return f"of another game, {by_layout(given).removeprefix('of another game, ') or 'by its THAC0'}"
    if _has_modifiers(given.get("stats")):
        return "of another game, whose stats are modifiers"
    return LANGUAGE if _SAID_IN_SPANISH.search(str(given)) else ""


def _has_modifiers(stats: Any) -> bool:
    """Say whether the six stats of a block are modifiers, and no scores: one is below 0, or all are low, and not all the same."""
    if not isinstance(stats, list) or len(stats) != 6 or not all(type(each) is int for each in stats):
        return False
    return min(stats) < 0 or (max(stats) < _LOWEST and len({*stats}) > 1)


def by_layout(given: dict[str, Any]) -> str:
    """Return the game of a block by its layout, if that is not one of the fifth edition; "" if it names none."""
    layout = str(given.get("layout") or "").strip()
    return (
        f"of another game, by its layout {layout[:40]}"
        if layout and not re.search(r"5e|d&d", layout, re.IGNORECASE)
        else ""
    )


def simple(text: str) -> dict[str, Any]:
    """Return the fields of a block that have their value in their own line, of one that is no YAML; those of Pathfinder alone, else none."""
    found = {name: value.strip("\"' ") for name, value in _LINE.findall(text)}
    return found if origin(found).endswith("Pathfinder") else {}


def block(given: dict[str, Any], name: str, what: str, abilities: dict[str, int]) -> Block:
    """Return the readable part of a block of another kind, with the abilities that it shares; raise ValueError if there is none."""
    unread: list[str] = []

    def of(field: str, read: Callable[[Any], Any]) -> Any:
        said = next((given[key] for key in FIELDS[field] if given.get(key) not in (None, "", [])), None)
        try:
            return None if said is None else read(said)
        except ValueError:
            unread.append(f"{field} {str(said)[:40]}")
            return None

    hp = of("hit points", lambda said: points(said, "number of hit points", "7"))
    ac = of("armour class", lambda said: points(_one(said), "armour class", "15"))
    initiative = of("initiative", lambda said: number(said, "bonus for initiative", "2"))
    known = of("speed", lambda said: _speeds(said, unread)) or {}
    if hp is None and ac is None and not known:
        raise ValueError(f"{name[:60]} is {what}, and has no {', '.join(FIELDS)} that can be read")
    return Block(
        name=name,
        hp=hp,
        ac=ac,
        initiative=initiative,
        speeds=known,
        abilities=abilities,
        partly=what,
        unread=(*unread,),
        unplaced=tuple(
            f"{field} {str(given[field])[:40]}" for field in WITHOUT_PLACE if given.get(field) not in (None, "")
        ),
    )


def _one(said: Any) -> Any:
    """Return a value; raise ValueError for an armour class that counts down, with the other in brackets, as in 3 [16] or 3 (16)."""
    if isinstance(said, str) and re.match(r"\s*-?\d+\s*(?:\[|\(\s*\d+\s*\))", said):
        raise ValueError("two numbers")
    return said


def _speeds(said: Any, unread: list[str]) -> dict[str, int | bool]:
    """Return the speeds in the parts of a text; note the parts that are none."""
    if not isinstance(said, str):
        return speeds(said)
    text = said
    for word, meaning in _SPANISH.items():
        text = re.sub(rf"\b{word}", meaning, text, flags=re.IGNORECASE)
    known: dict[str, int | bool] = {}
    for part in filter(None, (each.strip() for each in re.split(r"[,;](?![^(]*\))", text))):
        try:
            known |= speeds(part)
        except ValueError:
            unread.append(f"speed {part[:40]}")
    return known
