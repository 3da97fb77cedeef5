"""Stat blocks of Obsidian's Fantasy Statblocks: fenced blocks of a note, its front matter, or a file, in YAML, and its bestiary in JSON."""

import re
from typing import Any

from encounterlog.lineups.stat_blocks.block import Block, Feature
from encounterlog.lineups.stat_blocks.figures import at, challenge, number, of_abilities, of_skills, points, speeds
from encounterlog.lineups.stat_blocks.improved import LONGEST
from projections.rulesets.fifth_edition.figures import ABILITIES

FIELDS = ("hp", "ac", "stats", "speed", "actions", "traits")
"""The fields of which a stat block has at least one, in addition to its name."""
MOST = 300
"""The most entries of a list in a stat block."""
SORTS = (("traits", ""), ("actions", "action"), ("bonus_actions", "bonus"), ("reactions", "reaction"))


def is_one(given: Any) -> bool:
    """Say whether a mapping is a stat block of this tool; one of another tool has a mapping of hit points, or a list of monsters."""
    if not isinstance(given, dict) or "creatures" in given:
        return False
    of_another = isinstance(given.get("hp"), dict) or isinstance(given.get("monster"), list)
    return not of_another and (bool(_named(given)) or any(field in given for field in FIELDS))


def referred(given: dict[str, Any]) -> str:
    """Return the name of the creature to which a block refers that has no values of its own, but perhaps another name; "" for any other."""
    return "" if any(field in given for field in ("hp", "ac", "stats")) else _named(given)


def _named(given: dict[str, Any]) -> str:
    said = given.get("monster") or given.get("creature")
    return str(said).strip() if isinstance(said, str | int) else ""


def block(given: dict[str, Any]) -> Block:
    """Return a mapping as a stat block; raise ValueError with the field that is wrong."""
    name = given.get("name") or _named(given)
    if not isinstance(name, str) or not 0 < len(name.strip()) <= 120:
        raise ValueError("name: a stat block has a name, of at most 120 characters")
    if refers := referred(given):
        return Block(name=name.strip(), refers=refers)
    if what := _other(given):
        raise ValueError(
            f"{name.strip()[:60]} is {what}; blocks of the fifth edition in English are read, and --foes takes any other by "
            'its name and numbers, such as "wyrm hp=195 ac=31"'
        )
    return _whole_block(given, name.strip())


_OTHERS = (
    ("of another game, Pathfinder", r"'layout': '[^']*(?:path(?:finder| ?[12]e)|\bpf[12]e?\b)|'(?:pf1e_stats|monster_cr|abilitymods)':"),
    ("of another game, Daggerheart", r"'layout': '[^']*daggerheart|'thresholds':"),
    ("of another game, by its THAC0", r"'thac[o0]':"),
    ("in another language, Spanish", r"'speed': '[^']*\bpies\b|'(?:fue|sab|fuerza|sabiduría)': |\ba impactar\b|\bdaño\b"),
)  # fmt: skip
"""Blocks that are not read, with what shows them, as Python writes a mapping."""
_LOWEST = 8
"""No creature of the fifth edition has six scores below this; a game whose stats are modifiers has."""


def _other(given: dict[str, Any]) -> str:
    """Return the kind of a block of another game, or in another language, whose numbers mean something else; "" for others."""
    stats = given.get("stats")
    six = stats if isinstance(stats, list) and len(stats) == 6 and all(type(each) is int for each in stats) else [10]
    if min(six) < 0 or (max(six) < _LOWEST and len({*six}) > 1):
        return "of another game, whose stats are modifiers"
    text = str(given)
    return next((what for what, shown in _OTHERS if re.search(shown, text, re.IGNORECASE)), "")


def _whole_block(given: dict[str, Any], name: str) -> Block:
    hp = given.get("hp")
    rolled = isinstance(hp, str) and re.fullmatch(r"\s*\d{0,3}d\d{1,3}(?:\s*[+-]\s*\d{1,4})?\s*", hp)
    dice = hp.strip() if isinstance(hp, str) and rolled else ""  # and no number
    features = [_of(given, field, _acts(cost)) for field, cost in SORTS]
    return Block(
        name=name,
        unread=(f"hit points {dice}, which are to be rolled",) if dice else (),
        hp=None if dice else _of(given, "hp", lambda said: _whole(said, "number of hit points", "7 or 7 (2d6)")),
        ac=_of(given, "ac", lambda said: _whole(said, "armour class", "15 or 15 (shield)")),
        initiative=_of(given, "modifier", lambda said: number(said, "bonus for initiative", "2")),
        played=given.get("player") is True,
        size=str(given.get("size") or "").strip(),
        abilities=_of(given, "stats", _scores) or {},
        saves=_of(given, "saves", lambda said: of_abilities(_pairs(said))) or {},
        skills=_of(given, "skillsaves", lambda said: of_skills(_pairs(said))) or {},
        challenge=challenge(given.get("cr")),
        speeds=_of(given, "speed", speeds) or {},
        resistances=_damage(given, "damage_resistances"),
        vulnerabilities=_damage(given, "damage_vulnerabilities"),
        immunities=_damage(given, "damage_immunities"),
        conditions=_of(given, "condition_immunities", _texts),
        features=tuple(each for those in features for each in those or ()) if features != [None] * len(SORTS) else None,
        legendary=tuple(each.name for each in _of(given, "legendary_actions", _acts("")) or ()),
        spells=_of(given, "spells", _spells) or (),
    )


