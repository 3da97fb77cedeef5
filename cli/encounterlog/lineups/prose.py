"""A stat block of any tool, and what its sentences say: attacks and their number, spellcasting, and damage types."""

import re
from collections.abc import Iterable
from typing import Any, TypeVar

from msgspec import Struct

One = TypeVar("One")


class Feature(Struct, frozen=True):
    """A trait or an action: its name, its text, and what it costs if the block says so."""

    name: str
    text: str = ""
    cost: str = ""


class Block(Struct, frozen=True, kw_only=True):
    """The fields of a stat block; missing ones are None, or empty.

    `initiative` is the whole bonus. `resistances` and the like are texts as they were written: one, or several.
    `spells` are the lines about spellcasting, `listed` the names of spells without further text. `unread` names the fields that
    could not be read. `refers` is the name of a creature of the reference document, if the block says nothing else.
    """

    name: str
    hp: int | None = None
    most: int | None = None
    ac: int | None = None
    initiative: int | None = None
    played: bool = False
    size: str = ""
    abilities: dict[str, int] = {}
    saves: dict[str, int] = {}
    skills: dict[str, int] = {}
    challenge: float | None = None
    proficiency: int | None = None
    speeds: dict[str, int | bool] = {}
    resistances: tuple[str, ...] | None = None
    vulnerabilities: tuple[str, ...] | None = None
    immunities: tuple[str, ...] | None = None
    conditions: tuple[str, ...] | None = None
    features: tuple[Feature, ...] | None = None
    legendary: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    refers: str = ""


def ability_modifier(score: int) -> int:
    """Return the modifier of an ability score."""
    return (score - 10) // 2


DAMAGE_TYPES = frozenset({
    "acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic", "piercing", "poison", "psychic",
    "radiant", "slashing", "thunder",
})  # fmt: skip
"""The fifth edition's types of damage."""
COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_MARKS = re.compile(r"<[^<>]*>|\*+|(?<!\w)_+|_+(?!\w)")
_ROLLER = re.compile(r"`?\bdice:\s*(\d*d?[\dd+ -]*\d)((?:\|\w+(?:\([^()]*\))?)*)`?", re.IGNORECASE)
_SHOWN = re.compile(r"\|text\(([^()]*)\)")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\n]*\)")
_ATTACK = re.compile(
    r"(?:\b(?:melee|ranged)\s+(?:(?:weapon|spell)\s+)?attack(?:\s+roll)?:?|\b(?:weapon|spell)\s+attack:)\s*[+-]\s*\d+",
    re.IGNORECASE,
)
_REACH = re.compile(r"\breach\s+(\d{1,3})\s*(?:ft|feet|')", re.IGNORECASE)
_RANGE = re.compile(r"\brange[ds]?\s+(\d{1,4})(?:\s*(?:ft\.?|feet|')?\s*/\s*(\d{1,4}))?\s*(?:ft|feet|')", re.IGNORECASE)
_AMOUNT = r"\d{1,9}\s*(?:\((?P<dice>\d*d\d+)(?:\s*[+−–—-]\s*\d+)?\)\s*)?(?P<type>[a-z]+)\s+damage"
_DAMAGE = re.compile(rf"\bhit(?::\s[^.]{{0,300}}?\b|\s+){_AMOUNT}", re.IGNORECASE)
_BARE = re.compile(rf"\.\s+{_AMOUNT}", re.IGNORECASE)
_COUNT = rf"(?:{'|'.join(COUNTS)}|\d)"
_COUNTED = re.compile(rf"\b({_COUNT})\s+(?:[\w'-]+\s+){{0,5}}?attacks?\b")
_MADE = re.compile(r"\bmakes?\b(.*)", re.DOTALL)
_INSTEAD = re.compile(r"\b(?:in place of|can't|cannot|instead|replaces?)\b")
_MORE = re.compile(r"\balso\b|^\W*(?:if|when|while)\b")
_SUFFIX = re.compile(r"\s*\((?:(?:recharge|costs?|\d+/day|\d+\s+charges?)[^)]*|[^()]*\bform\b[^()]*)\)", re.IGNORECASE)
DAILY = re.compile(r"\((\d+)/day[^)]*\)", re.IGNORECASE)
LONGEST = 120  # the most characters of a name on a sheet


def strip_markup(text: str) -> str:
    """Return a text without its markup, and with the displayed text of Obsidian's dice roller: dice:1d20+4|text(+4) is +4."""
    plain = text.replace("’", "'").replace("\u00a0", " ")
    rolled = _ROLLER.sub(lambda match: (_SHOWN.search(match[2]) or match)[1], plain)
    return _MARKS.sub("", _LINK.sub(r"\1", rolled)).replace("`", "").strip()


def plain_feature_name(name: str) -> str:
    """Return the name of a feature in lower case, without the number and form of its uses."""
    found = strip_markup(_SUFFIX.sub("", name)).strip(" .:") or strip_markup(name)
    return found.casefold()[:LONGEST].rstrip()


