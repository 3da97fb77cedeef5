"""Stat blocks of other games and in other languages: of these only hit points, armour class, initiative and speeds are taken."""

import re
from collections.abc import Callable
from typing import Any

from encounterlog.lineups.stat_blocks.block import Block
from encounterlog.lineups.stat_blocks.figures import number, points, speeds

_PATHFINDER = re.compile(r"path(?:finder| ?[12]e)|\bpf[12]e?\b", re.IGNORECASE)
_THEIR_FIELDS = ("pf1e_stats", "Monster_CR", "abilityMods")
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


def origin(given: dict[str, Any]) -> str:
    """Return what a block is that is known to be of another game, or in another language; "" for none such."""
    if _PATHFINDER.search(str(given.get("layout") or "")) or any(field in given for field in _THEIR_FIELDS):
        return "of another game, Pathfinder"
    return LANGUAGE if _SAID_IN_SPANISH.search(str(given)) else ""


def by_layout(given: dict[str, Any]) -> str:
    """Return of which game a block is by its layout, if that is not one of the fifth edition; "" if it names none."""
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
    """Return what can be taken of a block that is something else, with abilities that it shares; raise ValueError if that is nothing."""
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
    )


def _one(said: Any) -> Any:
    """Return a value; raise ValueError for an armour class that counts down, with the other in brackets, as in 3 [16]."""
    if isinstance(said, str) and "[" in said:
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