def _of(given: dict[str, Any], field: str, read: Any) -> Any:
    """Return a field, read; None where it is left out or empty; raise ValueError with its name."""
    said = given.get(field)
    return None if said is None or said in ("", []) else at(field, read, said)


def _whole(said: Any, what: str, such: str) -> int | None:
    """Return a number that is not below 0; None for a sum, such as 11 + the level of the spell."""
    return None if _is_sum(said) else points(said, what, such)


def _is_sum(said: Any) -> bool:
    """Say whether a value depends on another one, as +2 plus PB does."""
    return isinstance(said, str) and re.match(r"\s*[+-]?\d+\s*(?:\+|plus\b)", said) is not None


def _damage(given: dict[str, Any], field: str) -> tuple[str, ...] | None:
    """Return texts about damage; none is meant by a field that is written and empty, as the tool writes it."""
    return () if given.get(field) in ("", []) else _of(given, field, _texts)


def _scores(said: Any) -> dict[str, int]:
    if not isinstance(said, list) or len(said) != len(ABILITIES):
        raise ValueError(f"six numbers, from strength to charisma, and not {str(said)[:40]}")
    return {name: points(score, f"score of {name}", "14") for name, score in zip(ABILITIES, said, strict=True)}


def _pairs(said: Any) -> list[tuple[str, Any]]:
    """Return the pairs in a mapping, or in a list of mappings, but for those without a value, or with a sum."""
    maps = [each for each in said if each is not None] if isinstance(said, list) else [said]
    if not isinstance(said, list | dict) or len(maps) > MOST or not all(isinstance(each, dict) for each in maps):
        raise ValueError("a list such as `- dexterity: 4`")
    pairs = [(str(name), value) for each in maps for name, value in each.items() if name not in ("desc", "name")]
    return [(name, value) for name, value in pairs if value is not None and not _is_sum(value)]


def _texts(said: Any) -> tuple[str, ...]:
    texts = said if isinstance(said, list) else [said]
    if len(texts) > MOST or not all(isinstance(each, str) for each in texts):
        raise ValueError("a text such as cold, fire")
    return tuple(texts)


def _acts(cost: str) -> Any:
    """Return the function that reads traits or actions: pairs of name and text, or mappings with name and desc."""

    def read(said: Any) -> tuple[Feature, ...]:
        if not isinstance(said, list) or len(said) > MOST:
            raise ValueError("a list of names, each with a desc")
        # an entry may be left open: empty, or a name and a desc without a word
        filled = [(place, each) for place, each in enumerate(said) if each is not None]
        return tuple(
            _act(place, each, cost) for place, each in filled if not isinstance(each, dict) or any(each.values())
        )

    return read


def _act(place: int, said: Any, cost: str) -> Feature:
    if isinstance(said, list) and len(said) == 2:
        said = {"name": said[0], "desc": said[1]}
    name, text = (said.get("name"), said.get("desc")) if isinstance(said, dict) else (None, None)
    name = "" if name is None and text is not None else name
    if not isinstance(name, str) or not isinstance(text, str | None) or max(len(name), len(text or "")) > LONGEST:
        raise ValueError(f"{place}: a name and a desc, which are texts; a text with a colon is quoted")
    return Feature(name, text or "", cost)


def _spells(said: Any) -> tuple[str, ...]:
    """Return the lines about spells: texts, or levels with their spells."""
    if isinstance(said, str):
        return (said,)
    if not isinstance(said, list) or len(said) > MOST:
        raise ValueError("a list of lines such as `- 1st level (4 slots): bless, cure wounds`")
    lines: list[str] = []
    for place, each in enumerate(said):
        if isinstance(each, dict) and all(isinstance(names, str | None) for names in each.values()):
            lines += [f"{level}: {names}" if names else str(level) for level, names in each.items()]
        elif isinstance(each, str):
            lines.append(each)
        else:
            raise ValueError(f"{place}: a line of text, such as `1st level (4 slots): bless`")
    return tuple(lines)