def parse_weapon(feature: Feature) -> dict[str, Any] | None:
    """Return an attack as a weapon of a sheet; None for what is none."""
    text = " ".join(strip_markup(feature.text).split())
    attack = _ATTACK.search(text)
    if attack is None:
        return None
    found: dict[str, Any] = {"name": plain_feature_name(feature.name)}
    damage = _DAMAGE.search(text) or (None if re.search(r"(?i)\bhit:", text) else _BARE.search(text, attack.end()))
    if damage and damage["type"].casefold() in DAMAGE_TYPES:
        # a swarm that has lost half of its points deals fewer of the same dice
        others = re.findall(r"\bor\s+\d+\s*\((\d*d\d+)", text, re.IGNORECASE)
        dice = damage["dice"]
        if dice and all(each == dice or each.partition("d")[2] != dice.partition("d")[2] for each in others):
            found["dice"] = dice.casefold()
        found["damage_type"] = damage["type"].casefold()
    if ranged := _RANGE.search(text):
        found["range"] = [int(ranged[1]), int(ranged[2] or ranged[1])]
    if reach := _REACH.search(text):
        found["reach"] = int(reach[1])
    return found


def parse_number_of_attacks(text: str) -> int | None:
    """Return the number of attacks of a Multiattack; None if the text has no number, or alternatives of several."""
    found: list[int | None] = []
    for sentence in re.split(r"[.:]", strip_markup(text).casefold()):
        made = _MADE.search(sentence)
        if made and "attack" in made[1] and not (found and _INSTEAD.search(sentence)):
            ways = [_COUNTED.findall(way) for way in re.split(rf"\bor\s+(?={_COUNT}\b)", made[1])]
            count = _single_value(sum(COUNTS.get(each) or int(each) for each in way) for way in ways) or None
            found.append(None if found and _MORE.search(sentence) else count)
    known = [number for number in found if number is not None]
    return found[0] if len(known) == len(found) > 0 and found[0] == max(known) else None


def damage_types(said: Iterable[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return the types of damage in texts such as `cold; fire, poison`, and the parts that depend on more than the type."""
    found, others = list[str](), list[str]()
    for part in filter(None, (strip_markup(each) for text in said for each in text.split(";"))):
        words = [each.strip().casefold() for each in re.split(r",|\band\b", part) if each.strip()]
        if all(word in DAMAGE_TYPES for word in words):
            found += words
        else:
            others.append(part)
    return tuple(dict.fromkeys(found)), others


_DC = re.compile(r"spell save dc (\d{1,2})", re.IGNORECASE)
_TO_HIT = re.compile(r"([+-]\d{1,2}) to hit with spell attacks?", re.IGNORECASE)
_ABILITY = re.compile(r"spellcasting ability is (\w+)|using (\w+) as the spellcasting ability", re.IGNORECASE)
_HEAD = re.compile(
    r"(?P<cantrips>cantrips?)(?:\s*\(at will\))?\s*:"
    r"|(?P<level>\d)(?:st|nd|rd|th)?[- ]?level(?:\s+spells?)?\s*(?:\((?P<slots>\d{1,3})\s*(?P<own>[\w-]+\s+)*?slots?\)\s*)?:"
    r"|at will\s*:|(?<!\d)\d{1,3}\s*/\s*(?:day|rest)(?:\s+each)?\s*:|constant\s*:",
    re.IGNORECASE,
)


class Spells(Struct):
    """Spellcasting: DC, bonus and ability, slots by level, and spells with their levels, as far as they are stated."""

    dc: int | None = None
    attack: int | None = None
    ability: str = ""
    slots: dict[int, int] = {}
    names: dict[str, int | None] = {}


def parse_spellcasting(lines: Iterable[str]) -> Spells:
    """Return spells and numbers from the lines about spellcasting; with two ways to cast of different numbers, no numbers. Slots
    of their own level, as in `1st-5th level (2 5th-level slots)`, do not give a spell's level.
    """
    text = "\n".join(strip_markup(line) for line in lines)
    dc, attack = (_single_value(map(int, pattern.findall(text))) for pattern in (_DC, _TO_HIT))
    ability = _single_value((one or other).casefold() for one, other in _ABILITY.findall(text)) or ""
    found, heads = Spells(dc, attack, ability), [*_HEAD.finditer(text)]
    for head, after in zip(heads, [*(each.start() for each in heads[1:]), len(text)], strict=False):
        level = 0 if head["cantrips"] else int(head["level"]) if head["level"] else None
        if level and head["slots"]:
            found.slots[level] = int(head["slots"])
        for part in re.split(r",(?![^(]*\))", text[head.end() : after].strip().partition("\n")[0]):
            name = re.sub(r"\([^)]*\)", "", part).strip(" .*-•–†‡\t").casefold()
            if re.fullmatch(r"[a-z][a-z '/-]{1,40}", name):
                found.names.setdefault(name, None if head["own"] else level)
    return found


def _single_value(found: Iterable[One]) -> One | None:
    several = {*found}
    return several.pop() if len(several) == 1 else None
